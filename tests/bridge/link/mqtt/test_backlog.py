"""What waits for the broker is counted, in messages and in bytes."""

from voxcard.link.mqtt.backlog import Backlog


class Delivery:
    """A message the broker has acknowledged, or not yet."""

    def __init__(self):
        self.acknowledged = False

    def is_published(self):
        return self.acknowledged


def test_there_is_room_for_a_count_of_messages_and_again_when_the_oldest_are_acknowledged():
    backlog = Backlog(count_max=2, bytes_max=1000)
    first, second = Delivery(), Delivery()
    backlog.add(first, 10)
    assert backlog.has_room(10)
    backlog.add(second, 10)
    assert not backlog.has_room(10) and len(backlog) == 2
    first.acknowledged = True
    assert backlog.has_room(10) and len(backlog) == 1


def test_there_is_room_for_so_many_bytes():
    backlog = Backlog(count_max=100, bytes_max=1000)
    first = Delivery()
    backlog.add(first, 900)
    assert backlog.has_room(100) and not backlog.has_room(101)
    first.acknowledged = True
    assert backlog.has_room(1000)


def test_nothing_waits_after_a_new_connection():
    backlog = Backlog(count_max=1, bytes_max=10)
    backlog.add(Delivery(), 10)
    backlog.clear()
    assert backlog.has_room(10) and not backlog.has_room(11) and len(backlog) == 0
