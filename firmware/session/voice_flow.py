"""Every rule of a turn on the device: `apply(flow, event, now_ms) -> (flow, effects)`.

How a turn lives. It begins in one of four ways:

- A press opens the microphone at once, so that the first word is kept. Whether it is a tap (the
  bridge finds the end of speech, mode `auto`) or push to talk (`manual`) is known when the button
  is released or has been held; only then is the bridge asked, with `listen start`.
- After a question of the assistant the microphone opens by itself, in mode `auto`, once the echo
  of the speaker has died away (`guard_ms`).
- The bridge hears the wake word in what the device let out (module wake): the stream goes on as
  the sound of the turn, with `listen start` of the same id.
- The bridge begins one, for a typed sentence or an action of a card: `turn thinking` with an id
  that is new to an idle device.

    press                  listening; the samples are kept
    released, or held      `listen start` asks the bridge for the turn
    turn accepted          the samples go to the bridge, the kept ones first
    turn thinking          thinking; the microphone is off (or the person is done: `listen stop`),
                           or stays on for `hear_ms`, at most until something is done or spoken
    turn listening         the person has spoken on: listening again
    tts start, tts stop    speaking; which frame is the last (or, `cut`: silence; thinking again)
    last sample is out     `played`; idle, or listening again if the assistant has asked

A release before the bridge has accepted is noted (`ending`) and carried out when it accepts.
Speech may come before the bridge has said that it thinks, and without a turn: an announcement.

How a turn ends, and who cancels whom:

1. It is over: the last sample is played, or `turn done` comes while nothing is spoken. `turn done`
   before `tts stop` means that the bridge cut its own speech short: silence at once.
2. The person presses: while listening to end what is said, while thinking to cancel the turn,
   while speaking to cancel it and begin the next one with the same press.
3. A limit passes (voxwire.session.LIMITS): listening becomes thinking, the others are cancelled.
4. The microphone is lost: it does not start, gives no sample, or is switched off.
5. The bridge is lost: it does not accept, says nothing for too long, or says goodbye.
6. A hello: the bridge has started anew and knows of no turn.
7. The link is lost.

In 2 to 4 the device cancels and says so (`abort`) if the bridge may know of the turn, that is
from `listen start` on, or if it speaks. In the others the bridge knows or cannot be reached.
A new press never waits for the turn before.

What is safe to cancel: everything, at any moment. Leaving listening stops the microphone, leaving
speaking stops the speaker, whatever the reason (flow_state.moved), and stopping twice does
nothing. What is still on its way is known by its turn's id (`over_id`), or, for speech, by coming
before the bridge has accepted another turn or the abort has settled (limits.STALE_MS).
"""

from collections import namedtuple

from session import reply, talk
from session.flow_state import moved, with_, without_turn
from voxwire.session import CONNECTING

NO_BRIDGE = "The bridge does not answer. Check that it is running."

# What happens: a name of RULES, and the value that stands there beside it.
Event = namedtuple("Event", ("name", "value"))

# What to do: a tuple of one of these names and its arguments.
#   move event before after detail    the session has another state; the sentence is for the screen
#   show state detail                 the same state, with another sentence
#   post type values                  a message; its fields
#   abort id reason                   silence, then the message, with the last frame that was heard
#   say_hello                         ask the bridge for a new session
#   configure params                  of the microphone and the speaker
#   start_capture, open_capture, stop_capture                      audio.capture.Capture
#   stop_listening id mode            the rest of the samples, then `listen stop`
#   begin_playback seq, finish_playback seq, stop_playback         audio.playback.Playback
#   hush                              silence, then `played`, with the last frame that was heard
#   transcript text partial, sentence text, progress text, alert title text    screen.view.View
#   log level text


def apply(flow, event: Event, now_ms: int):
    """(the flow_state.Flow after `event`, what to do about it: a tuple of effects in their order).

    `start_capture` comes last, and the next event is its outcome: `microphone_started` or
    `microphone_lost`. An event that means nothing in this state changes nothing.
    """
    rule = _rule(event.name, flow.session.state)
    if event.name in _WORDS:
        flow = with_(flow, bridge_ms=now_ms)
    if rule is not None:
        return rule(flow, event.value, now_ms)
    if event.name in _QUIET:
        return flow, ()
    text = "%s in state %s does nothing" % (event.name, flow.session.state)
    return flow, (("log", "info", text),)


