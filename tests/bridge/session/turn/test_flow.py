"""Every rule of a turn on the bridge: each event in each state, and what always holds."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.session.turn import flow as turn_flow
from voxcard.session.turn.events import (
    Aborted,
    AnswerBegun,
    AnswerEnded,
    AnswerFailed,
    Began,
    Broke,
    CancelTurn,
    CloseMicrophone,
    CutHeard,
    DoubtSession,
    Ended,
    EndTurn,
    ForgetEnd,
    Gone,
    Greeted,
    Hushed,
    Mark,
    MicrophoneFailed,
    NextListening,
    Played,
    Progressed,
    Released,
    Report,
    SayFailure,
    SendRest,
    SpeechEnded,
    SpeechResumed,
    SpeechSent,
    SpeechStarted,
    StopAnswer,
    TellSpeechStop,
    TellTurn,
    Ticked,
)

# state | event | the session's state after it | effects, in order. What is not listed changes
# nothing. `t` runs in every state but the first two; `u` is another turn.
ROWS = (Path(__file__).parents[3] / "golden" / "session" / "turn_flow.txt").read_text("utf-8")

GREETED = [(0, Greeted())]
LISTENING = [*GREETED, (0, Began(turn="t", kind="voice"))]
REALTIME = [*GREETED, (0, Began(turn="t", kind="voice", realtime=True))]
THINKING = [*LISTENING, (0, SpeechEnded(turn="t"))]
HEARING_ON = (0, SpeechEnded(turn="t", hears_on=True))
SPEAKING = [*THINKING, (0, SpeechStarted(turn="t"))]
SENDING = [*SPEAKING, (0, AnswerEnded(turn="t"))]
REALTIME_SPEAKING = [*REALTIME, (0, SpeechStarted(turn="t", first_seq=5))]
ONE_MORE = [*REALTIME_SPEAKING, (0, AnswerEnded(turn="t", again=True))]
ANNOUNCING = [*GREETED, (0, Began(turn="t", kind="say"))]

STATES = {
    "offline": [],
    "idle": GREETED,
    "listening": LISTENING,
    "listening, realtime": REALTIME,
    "thinking": THINKING,
    "thinking, hearing on": [*LISTENING, HEARING_ON],
    "thinking, hearing on, realtime": [*REALTIME, HEARING_ON],
    "listening, resumed": [*LISTENING, HEARING_ON, (0, SpeechResumed(turn="t"))],
    "thinking about a text": [*GREETED, (0, Began(turn="t", kind="text"))],
    "speaking": SPEAKING,
    "speaking, realtime": REALTIME_SPEAKING,
    "hushed": [*REALTIME_SPEAKING, (0, Hushed(turn="t"))],
    "sending, one more follows": ONE_MORE,
    "playing, one more follows": [*ONE_MORE, (0, SpeechSent(turn="t", last_seq=9, buffer_ms=200))],
    "hushed, one more follows": [*ONE_MORE, (0, Hushed(turn="t"))],
    "microphone closed, one more follows": [*ONE_MORE, (0, Released(turn="t"))],
    "stopping": [*THINKING, (60_000, Ticked())],
    "failing": [*THINKING, (0, AnswerFailed(turn="t", error="No."))],
    "sending": SENDING,
    "playing": [*SENDING, (0, SpeechSent(turn="t", last_seq=9, buffer_ms=200))],
    "announcing": ANNOUNCING,
    "announcing, speaking": [*ANNOUNCING, (0, SpeechStarted(turn="t"))],
}

EVENTS = {
    "hello": (0, Greeted()),
    "gone": (0, Gone(reason="Lost.")),
    "voice u": (0, Began(turn="u", kind="voice")),
    "text u": (0, Began(turn="u", kind="text")),
    "say u": (0, Began(turn="u", kind="say")),
    "abort": (0, Aborted(seq=7)),
    "end": (0, Ended()),
    "end, tell": (0, Ended(reason="Stop.", tell=True)),
    "released": (0, Released(turn="t")),
    "speech ended": (0, SpeechEnded(turn="t")),
    "speech ended, hears on": HEARING_ON,
    "speech resumed": (0, SpeechResumed(turn="t")),
    "answer begun": (0, AnswerBegun(turn="t")),
    "microphone failed": (0, MicrophoneFailed()),
    "progress": (0, Progressed(turn="t", text="half")),
    "speech started": (0, SpeechStarted(turn="t")),
    "hushed": (0, Hushed(turn="t")),
    "answer failed": (0, AnswerFailed(turn="t", error="Oh.")),
    "answer ended": (0, AnswerEnded(turn="t")),
    "answer asks": (0, AnswerEnded(turn="t", asks=True)),
    "answer, one more follows": (0, AnswerEnded(turn="t", again=True)),
    "speech sent": (0, SpeechSent(turn="t", last_seq=9, buffer_ms=200)),
    "nothing sent": (0, SpeechSent(turn="t", last_seq=None, buffer_ms=200)),
    "played": (0, Played(seq=9)),
    "played, too late": (0, Played(seq=4)),
    "nothing played": (0, Played(seq=None)),
    "broke": (0, Broke(turn="t")),
    "after 1 s": (1_000, Ticked(frame_ms=990)),
    "after 2 s": (2_000, Ticked(frame_ms=1_990)),
    "after 2 s without a frame": (2_000, Ticked()),
    "after 30 s": (30_000, Ticked(frame_ms=29_990)),
    "after 60 s": (60_000, Ticked(frame_ms=59_990)),
    "after 300 s": (300_000, Ticked(frame_ms=299_990)),
    "speech of u": (0, SpeechStarted(turn="u")),
    "answer of u": (0, AnswerEnded(turn="u")),
}


def flow_in(state):
    flow, now_ms = turn_flow.start(0), 0
    for now_ms, event in STATES[state]:
        flow, _ = turn_flow.apply(flow, event, now_ms)
    return flow, now_ms


def short(effect):
    """An effect in a few words."""
    match effect:
        case TellTurn(turn=turn, state=state, text=text, hear_ms=hear_ms):
            return f"turn {turn} {state} {text}".strip() + f", hear {hear_ms} ms" * bool(hear_ms)
        case TellSpeechStop(listen=listen, cut=cut):
            return "tts stop" + ", listen" * listen + ", cut" * cut
        case CutHeard(seq=seq, reported=reported):
            return f"heard of the cut: {seq}" + ", not reported" * (not reported)
        case NextListening(turn=turn):
            return f"next sentence after {turn.id} played {turn.played_seq} {turn.error}".strip()
        case CloseMicrophone():
            return "close microphone"
        case ForgetEnd():
            return "forget the end"
        case Mark(moment=moment):
            return f"mark {moment}"
        case StopAnswer(error=error):
            return f"stop answer: {error}"
        case SayFailure(error=error):
            return f"say: {error}"
        case SendRest():
            return "send rest"
        case EndTurn(turn=turn) | CancelTurn(turn=turn):
            verb = "end" if isinstance(effect, EndTurn) else "cancel"
            return f"{verb} {turn.id} {turn.error}".strip()
        case DoubtSession():
            return "doubt session"
        case Report(text=text):
            return f"report: {text}"


def rows():
    """The table as the code has it."""
    for state in STATES:
        flow, began_ms = flow_in(state)
        for name, (at_ms, event) in EVENTS.items():
            after, effects = turn_flow.apply(flow, event, max(at_ms, began_ms))
            if after != flow or effects:
                yield " | ".join((state, name, after.state, "; ".join(map(short, effects))))


def test_each_event_does_in_each_state_what_the_table_says():
    assert [row.rstrip() for row in rows()] == ROWS.splitlines()


EVENT = st.sampled_from([event for _, event in EVENTS.values()])


@given(st.lists(st.tuples(st.integers(0, 70_000), EVENT), max_size=30))
def test_every_turn_is_over_once_and_the_session_is_idle_without_one(events):
    flow, now_ms, running = turn_flow.start(0), 0, None
    for wait_ms, event in events:
        now_ms += wait_ms
        flow, effects = turn_flow.apply(flow, event, now_ms)
        for effect in effects:
            if isinstance(effect, EndTurn | CancelTurn):
                assert effect.turn.id == running
                running = None
            elif isinstance(
                effect,
                CloseMicrophone
                | CutHeard
                | ForgetEnd
                | Mark
                | NextListening
                | StopAnswer
                | SayFailure
                | SendRest,
            ):
                assert running is not None
        if isinstance(event, Began) and flow.turn is not None:
            running = flow.turn.id
        assert (flow.turn.id if flow.turn else None) == running
        if flow.turn is None:
            assert flow.state in ("idle", "offline")


@given(st.lists(st.tuples(st.integers(0, 70_000), EVENT), max_size=20), st.integers(0, 400_000))
def test_nothing_is_due_before_its_time(events, frame_ms):
    flow, now_ms = turn_flow.start(0), 0
    for wait_ms, event in events:
        now_ms += wait_ms
        flow, _ = turn_flow.apply(flow, event, now_ms)
    due_ms = turn_flow.due_ms(flow, frame_ms)
    if due_ms is None:
        assert turn_flow.apply(flow, Ticked(frame_ms=frame_ms), now_ms + 10**7) == (flow, ())
    else:
        assert turn_flow.apply(flow, Ticked(frame_ms=frame_ms), due_ms - 1) == (flow, ())
        assert turn_flow.apply(flow, Ticked(frame_ms=frame_ms), due_ms) != (flow, ())


@pytest.mark.parametrize("state", [state for state in STATES if state not in ("offline", "idle")])
def test_an_aborted_turn_says_what_was_heard(state):
    flow, now_ms = flow_in(state)
    flow, effects = turn_flow.apply(flow, Aborted(seq=7), now_ms)
    (cancel,) = [effect for effect in effects if isinstance(effect, CancelTurn)]
    assert (cancel.turn.played_seq, cancel.turn.interrupted, flow.state) == (7, True, "idle")


if __name__ == "__main__":
    print("\n".join(row.rstrip() for row in rows()))
