"""What a flow (module voice_flow) has waited for too long: the events that time brings about."""

from voxwire import session
from voxwire.session import (
    ACCEPT_MS,
    CONNECTING,
    LISTENING,
    MICROPHONE_MS,
    SILENCE_MS,
    SPEAKING,
    THINKING,
)
from voxwire.ticks import elapsed_ms

STALE_MS = 2000  # how long after an abort the aborted reply may still arrive


def due(flow, now_ms: int, sample_ms: int, frame_ms: int) -> "str | None":
    """The name of the event that is due at `now_ms`, or None. Allocates nothing.

    `sample_ms` is when the microphone last gave a sample (or started), `frame_ms` when the last
    frame for the speaker came. An event, once applied, is not due again.
    """
    if flow.guard_from_ms is not None and elapsed_ms(now_ms, flow.guard_from_ms) >= flow.guard_ms:
        return "guard_over"
    if _bridge_is_silent(flow, now_ms, frame_ms):
        return "bridge_lost"
    listens = flow.session.state == LISTENING and flow.turn is not None
    if listens and elapsed_ms(now_ms, sample_ms) >= MICROPHONE_MS:
        return "microphone_lost"
    event = session.overdue(flow.session, elapsed_ms(now_ms, flow.session.since_ms))
    if event is not None and not _was_applied(flow):
        return event
    hears = flow.hear_ms and flow.session.state == THINKING
    if hears and elapsed_ms(now_ms, flow.session.since_ms) >= flow.hear_ms:
        return "hear_over"
    if flow.aborted_ms is not None and elapsed_ms(now_ms, flow.aborted_ms) >= STALE_MS:
        return "abort_settled"
    return None


def _bridge_is_silent(flow, now_ms, frame_ms):
    state, turn = flow.session.state, flow.turn
    if turn is not None and turn.asked_ms is not None and not turn.accepted:
        return elapsed_ms(now_ms, turn.asked_ms) >= ACCEPT_MS
    if state == LISTENING:
        waits = turn is not None and turn.accepted
    elif state == SPEAKING:
        # Frames are words too; after the last one the bridge has nothing more to say.
        waits = not flow.speech_ended and elapsed_ms(now_ms, frame_ms) >= SILENCE_MS
    else:
        waits = state == THINKING
    return waits and elapsed_ms(now_ms, flow.bridge_ms) >= SILENCE_MS


def _was_applied(flow):
    """Whether the limit of this state has passed before, and its event changed no state."""
    if flow.session.state == CONNECTING:
        return flow.warned
    return flow.session.state == LISTENING and (flow.turn is None or flow.turn.ending)
