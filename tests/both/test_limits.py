"""What time brings about: rows of (ms passed, the event that is due)."""

from session import flow_state, limits
from session.flow_state import Turn, with_
from voxwire.session import Session

WRAP = 1 << 30  # of the ticks
ASKED = Turn("t-1", 7, "auto", 1000, False, False)
ACCEPTED = Turn("t-1", 7, "auto", 1000, True, False)


def flow(state, **fields):
    """A flow whose every clock says 1000 ms."""
    begun = flow_state.start("t", 200, 1000)
    return with_(begun, session=Session(state, 1000), **fields)


def due(a_flow, ms, sample_ms=None, frame_ms=None):
    """The event `ms` after 1000; samples and frames came just now unless a time is given.

    It is the same one wherever the ticks begin.
    """
    now_ms = 1000 + ms
    sample_ms = now_ms if sample_ms is None else sample_ms
    times = now_ms, sample_ms, now_ms if frame_ms is None else frame_ms
    events = set()
    for later_ms in (0, WRAP // 2, WRAP - 1000, WRAP - 1001 - ms // 2, WRAP - 1000 - ms):
        moved = [(each + later_ms) % WRAP for each in times]
        events.add(limits.due(later(a_flow, later_ms), *moved))
    (event,) = events
    return event


def later(a_flow, ms):
    """The flow as if everything in it had happened `ms` later."""
    move = lambda at_ms: None if at_ms is None else (at_ms + ms) % WRAP  # noqa: E731
    session, turn = a_flow.session, a_flow.turn
    if turn is not None:
        turn = Turn(turn.id, turn.base, turn.mode, move(turn.asked_ms), *turn[4:])
    return with_(
        a_flow,
        session=Session(session.state, move(session.since_ms)),
        turn=turn,
        bridge_ms=move(a_flow.bridge_ms),
        aborted_ms=move(a_flow.aborted_ms),
        guard_from_ms=move(a_flow.guard_from_ms),
    )


def test_nothing_is_due_while_nothing_is_waited_for():
    for state in ("offline", "idle"):
        assert due(flow(state), 10**8, 1000, 1000) is None


def test_the_bridge_is_lost_when_it_does_not_accept_in_3_seconds():
    asked = flow("listening", turn=ASKED)
    assert [due(asked, ms) for ms in (0, 2999, 3000, 3001)] == (
        [None, None, "bridge_lost", "bridge_lost"]
    )


def test_a_bridge_that_was_not_asked_is_not_lost():
    pressed = flow("listening", turn=Turn("t-1", 7, None, None, False, False))
    assert due(pressed, 29999) is None


def test_the_bridge_is_lost_when_it_says_nothing_for_8_seconds_in_a_turn():
    for state in ("listening", "thinking"):
        accepted = flow(state, turn=ACCEPTED)
        assert [due(accepted, ms) for ms in (7999, 8000)] == [None, "bridge_lost"]
        assert due(accepted, 8001) == "bridge_lost"
    assert due(flow("idle", turn=ACCEPTED), 8000) is None


def test_frames_show_that_the_bridge_is_alive_while_it_speaks():
    speaking = flow("speaking", turn=ACCEPTED)
    assert due(speaking, 8000, frame_ms=1001) is None
    assert due(speaking, 8000, frame_ms=1000) == "bridge_lost"
    assert due(speaking, 8001, frame_ms=1000) == "bridge_lost"
    assert due(with_(speaking, bridge_ms=1001), 8000, frame_ms=1000) is None


def test_the_bridge_has_nothing_more_to_say_after_the_last_frame():
    assert due(flow("speaking", turn=ACCEPTED, speech_ended=True), 299999, frame_ms=1000) is None


def test_the_microphone_is_lost_after_2_seconds_without_a_sample():
    for turn in (ASKED, ACCEPTED):
        listening = flow("listening", turn=turn)
        events = [due(listening, ms, sample_ms=1000) for ms in (1999, 2000, 2001)]
        assert events == [None, "microphone_lost", "microphone_lost"]


def test_a_microphone_that_is_off_is_not_lost():
    assert due(flow("thinking", turn=ACCEPTED), 2000, sample_ms=1000) is None
    assert due(flow("listening"), 2000, sample_ms=1000) is None
    assert due(flow("idle", turn=ACCEPTED), 2000, sample_ms=1000) is None


def test_the_microphone_stays_on_in_thinking_as_long_as_the_bridge_asks():
    hearing = flow("thinking", turn=ACCEPTED, hear_ms=1200)
    assert [due(hearing, ms) for ms in (1199, 1200, 1201)] == [None, "hear_over", "hear_over"]
    assert due(flow("listening", turn=ACCEPTED, hear_ms=1200), 1201) is None


def test_a_lost_bridge_goes_before_a_lost_microphone():
    assert due(flow("listening", turn=ASKED), 3000, sample_ms=1000) == "bridge_lost"


def test_the_limits_of_the_states_are_those_both_sides_know():
    for state, ms, event in (
        ("connecting", 10000, "bridge_lost"),
        ("listening", 30000, "endpoint"),
        ("thinking", 60000, "cancel"),
        ("speaking", 300000, "cancel"),
    ):
        alive = flow(state, turn=ACCEPTED, bridge_ms=1000 + ms)
        assert [due(alive, ms - 1), due(alive, ms)] == [None, event], state


def test_a_limit_brings_its_event_about_once():
    assert due(flow("connecting", warned=True), 10**8) is None
    ending = Turn("t-1", 7, "auto", 30000, False, True)
    assert due(flow("listening", turn=ending), 30000) is None
    ended = Turn("t-1", 7, "auto", 1000, True, True)
    alive = flow("thinking", turn=ended, bridge_ms=60000)
    assert [due(alive, ms) for ms in (59999, 60000, 60001)] == [None, "cancel", "cancel"]


def test_the_microphone_waits_for_the_echo():
    guarding = flow("listening", guard_from_ms=1000)
    assert [due(guarding, ms) for ms in (0, 199, 200)] == [None, None, "guard_over"]
    assert due(guarding, 201) == "guard_over"


def test_an_aborted_reply_may_arrive_for_2_seconds():
    for state in ("offline", "connecting", "idle", "listening", "thinking", "speaking"):
        aborted = flow(state, aborted_ms=1000)
        assert [due(aborted, ms) for ms in (1999, 2000)] == [None, "abort_settled"], state
        assert due(aborted, 2001) == "abort_settled"


def test_no_wait_ends_early_when_the_counter_of_the_clock_wraps():
    wrapping = with_(flow("thinking", turn=ACCEPTED), bridge_ms=(1 << 30) - 1000)
    assert limits.due(wrapping, 6999, 6999, 6999) is None
    assert limits.due(wrapping, 7000, 7000, 7000) == "bridge_lost"


def test_a_time_after_the_reading_of_the_clock_is_now():
    thinking = flow("thinking", turn=ACCEPTED, bridge_ms=1100)
    assert due(thinking, 50, sample_ms=1100, frame_ms=1100) is None
