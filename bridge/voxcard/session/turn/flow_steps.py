"""Steps that several rules of a turn (turn.flow) are made of: pure."""

from dataclasses import replace
from typing import Any

from voxwire import session
from voxwire.errors import WireError

from voxcard.assistants import HEAR_ON_MS
from voxcard.session.turn.events import (
    CloseMicrophone,
    Effect,
    EndTurn,
    Flow,
    NextListening,
    Report,
    StopAnswer,
    TellTurn,
    TurnProgress,
    TurnState,
)

Outcome = tuple[Flow, tuple[Effect, ...]]


def answer_stopped(flow: Flow, error: str) -> Outcome:
    turn = flow.turn
    if turn is None or turn.phase != "answering" or turn.stopping:
        return flow, ()
    return with_(flow, stopping=True, error=error), (StopAnswer(error=error),)


def alive(flow: Flow, text: str, now_ms: int) -> Outcome:
    assert flow.turn is not None
    alive = TellTurn(turn=flow.turn.id, state="alive", text=text)
    return with_(flow, alive_ms=now_ms), (alive,)


def listening_over(flow: Flow, now_ms: int, *, hears_on: bool = False) -> Outcome:
    """The microphone closes (unless it is realtime), and the device knows that we think.

    `hears_on`: it closes HEAR_ON_MS later, if nothing else closes it before.
    """
    turn, hear_ms = flow.turn, None
    closed: tuple[Effect, ...] = ()
    if hears_on and turn is not None and turn.microphone_open:
        hear_ms = None if turn.realtime else HEAR_ON_MS  # a realtime one is on in any case
        flow = with_(flow, hears_until_ms=now_ms + HEAR_ON_MS)
    else:
        flow, closed = microphone_closed(flow)
    if flow.state != session.LISTENING or turn is None:
        return flow, closed
    flow, reports = moved(flow, "endpoint", now_ms)
    tell = TellTurn(turn=turn.id, state="thinking", hear_ms=hear_ms)
    return flow, (*closed, *reports, tell)


def microphone_closed(flow: Flow, *, always: bool = False) -> Outcome:
    turn = flow.turn
    if turn is None:
        return flow, ()
    flow = with_(flow, hears_until_ms=None)
    if not turn.microphone_open or (turn.realtime and not always):
        return flow, ()
    return with_(flow, microphone_open=False), (CloseMicrophone(),)


def finished(flow: Flow, move: str, now_ms: int, *, tell: bool = False) -> Outcome:
    """The answer is over, and with it the turn, unless it hears `again`: the session is idle, and
    the device knows (`tell`: of any kind)."""
    turn = flow.turn
    assert turn is not None
    if turn.again:
        return _next_listening(flow, now_ms)
    flow, effects = idle(replace(flow, turn=None), move, now_ms)
    if turn.kind != "say" or tell:
        effects = (*effects, TellTurn(turn=turn.id, state="done", text=turn.error))
    return flow, (*effects, EndTurn(turn=turn))


def _next_listening(flow: Flow, now_ms: int) -> Outcome:
    """The turn hears its next sentence; where the microphone was closed, the assistant knows."""
    before = flow.turn
    assert before is not None
    after = TurnState(
        id=before.id,
        kind=before.kind,
        realtime=before.realtime,
        microphone_open=before.microphone_open,
        alive_ms=now_ms,
    )
    reports: tuple[Effect, ...] = ()
    if before.microphone_open and flow.state != session.LISTENING:
        flow, reports = moved(flow, "again", now_ms)
    elif flow.state == session.SPEAKING:
        flow, reports = moved(flow, "hush", now_ms)
    progress: TurnProgress = "listening" if flow.state == session.LISTENING else "thinking"
    tell = TellTurn(turn=before.id, state=progress)
    return replace(flow, turn=after), (*reports, tell, NextListening(turn=before))


def idle(flow: Flow, move: str, now_ms: int) -> Outcome:
    """The session idle again, by `move` where it was speaking."""
    if flow.state in (session.IDLE, session.OFFLINE):
        return flow, ()
    return moved(flow, move if flow.state == session.SPEAKING else "cancel", now_ms)


def moved(flow: Flow, event: str, now_ms: int) -> Outcome:
    """The session after `event`; a report and no change when that is not legal now."""
    try:
        return replace(flow, session=session.apply(flow.session, event, now_ms)), ()
    except WireError as error:
        return flow, (Report(text=str(error)),)


def with_(flow: Flow, **values: Any) -> Flow:
    assert flow.turn is not None
    return replace(flow, turn=replace(flow.turn, **values))
