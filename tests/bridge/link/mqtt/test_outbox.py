"""What is on its way to the broker, over a client library that only notes what it gets."""

import paho.mqtt.client as paho
import pytest
from voxcard.link.mqtt.backlog import Backlog
from voxcard.link.mqtt.outbox import FRAMES_MAX, Outbox


class Delivery:
    """A message that was given to the client library."""

    rc = paho.MQTT_ERR_SUCCESS

    def __init__(self, mid):
        self.mid = mid

    def is_published(self):
        return False


class Library:
    """Takes every message; `rc` is its answer."""

    def __init__(self):
        self.published = []
        self.rc = paho.MQTT_ERR_SUCCESS

    def publish(self, topic, payload, qos, retain=False):
        delivery = Delivery(len(self.published))
        delivery.rc = self.rc
        self.published.append((topic, payload, qos, retain))
        return delivery


class Code:
    """A reason code of MQTT 5."""

    def __init__(self, is_failure):
        self.is_failure = is_failure

    def __str__(self):
        return "Not authorized"


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def refusals():
    return []


def outbox(library, refusals=None, **options):
    def note(topic, reason):
        refusals.append((topic, reason))

    return Outbox(library, **{"names_refused": True, "on_refused": note, **options})


def test_a_message_leaves_with_its_qos_and_retain(library):
    assert outbox(library).publish("v/a/down", b"x", qos=1, retain=True)
    assert library.published == [("v/a/down", b"x", 1, True)]


def test_a_message_without_room_is_refused_and_counted_once(library):
    box = outbox(library, backlog=Backlog(count_max=2))
    sent = [box.publish("v/a/down", b"x", qos=1, retain=False) for _ in range(5)]
    assert sent == [True, True, False, False, False]
    assert len(box) == len(library.published) == 2
    assert (box.take_overflow(), box.take_overflow()) == (3, 0)


def test_a_message_the_library_does_not_take_is_refused_and_does_not_wait(library):
    library.rc = paho.MQTT_ERR_NO_CONN
    box = outbox(library)
    assert not box.publish("v/a/down", b"x", qos=1, retain=False)
    assert len(box) == 0 and box.take_overflow() == 0


def test_frames_wait_while_the_socket_is_blocked_and_leave_in_order(library):
    box = outbox(library)
    assert box.frame("v/a/spk", b"0", blocked=False)
    assert [box.frame("v/a/spk", bytes((n,)), blocked=True) for n in range(2)] == [True, True]
    assert [payload for _, payload, *_ in library.published] == [b"0"]
    box.send_frames()
    assert [payload for _, payload, *_ in library.published] == [b"0", b"\0", b"\1"]
    box.send_frames()
    assert len(library.published) == 3


def test_one_topic_full_of_frames_costs_the_others_nothing(library):
    box = outbox(library)
    sent = [box.frame("v/a/spk", bytes((n,)), blocked=True) for n in range(FRAMES_MAX + 1)]
    assert sent == [True] * FRAMES_MAX + [False] and box.frames_dropped == 1
    assert box.frame("v/b/spk", b"b", blocked=True)
    box.send_frames()
    first_of_a = next(payload for topic, payload, *_ in library.published if topic == "v/a/spk")
    assert first_of_a == b"\1" and ("v/b/spk", b"b", 0, False) in library.published


def test_a_refused_message_is_told_with_its_topic(library, refusals):
    box = outbox(library, refusals)
    box.publish("v/a/down", b"x", qos=1, retain=False)
    box.acknowledged(None, None, 0, Code(True), None)
    assert refusals == [("v/a/down", "Not authorized")]


def test_without_mqtt_5_no_topics_are_kept(library, refusals):
    box = outbox(library, refusals, names_refused=False)
    box.publish("v/a/down", b"x", qos=1, retain=False)
    box.acknowledged(None, None, 0, Code(True), None)
    assert refusals == [("", "Not authorized")]


def test_an_acknowledgement_is_no_refusal(library, refusals):
    box = outbox(library, refusals)
    box.publish("v/a/down", b"x", qos=1, retain=False)
    box.acknowledged(None, None, 0, Code(False), None)
    assert refusals == []


def test_nothing_of_the_last_connection_is_left(library, refusals):
    box = outbox(library, refusals)
    box.publish("v/a/down", b"x", qos=1, retain=False)
    box.frame("v/a/spk", b"x", blocked=True)
    box.clear()
    box.send_frames()
    box.acknowledged(None, None, 0, Code(True), None)
    assert len(library.published) == 1 and len(box) == 0 and refusals == [("", "Not authorized")]
