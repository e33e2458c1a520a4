"""The state of a conversation on the device, and the steps that its rules are made of.

A rule takes a flow and returns a step: (flow, effects), the effects a tuple.
"""

from collections import namedtuple

from voxwire import session
from voxwire.session import LISTENING, SPEAKING, THINKING

# `base`: seq of the first microphone frame; `mode`: None until it is decided; `asked_ms`: when
# `listen start` was posted, or None; `ending`: the person is done, the bridge has yet to accept.
_TURN = ("id", "base", "mode", "asked_ms", "accepted", "ending")
Turn = namedtuple("Turn", _TURN)  # type: ignore[misc]  # the names are needed once more

# `session`: voxwire's; `turn`: the one that runs or was just played, or None; `over_id`: id of the
# turn before it; `prefix`, `count`: what ids are made of; `bridge_ms`: the bridge's last word;
# `aborted_ms`: the last abort, while its reply may still arrive; `guard_from_ms`: since when the
# echo dies away; `speech`: seq of the first frame of the last speech, or None; `speech_ended`,
# `listen_again`: what its `tts stop` said; `warned`: the person knows that the bridge is missing;
# `hear_ms`: how long the microphone stays on in thinking, 0: it is off.
_FLOW = (
    "session", "turn", "over_id", "prefix", "count", "bridge_ms", "aborted_ms", "guard_ms",
    "guard_from_ms", "speech", "speech_ended", "listen_again", "warned", "hear_ms",
)  # fmt: skip
Flow = namedtuple("Flow", _FLOW)  # type: ignore[misc]

_LEAVING = {LISTENING: (("stop_capture",),), SPEAKING: (("stop_playback",),)}


def start(prefix: str, guard_ms: int, now_ms: int):
    """A flow without a link; its turns are named `prefix`-1, `prefix`-2, …

    `guard_ms`: how long the speaker's echo may last; 0 on a board that hears while it speaks.
    """
    begun = session.start(now_ms)
    values = begun, None, None, prefix, 0, now_ms, None, guard_ms, None, None, False, False
    return Flow(*values, False, 0)  # type: ignore[call-arg]


def with_(flow, **changes):
    """The flow with other values in some fields (MicroPython's namedtuple has no _replace)."""
    return Flow(*_changed(_FLOW, flow, changes))


def with_turn(flow, **changes):
    """The flow whose turn has other values in some fields."""
    return with_(flow, turn=Turn(*_changed(_TURN, flow.turn, changes)))


def _changed(names, values, changes):
    return [changes.get(name, value) for name, value in zip(names, values)]


def new_turn(turn_id: str, mode: "str | None" = None, accepted: bool = False):
    """A turn whose microphone is not on yet; `accepted`: the bridge has begun it."""
    return Turn(turn_id, None, mode, None, accepted, False)  # type: ignore[call-arg]


def without_turn(flow):
    """The flow without a turn, and without a wait for one."""
    over_id = flow.over_id if flow.turn is None else flow.turn.id
    return with_(flow, turn=None, over_id=over_id, guard_from_ms=None)


def numbered(flow):
    """(the flow, a new id)."""
    flow = with_(flow, count=flow.count + 1)
    return flow, "%s-%d" % (flow.prefix, flow.count)


def moved(flow, event: str, now_ms: int, detail: str = ""):
    """The step of a legal move of voxwire's session; `detail` is a sentence for the screen.

    What belongs to a state ends with it, whatever ended the state.
    """
    before = flow.session.state
    after = session.apply(flow.session, event, now_ms)
    leaving = _LEAVING.get(before, ())
    if flow.hear_ms:  # the microphone is on in thinking, too
        leaving = () if after.state in (LISTENING, THINKING) else _LEAVING[LISTENING]
    hear_ms = flow.hear_ms if after.state == THINKING else 0
    flow = with_(flow, session=after, warned=False, hear_ms=hear_ms)
    return flow, leaving + (("move", event, before, after.state, detail),)


def then(step, rule, *arguments):
    """Goes on from a step with another rule; the effects follow each other."""
    flow, effects = rule(step[0], *arguments)
    return flow, step[1] + effects
