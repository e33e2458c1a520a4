"""Every rule of a turn on the bridge: pure, without I/O and without a clock.

The life of a turn
------------------
A *voice* turn begins when the device listens, a *text* turn (typed, or from a card) when the
bridge thinks, an announcement (*say*) with its first sentence. From then on:

1. **answering**: the assistant's parts are pulled. The microphone of a voice turn is open until
   the assistant heard the end of speech, the person let go of the button, or a limit came. Where
   the assistant *hears on* after that end, it is open for HEAR_ON_MS more, at most until something
   is done or said; a speaker who goes on meanwhile is listened to again.
2. **failing**: only if the answer failed. Its reason is said and shown.
3. **sending**: the answer is complete; the speech that is left goes out at the device's pace.
4. **playing**: the last frame left; the device has to report that it played it.

Where the microphone is realtime, an answer may be followed by another one in the same turn:
after *playing* it is *answering* again, the session listens, and its limits begin anew. The
assistant may silence its speech at any time until it was played (*hush*): the device says what it
played, and what is said afterwards is a speech of its own, whose frames are numbered on.

How a turn ends
---------------
* It *finishes*: nothing was said, or the device reports `played`, or that report is overdue.
  The device hears `turn done`, with the reason if anything failed. Where the report is missing,
  the device may not know of its session, and is asked for a hello.
* The *answer fails*: the assistant says so or raises, or a limit passes (thinking or speaking
  takes too long, no microphone frame comes). The pulling of parts is stopped, and the turn goes on
  with *failing*. A failure of the failing itself ends in *sending* all the same.
* The *device aborts* it (barge-in, a button): the turn's task is cancelled, the assistant learns
  what was heard. The device knows, so nothing is sent.
* The *bridge ends* it: a newer turn, a hello, a lost device, a person at the command line, Stop on
  a card. The task is cancelled; the device is told where it cannot know.
* Its *shell breaks*: a fault of ours; the device hears `turn done` with an apology.

Who cancels whom
----------------
Only the owner of this state (queue.TurnQueue) cancels a turn's task, on `CancelTurn`; the
turn cancels its own pulling of parts, on `StopAnswer`. Both are safe at any await of a turn: what
was sent stays sent, the assistant's generator is closed, and the next turn waits for that (for a
limited time). After `CancelTurn` and `EndTurn` no effect belongs to that turn any more; an event
that comes late for it changes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from voxwire import session
from voxwire.audio import distance

from voxcard.session.turn.events import (
    Aborted,
    AnswerBegun,
    AnswerEnded,
    AnswerFailed,
    Began,
    Broke,
    CancelTurn,
    CutHeard,
    DoubtSession,
    Effect,
    Ended,
    Event,
    Flow,
    ForgetEnd,
    Gone,
    Greeted,
    Hushed,
    Kind,
    Mark,
    MicrophoneFailed,
    Phase,
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
    TellSpeechStop,
    TellTurn,
    Ticked,
    TurnProgress,
    TurnState,
)
from voxcard.session.turn.flow_steps import (
    Outcome,
    alive,
    answer_stopped,
    finished,
    idle,
    listening_over,
    microphone_closed,
    moved,
    with_,
)

PLAYED_MS = 3000  # from when the device should have played everything, to its report
CUT_MS = 1000  # from a cut to the device's report of what it played

TOO_LONG = "That took too long. Please try again."
MICROPHONE_LOST = "I cannot hear the microphone. Please try again."
BROKEN = "Something went wrong here. Please try again."
NOT_PLAYED = "the device did not report that it played the reply"
NOT_CUT = "the device did not report what it played of the speech that was cut"


def start(now_ms: int) -> Flow:
    """A device that is not there yet."""
    return Flow(session=session.start(now_ms))


def apply(flow: Flow, event: Event, now_ms: int) -> Outcome:
    """The flow after `event`, and what the shell has to do, in order.

    An event that is not legal now, or is of another turn, changes nothing.
    """
    turn_id = None if isinstance(event, Began) else getattr(event, "turn", None)
    if turn_id is not None and (flow.turn is None or flow.turn.id != turn_id):
        return flow, ()
    phases = _PHASES.get(type(event))
    if phases is not None and flow.turn is not None and flow.turn.phase not in phases:
        text = f"{type(event).__name__} is not legal while {flow.turn.phase}"
        return flow, (Report(text=text),)
    return _RULES[type(event)](flow, event, now_ms)


def due_ms(flow: Flow, frame_ms: int) -> int | None:
    """When the next Ticked changes something, if nothing else happens before; None: never."""
    turn = flow.turn
    if turn is None:
        return None
    times = [] if turn.kind == "say" else [turn.alive_ms + session.ALIVE_MS]
    times += [each for each in (turn.cut_by_ms, turn.hears_until_ms) if each is not None]
    if turn.phase == "playing":
        times.append(turn.played_by_ms)
    elif turn.phase == "answering" and not turn.stopping and flow.state in session.LIMITS:
        times.append(flow.session.since_ms + session.LIMITS[flow.state].ms)
        if flow.state == session.LISTENING and turn.microphone_open:
            times.append(frame_ms + session.MICROPHONE_MS)
    return min(times, default=None)


# The phases in which the shell may report these.
_PHASES: Mapping[type, tuple[Phase, ...]] = {
    SpeechEnded: ("answering",),
    SpeechResumed: ("answering",),
    SpeechStarted: ("answering", "failing"),
    Hushed: ("answering", "sending", "playing"),
    AnswerFailed: ("answering",),
    AnswerEnded: ("answering", "failing"),
    SpeechSent: ("sending",),
}


# Rules: one function for each event.


def _greeted(flow: Flow, event: Greeted, now_ms: int) -> Outcome:
    flow, ended = _ended(flow, Ended(reason="The device started anew."), now_ms)
    if flow.state == session.OFFLINE:
        flow, _ = moved(flow, "link_up", now_ms)
    flow, reports = moved(flow, "hello", now_ms)
    return flow, ended + reports


def _gone(flow: Flow, event: Gone, now_ms: int) -> Outcome:
    flow, ended = _ended(flow, Ended(reason=event.reason), now_ms)
    if flow.state == session.OFFLINE:
        return flow, ended
    flow, reports = moved(flow, "link_down", now_ms)
    return flow, ended + reports


_FIRST_MOVE: Mapping[Kind, tuple[str, TurnProgress]] = {
    "voice": ("wake", "accepted"),
    "text": ("think", "thinking"),
    "begun": ("think", "thinking"),
}


def _began(flow: Flow, event: Began, now_ms: int) -> Outcome:
    flow, effects = _ended(flow, Ended(), now_ms)
    if event.kind == "say" and flow.state != session.IDLE:
        return flow, (*effects, Report(text=f"an announcement is not legal in state {flow.state}"))
    if event.kind in _FIRST_MOVE:
        move, progress = _FIRST_MOVE[event.kind]
        flow, reports = moved(flow, move, now_ms)
        if reports:
            return flow, effects + reports
        effects = (*effects, TellTurn(turn=event.turn, state=progress))
    turn = TurnState(
        id=event.turn,
        kind=event.kind,
        realtime=event.realtime,
        microphone_open=event.kind == "voice",
        alive_ms=now_ms,
    )
    return replace(flow, turn=turn), effects


def _aborted(flow: Flow, event: Aborted, now_ms: int) -> Outcome:
    if flow.turn is None:
        return flow, ()
    turn = replace(flow.turn, interrupted=True, played_seq=event.seq)
    flow = replace(flow, turn=None)
    effects: tuple[Effect, ...] = ()
    if flow.state != session.IDLE:  # an announcement that has not begun to speak
        flow, effects = moved(flow, "abort", now_ms)
    return flow, (*effects, CancelTurn(turn=turn))


def _ended(flow: Flow, event: Ended, now_ms: int) -> Outcome:
    if flow.turn is None:
        return flow, ()
    turn = replace(flow.turn, error=event.reason or flow.turn.error)
    flow, effects = idle(replace(flow, turn=None), "cancel", now_ms)
    if event.tell and turn.kind == "say" and turn.speech_started:
        effects = (*effects, TellSpeechStop(cut=True))  # of an announcement it knows no turn
    effects = (*effects, CancelTurn(turn=turn))
    if event.tell:
        effects = (*effects, TellTurn(turn=turn.id, state="done"))
    return flow, effects


def _released(flow: Flow, event: Released, now_ms: int) -> Outcome:
    flow, closed = microphone_closed(flow, always=True)
    flow, effects = _speech_ended(flow, SpeechEnded(turn=event.turn), now_ms)
    return flow, closed + effects


def _speech_ended(flow: Flow, event: SpeechEnded, now_ms: int) -> Outcome:
    if flow.state != session.LISTENING:
        return flow, ()
    flow, effects = listening_over(flow, now_ms, hears_on=event.hears_on)
    return flow, (Mark(moment="endpoint"), *effects)


def _speech_resumed(flow: Flow, event: SpeechResumed, now_ms: int) -> Outcome:
    turn = flow.turn
    if turn is None or turn.hears_until_ms is None or flow.state != session.THINKING:
        return flow, ()  # the microphone is closed: what came of it is answered
    flow, reports = moved(flow, "again", now_ms)
    tell = TellTurn(turn=turn.id, state="listening")
    return with_(flow, hears_until_ms=None), (*reports, ForgetEnd(), tell)


def _answer_begun(flow: Flow, event: AnswerBegun, now_ms: int) -> Outcome:
    turn = flow.turn
    if turn is None or turn.hears_until_ms is None:
        return flow, ()
    flow, closed = microphone_closed(flow)
    if turn.realtime:
        return flow, closed
    return flow, (*closed, TellTurn(turn=turn.id, state="thinking"))


def _microphone_failed(flow: Flow, event: MicrophoneFailed, now_ms: int) -> Outcome:
    if flow.turn is None or not flow.turn.microphone_open:
        return flow, ()
    return answer_stopped(flow, MICROPHONE_LOST)


def _progressed(flow: Flow, event: Progressed, now_ms: int) -> Outcome:
    if flow.turn is None or flow.turn.kind == "say":
        return flow, ()
    return alive(flow, event.text, now_ms)


def _speech_started(flow: Flow, event: SpeechStarted, now_ms: int) -> Outcome:
    if flow.turn is None or flow.turn.speech_started:
        return flow, ()
    flow, effects = listening_over(flow, now_ms)
    flow, reports = moved(flow, "speak", now_ms)
    return with_(flow, speech_started=True, first_seq=event.first_seq), effects + reports


def _hushed(flow: Flow, event: Hushed, now_ms: int) -> Outcome:
    turn = flow.turn
    if turn is None or not turn.speech_started:
        return flow, ()
    flow, reports = moved(flow, "hush", now_ms)
    flow = with_(flow, speech_started=False, played_seq=None, cut_by_ms=now_ms + CUT_MS)
    effects: tuple[Effect, ...] = (*reports, TellSpeechStop(cut=True))
    if turn.phase == "playing":
        return with_(flow, phase="sending"), (*effects, SendRest())
    return flow, effects


def _answer_failed(flow: Flow, event: AnswerFailed, now_ms: int) -> Outcome:
    flow, effects = listening_over(flow, now_ms)
    flow = with_(flow, phase="failing", stopping=False, error=event.error)
    return flow, (*effects, SayFailure(error=event.error))


def _answer_ended(flow: Flow, event: AnswerEnded, now_ms: int) -> Outcome:
    assert flow.turn is not None
    fine = not flow.turn.error
    again = event.again and fine and flow.turn.realtime
    flow = with_(flow, asks=event.asks and fine, again=again, stopping=False)
    if flow.turn is not None and flow.turn.speech_started:
        return with_(flow, phase="sending"), (SendRest(),)
    return finished(flow, "cancel", now_ms)


def _speech_sent(flow: Flow, event: SpeechSent, now_ms: int) -> Outcome:
    assert flow.turn is not None
    effects: tuple[Effect, ...] = ()
    if flow.turn.speech_started:  # what was hushed has been stopped
        effects = (TellSpeechStop(listen=flow.turn.asks),)
    if event.last_seq is not None:
        deadline_ms = now_ms + event.buffer_ms + PLAYED_MS
        return with_(flow, phase="playing", played_by_ms=deadline_ms), effects
    flow, after = finished(flow, "played", now_ms)
    return flow, effects + after


def _played(flow: Flow, event: Played, now_ms: int) -> Outcome:
    turn = flow.turn
    if turn is None:
        return flow, ()
    if turn.cut_by_ms is not None:
        return with_(flow, cut_by_ms=None), (CutHeard(seq=event.seq),)
    if event.seq is None or _is_before(event.seq, turn.first_seq):
        return flow, ()  # of a speech that was cut, and too late
    flow = with_(flow, played_seq=event.seq)
    assert flow.turn is not None
    if flow.turn.phase != "playing":
        return flow, ()
    flow, effects = finished(flow, "played", now_ms)
    return flow, (Mark(moment="played"), *effects)


def _is_before(seq: int, first_seq: int | None) -> bool:
    return first_seq is not None and distance(seq, first_seq) < 0


def _broke(flow: Flow, event: Broke, now_ms: int) -> Outcome:
    assert flow.turn is not None
    flow = with_(flow, error=flow.turn.error or BROKEN, again=False)
    return finished(flow, "cancel", now_ms, tell=True)


def _ticked(flow: Flow, event: Ticked, now_ms: int) -> Outcome:
    turn = flow.turn
    if turn is None:
        return flow, ()
    if turn.phase == "playing" and now_ms >= turn.played_by_ms:
        flow = with_(flow, error=turn.error or NOT_PLAYED)
        flow, effects = finished(flow, "played", now_ms)
        return flow, (Report(text=f"turn {turn.id}: {NOT_PLAYED}"), *effects, DoubtSession())
    effects = ()
    if turn.cut_by_ms is not None and now_ms >= turn.cut_by_ms:
        flow = with_(flow, cut_by_ms=None)
        report = Report(text=f"turn {turn.id}: {NOT_CUT}")
        effects = (report, CutHeard(seq=None, reported=False))
    if turn.hears_until_ms is not None and now_ms >= turn.hears_until_ms:
        flow, closed = microphone_closed(flow)
        effects += closed
    if turn.phase == "answering" and not turn.stopping:
        flow, limited = _limited(flow, event.frame_ms, now_ms)
        effects += limited
    if turn.kind != "say" and now_ms - turn.alive_ms >= session.ALIVE_MS:
        flow, sign = alive(flow, "", now_ms)
        effects += sign
    return flow, effects


_RULES: Mapping[type, Callable[[Flow, Any, int], Outcome]] = {
    Greeted: _greeted,
    Gone: _gone,
    Began: _began,
    Aborted: _aborted,
    Ended: _ended,
    Released: _released,
    SpeechEnded: _speech_ended,
    SpeechResumed: _speech_resumed,
    AnswerBegun: _answer_begun,
    MicrophoneFailed: _microphone_failed,
    Progressed: _progressed,
    SpeechStarted: _speech_started,
    Hushed: _hushed,
    AnswerFailed: _answer_failed,
    AnswerEnded: _answer_ended,
    SpeechSent: _speech_sent,
    Played: _played,
    Broke: _broke,
    Ticked: _ticked,
}


def _limited(flow: Flow, frame_ms: int, now_ms: int) -> Outcome:
    """What the limits of the session's state bring about."""
    turn = flow.turn
    assert turn is not None
    event = session.overdue(flow.session, now_ms - flow.session.since_ms)
    if event == "endpoint":
        return _released(flow, Released(turn=turn.id), now_ms)
    if event == "cancel":
        return answer_stopped(flow, TOO_LONG)
    listening = flow.state == session.LISTENING and turn.microphone_open
    if listening and now_ms - frame_ms >= session.MICROPHONE_MS:
        return answer_stopped(flow, MICROPHONE_LOST)
    return flow, ()
