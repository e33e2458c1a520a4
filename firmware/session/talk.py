"""Rules of the person's part in a turn: presses, the microphone, what is cancelled."""

from session.flow_state import moved, new_turn, numbered, then, with_, with_turn, without_turn
from voxwire.session import IDLE, SPEAKING

NO_MICROPHONE = "No sound comes from the microphone. Check its wires, then restart the device."
MUTED = "The microphone is off. Hold the button to switch it on."
TOO_LONG = "The answer took too long. Ask again."


def wake(flow, _, now_ms):
    """A press on an idle device."""
    return then(moved(without_turn(flow), "wake", now_ms), _listen, None)


def word(flow, stream, now_ms):
    """The bridge has heard the wake word in `stream`, (id, seq of its next frame, word): the
    sound that it has becomes the beginning of a turn."""
    step = flow, ()
    if flow.session.state != IDLE:
        step = abort(flow, "wake", now_ms)
    flow, effects = then((without_turn(step[0]), step[1]), moved, "wake", now_ms)
    turn_id, base, text = stream
    turn = new_turn(turn_id, "auto")
    flow = with_turn(with_(flow, turn=turn, bridge_ms=now_ms), base=base, asked_ms=now_ms)
    values = {"id": turn_id, "state": "start", "mode": "auto", "seq": base, "text": text}
    return flow, effects + (("post", "listen", values),)


def guard_over(flow, _, now_ms):
    """The echo of the assistant's question has died away."""
    return (flow, ()) if flow.guard_from_ms is None else listen_again(flow)


def listen_again(flow):
    """The assistant has asked: the person need not press."""
    return _listen(without_turn(flow), "auto")


def _listen(flow, mode):
    flow, turn_id = numbered(flow)
    return with_(flow, turn=new_turn(turn_id, mode)), (("start_capture",),)


def started(flow, base, now_ms):
    """The microphone is on; `base` is the seq of its first frame."""
    if flow.turn is None or flow.turn.base is not None:
        return flow, ()
    flow = with_turn(flow, base=base)
    return (flow, ()) if flow.turn.mode is None else _ask(flow, flow.turn.mode, now_ms)


def _ask(flow, mode, now_ms):
    """Asks the bridge for the turn; its frames follow once the bridge has accepted."""
    flow = with_turn(flow, mode=mode)
    if flow.turn.base is None:  # `started` will ask
        return flow, ()
    flow = with_turn(with_(flow, bridge_ms=now_ms), asked_ms=now_ms)
    turn = flow.turn
    values = {"id": turn.id, "state": "start", "mode": turn.mode, "seq": turn.base}
    return flow, (("post", "listen", values),)


def press_again(flow, _, now_ms):
    """A second press, while it listens: the person is done."""
    ends = flow.turn is not None and flow.turn.mode == "auto"
    return end_listening(flow, None, now_ms) if ends else (flow, ())


def hold(flow, _, now_ms):
    """The button is held: push to talk."""
    undecided = flow.turn is not None and flow.turn.mode is None
    return _ask(flow, "manual", now_ms) if undecided else (flow, ())


def release(flow, _, now_ms):
    """The button is released: it was a tap, or the end of push to talk."""
    turn = flow.turn
    if turn is not None and turn.mode is None:
        return _ask(flow, "auto", now_ms)
    ends = turn is not None and turn.mode == "manual"
    return end_listening(flow, None, now_ms) if ends else (flow, ())


def end_listening(flow, _, now_ms):
    """Nothing more will be said: sends the rest, then says so."""
    turn = flow.turn
    if turn is None:
        return flow, ()
    if turn.mode is None:  # a button that stays undecided: the bridge was not asked
        return abort(flow, "timeout", now_ms)
    if not turn.accepted:
        return with_turn(flow, ending=True), ()
    return then((flow, (("stop_listening", turn.id, turn.mode),)), moved, "endpoint", now_ms)


def hear_no_more(flow, _, now_ms):
    """The microphone that stayed on in thinking is off: something was done, or it is muted."""
    return with_(flow, hear_ms=0), (("stop_capture",),) if flow.hear_ms else ()


def hear_out(flow, _, now_ms):
    """Nobody has spoken on while the microphone stayed on in thinking: the bridge knows."""
    if not flow.hear_ms:
        return flow, ()
    turn = flow.turn
    return with_(flow, hear_ms=0), (("stop_listening", turn.id, turn.mode),)


def cancel(flow, _, now_ms):
    """A press while it thinks."""
    return abort(flow, "button", now_ms)


def interrupt(flow, _, now_ms):
    """A press while it speaks."""
    return then(abort(flow, "button", now_ms), wake, None, now_ms)


def time_out(flow, _, now_ms):
    """Thinking or speaking has lasted too long."""
    flow, effects = abort(flow, "timeout", now_ms)
    return flow, effects + (("alert", "Sorry", TOO_LONG),)


def lose_microphone(flow, _, now_ms):
    """The microphone did not start, or gives nothing."""
    event = ("post", "event", {"name": "microphone", "text": NO_MICROPHONE})
    flow, effects = then((flow, (event,)), abort, "microphone", now_ms)
    return flow, effects + (("alert", "Microphone", NO_MICROPHONE),)


def muted(flow, _, now_ms):
    """The microphone is switched off."""
    flow, effects = abort(flow, "muted", now_ms)
    return flow, effects + (("alert", "Microphone", MUTED),)


def abort(flow, reason, now_ms):
    """The device cancels."""
    flow, effects = _post_abort(flow, reason, now_ms)
    return then((without_turn(flow), effects), moved, "abort", now_ms)


def _post_abort(flow, reason, now_ms):
    """The bridge hears of it if it may know of the turn, or if it speaks."""
    turn = flow.turn
    known = turn is not None and (turn.accepted or turn.asked_ms is not None)
    if not known and flow.session.state != SPEAKING:
        return flow, ()
    flow, turn_id = numbered(flow) if turn is None else (flow, turn.id)
    return with_(flow, aborted_ms=now_ms), (("abort", turn_id, reason),)


def settle(flow, _, now_ms):
    """The reply of an aborted turn can no longer arrive."""
    return with_(flow, aborted_ms=None), ()
