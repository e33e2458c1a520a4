"""Rules of the bridge's part in a turn: how far it is, what it speaks, when that is played."""

from session.flow_state import moved, new_turn, then, with_, with_turn, without_turn
from session.talk import end_listening, hear_no_more, listen_again
from voxwire.session import IDLE, LISTENING, SPEAKING, THINKING


def turn(flow, message, now_ms):
    """A `turn` message: of the turn that runs, of one that the bridge begins, or of another."""
    if flow.turn is None or message.id != flow.turn.id:
        return _other_turn(flow, message, now_ms)
    flow = with_(flow, bridge_ms=now_ms)
    if message.state == "done":
        return _done(flow, message.text, now_ms)
    step = flow, ()
    if message.state == "accepted":
        step = _accepted(flow, now_ms)
    elif message.state == "thinking":
        step = _thinking(flow, message.hear_ms or 0, now_ms)
    elif message.state == "listening" and flow.hear_ms:
        step = moved(flow, "again", now_ms)
    return (step[0], step[1] + (("progress", message.text),)) if message.text else step


def _other_turn(flow, message, now_ms):
    begins = message.state == "thinking" and message.id != flow.over_id
    if begins and flow.session.state == IDLE:
        begun = new_turn(message.id, accepted=True)
        return moved(with_(flow, turn=begun, bridge_ms=now_ms), "think", now_ms)
    text = "turn %s %s is not ours" % (message.id, message.state)
    return flow, (("log", "debug", text),)


def _accepted(flow, now_ms):
    flow = with_turn(with_(flow, aborted_ms=None), accepted=True)
    if flow.session.state != LISTENING:
        return flow, ()
    step = flow, (("open_capture",),)
    return then(step, end_listening, None, now_ms) if flow.turn.ending else step


def _thinking(flow, hear_ms, now_ms):
    """The bridge has heard the end of speech. The microphone stays on for `hear_ms`, should the
    person speak on; without them it is off, also if it stayed on before."""
    if flow.session.state == LISTENING:
        hear_ms = hear_ms if flow.turn.accepted else 0
        return moved(with_(flow, hear_ms=hear_ms), "endpoint", now_ms)
    return (flow, ()) if hear_ms else hear_no_more(flow, None, now_ms)


def _done(flow, text, now_ms):
    state, step = flow.session.state, (without_turn(flow), ())
    # Speech that was not ended was cut short by the bridge; else it plays to its end.
    if state in (LISTENING, THINKING) or (state == SPEAKING and not flow.speech_ended):
        step = moved(step[0], "cancel", now_ms)
    return (step[0], step[1] + (("alert", "Sorry", text),)) if text else step


def transcript(flow, said, now_ms):
    """What was understood, (text, whether there is more to come)."""
    return flow, (("transcript",) + said,)


def announce(flow, seq, now_ms):
    """Speech on an idle device; the turn before has nothing to do with it."""
    if flow.aborted_ms is not None:
        return flow, (("log", "info", "speech of the aborted turn is dropped"),)
    return speak(without_turn(flow), seq, now_ms)


def speak_early(flow, seq, now_ms):
    """Speech before the bridge said that it thinks."""
    if flow.turn is None or not flow.turn.accepted:
        return flow, (("log", "warning", "speech before the turn was accepted is dropped"),)
    return then(moved(flow, "endpoint", now_ms), speak, seq, now_ms)


def speak(flow, seq, now_ms):
    """Speech begins; `seq` is its first frame's."""
    flow = with_(flow, speech=seq, speech_ended=False, listen_again=False)
    flow, effects = moved(flow, "speak", now_ms)
    return flow, effects + (("begin_playback", seq),)


def sentence(flow, text, now_ms):
    """What is spoken now."""
    return flow, (("sentence", text),)


def end_speech(flow, message, now_ms):
    """A `tts stop`: which frame is the last, and whether the device shall listen after it."""
    if None not in (message.seq, flow.speech) and message.seq != flow.speech:
        return flow, (("log", "info", "the end of an earlier speech came again"),)
    if message.cut:
        return _hush(flow, now_ms)
    flow = with_(flow, speech_ended=True, listen_again=message.listen)
    return flow, (("finish_playback", message.last_seq),)


def _hush(flow, now_ms):
    """Silence at once. A turn goes on: it may speak again, or end."""
    move = "hush" if flow.turn is not None else "cancel"
    return then((with_(flow, bridge_ms=now_ms), (("hush",),)), moved, move, now_ms)


def played(flow, report, now_ms):
    """The last sample has left the speaker (audio.playback.Report)."""
    step = flow, _faults(report) + _last_frame(report)
    if not flow.listen_again:
        return then(step, moved, "played", now_ms)
    flow, effects = then((without_turn(flow), step[1]), moved, "asked", now_ms)
    if not flow.guard_ms:
        return then((flow, effects), listen_again)
    return with_(flow, guard_from_ms=now_ms), effects


def _faults(report):
    if not report.lost + report.late + report.duplicate + report.stray:
        return ()
    text = "lost %d, late %d, duplicate %d, stray %d" % report[1:]
    values = {"name": "playback", "value": report.lost, "text": text}
    return ("log", "info", "speech: " + text), ("post", "event", values)


def _last_frame(report):
    return () if report.seq is None else (("post", "played", {"seq": report.seq}),)
