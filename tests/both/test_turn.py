"""Who has gone silent in a turn, and what the bridge may know of it."""

from turn import Turn, lost


def test_the_bridge_is_lost_when_it_does_not_accept_in_3_seconds():
    assert [lost(ms, 0, 0) for ms in (0, 2999, 3000)] == ["", "", "bridge"]


def test_the_bridge_is_lost_when_it_says_nothing_for_8_seconds():
    assert [lost(0, ms, 0) for ms in (0, 7999, 8000)] == ["", "", "bridge"]


def test_the_microphone_is_lost_after_2_seconds_without_a_sample():
    assert [lost(0, 0, ms) for ms in (0, 1999, 2000)] == ["", "", "microphone"]


def test_a_lost_bridge_goes_before_a_lost_microphone():
    assert lost(3000, 0, 5000) == "bridge"


def test_the_bridge_knows_a_turn_once_it_was_asked_for_or_began_it_itself():
    turn = Turn("a-1", 7)
    assert not turn.known and turn.mode is None
    turn.asked_ms = 0
    assert turn.known and not turn.accepted
    assert Turn("b1", 0, accepted=True).known
