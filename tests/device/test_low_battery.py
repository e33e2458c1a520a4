"""A low battery is told once."""

from fakes.device.board import Battery
from hal.parts.low_battery import LowBattery


def told(*looks):
    """What was told after so many looks at (percent, charging)."""
    battery, said = Battery(), []
    watch = LowBattery(battery, said.append)
    for battery.level, battery.charges in looks:
        watch.look()
    return said


def low(percent, times=3, charging=False):
    return ((percent, charging),) * times


def test_it_is_told_at_the_third_low_look_and_then_never_again():
    assert told(*low(15, 2)) == []
    assert told(*low(15, 3)) == [15]
    assert told(*low(15, 50)) == [15]
    assert told(*low(15), *low(9, 20), *low(0, 20)) == [15]


def test_a_sag_while_the_speaker_plays_is_not_told():
    assert told(*low(10, 2), (16, False), *low(10, 2), (16, False)) == []


def test_it_is_told_again_after_the_battery_was_fine():
    assert told(*low(12), (24, False), *low(12)) == [12]
    assert told(*low(12), (25, False), *low(11)) == [12, 11]


def test_a_charger_is_no_reason_to_tell_and_after_it_it_is_told_again():
    assert told(*low(3, 9, True)) == []
    assert told(*low(12), (13, True), *low(12)) == [12, 12]


def test_what_is_not_known_is_neither_low_nor_fine():
    assert told(*low(12, 2), (None, False), (12, False)) == [12]
    assert told(*low(None, 9)) == []


def test_a_board_that_cannot_tell_of_a_charger_is_told_by_its_percent_alone():
    assert told(*low(5, 3, None)) == [5]