def _rule(name, state):
    for event, states, module, rule in RULES:
        if event == name and state in states:
            if module:
                return getattr(talk if module == "talk" else reply, rule)
            return globals()[rule]
    return None


def _link_up(flow, _, now_ms):
    return moved(flow, "link_up", now_ms)


def _link_down(flow, _, now_ms):
    return moved(without_turn(flow), "link_down", now_ms)


def _hello(flow, sound, now_ms):
    flow, effects = moved(with_(without_turn(flow), aborted_ms=None), "hello", now_ms)
    return flow, effects + (("configure", sound),)


def _warn(flow, reason, now_ms):
    # The link says hello again by itself; the person is warned once.
    reason = reason or NO_BRIDGE
    effects = (("show", CONNECTING, reason), ("log", "warning", reason))
    return with_(flow, warned=True), effects


def _lose_bridge(flow, reason, now_ms):
    reason = reason or NO_BRIDGE
    flow, effects = moved(without_turn(flow), "bridge_lost", now_ms, reason)
    return with_(flow, warned=True), effects + (("log", "warning", reason), ("say_hello",))


# (event, states, module of the rule or "" for this one, rule). Constants alone, with the names of
# the states written out in one text, for none is part of another: on a device with frozen code
# they cost no heap. A comment says what the event's value is, if it has one.
RULES = (
    # The person. `talk_held` and `talk_up` follow a `talk_down`.
    ("talk_down", "idle", "talk", "wake"),
    ("talk_down", "listening", "talk", "press_again"),
    ("talk_down", "thinking", "talk", "cancel"),
    ("talk_down", "speaking", "talk", "interrupt"),
    ("talk_held", "listening", "talk", "hold"),
    ("talk_up", "listening", "talk", "release"),
    # (id, next seq, word): the bridge has heard the wake word in a stream of module wake.
    ("word", "idle thinking speaking", "talk", "word"),
    # The microphone, after `start_capture` and later.
    ("microphone_started", "listening", "talk", "started"),  # the seq of its first frame
    ("microphone_lost", "listening", "talk", "lose_microphone"),
    ("microphone_muted", "listening", "talk", "muted"),
    ("microphone_muted", "thinking", "talk", "hear_no_more"),
    # The link.
    ("link_up", "offline", "", "_link_up"),
    ("link_down", "connecting idle listening thinking speaking", "", "_link_down"),
    # The bridge.
    ("hello", "connecting idle listening thinking speaking", "", "_hello"),  # audio.params.Params
    ("hello_refused", "connecting", "", "_warn"),  # why
    ("goodbye", "connecting idle listening thinking speaking", "", "_lose_bridge"),  # why, or None
    # The message.
    ("turn", "offline connecting idle listening thinking speaking", "reply", "turn"),
    ("stt", "listening thinking speaking", "reply", "transcript"),  # (text, whether partial)
    ("tts_start", "idle", "reply", "announce"),  # the seq of its first frame
    ("tts_start", "listening", "reply", "speak_early"),
    ("tts_start", "thinking", "reply", "speak"),
    ("tts_sentence", "speaking", "reply", "sentence"),  # the text
    ("tts_stop", "speaking", "reply", "end_speech"),  # the message
    # The speaker.
    ("played", "speaking", "reply", "played"),  # audio.playback.Report
    # Time: what limits.due returns. "bridge_lost" has why, or "".
    ("endpoint", "listening", "talk", "end_listening"),
    ("hear_over", "thinking", "talk", "hear_out"),
    ("cancel", "thinking speaking", "talk", "time_out"),
    ("bridge_lost", "connecting", "", "_warn"),
    ("bridge_lost", "listening thinking speaking", "", "_lose_bridge"),
    ("guard_over", "listening", "talk", "guard_over"),
    ("abort_settled", "offline connecting idle listening thinking speaking", "talk", "settle"),
)
_WORDS = ("stt", "tts_start", "tts_sentence", "tts_stop")  # each shows that the bridge is alive
_QUIET = (
    "talk_held",
    "talk_up",
    "link_down",
    "hello_refused",
    "microphone_muted",
)  # no news where they mean nothing
