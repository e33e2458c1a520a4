"""What hellos tell of the set-up: rows of (at_s, boot or "heard"), then the problems."""

import pytest
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.problems import Problems

TWINS = (
    "Two devices have the id kitchen and take the connection from each other."
    ' Give one of them another id: its setting "id".'
)
DEAF = (
    "kitchen says hello again and again and hears no answer. The broker's access list must let it"
    " read home/kitchen/#, and the bridge write there."
)
HEARD = "heard"


def seen(rows, at_s=None):
    """The problems after these rows, at the time of the last one or at `at_s`."""
    now_s = [0.0]
    problems = Problems(lambda: now_s[0])
    watch = HelloWatch("home", problems, lambda: now_s[0])
    for moment_s, boot in rows:
        now_s[0] = moment_s
        if boot == HEARD:
            watch.heard("kitchen")
        else:
            watch.hello("kitchen", boot)
            watch.hello("attic", "z")
            watch.heard("attic")
    now_s[0] = at_s or now_s[0]
    return problems.all()


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        # One device: it reconnects, it starts again and again.
        ([(0, "a"), (1, HEARD), (2, "a"), (3, HEARD), (4, "a"), (5, HEARD), (6, "a")], ()),
        ([(second, f"b{second}") for second in range(0, 300, 40)], ()),
        # Two devices in turn.
        ([(0, "a"), (1, "b")], ()),
        ([(0, "a"), (1, "b"), (2, "a")], (TWINS,)),
        ([(0, "a"), (3, "b"), (4, "c"), (9, "a")], (TWINS,)),
        # Devices that say no boot cannot be told apart.
        ([(0, None), (1, HEARD), (2, None), (3, HEARD)], ()),
        # Nobody hears the answer.
        ([(0, "a"), (2, "a"), (5, "a"), (11, "a")], (DEAF,)),
        ([(0, "a"), (2, "a"), (5, "a"), (90, "a")], (DEAF,)),
        ([(0, "a"), (2, "a"), (5, "a"), (91, "a")], ()),
        ([(0, "a"), (2, "a"), (5, "a"), (11, "a"), (12, HEARD)], ()),
        ([(0, "a"), (2, "a"), (3, HEARD), (5, "a"), (11, "a")], ()),
    ],
)
def test_what_hellos_tell_of_the_set_up(rows, problems):
    assert seen(rows) == problems


def test_two_devices_are_forgotten_when_they_are_not_seen_again():
    rows = [(0, "a"), (1, "b"), (1, HEARD), (2, "a"), (3, HEARD)]
    assert seen(rows, at_s=601.5) == (TWINS,)
    assert seen(rows, at_s=602.5) == ()


def test_a_word_of_a_device_that_never_said_hello_tells_nothing():
    assert seen([(0, HEARD), (1, "a")]) == ()


def test_ten_thousand_devices_are_watched():
    problems = Problems(lambda: 0.0)
    watch = HelloWatch("home", problems, lambda: 0.0)
    for number in range(10_001):
        watch.hello(f"d{number}", "a")
    for boot in ("b", "a"):
        watch.hello("d9999", boot)
        watch.hello("d10000", boot)
    assert [text.split()[5] for text in problems.all()] == ["d9999"]
