"""The voice session as a table that both sides run: its legal moves and their limits.

The events:

- `link_up`, `link_down`: the connection to the broker.
- `hello`: the bridge and the device know each other. `bridge_lost`: the bridge does not answer.
- `wake`: a person begins a turn. `think`: the bridge begins one, without a microphone.
- `endpoint`: the person has said all.
- `speak`: speech begins. `played`: its last sample is out. `asked`: so it is, and the assistant
  waits for an answer.
- `hush`: the bridge silences its own speech, and the turn goes on. `again`: the microphone that
  stayed open hears the next sentence of the turn.
- `abort`: the device ends the turn. `cancel`: a limit or the bridge ends it.
"""

from collections import namedtuple

from voxwire.errors import WireError

OFFLINE, CONNECTING, IDLE = "offline", "connecting", "idle"
LISTENING, THINKING, SPEAKING = "listening", "thinking", "speaking"

# (states, event, next state). Constants alone, with the names above written out: on a device with
# frozen code they cost no heap.
MOVES = (
    (("offline",), "link_up", "connecting"),
    # A hello in a turn means that the other side started anew: the turn is gone.
    (("connecting", "idle", "listening", "thinking", "speaking"), "hello", "idle"),
    (("idle",), "wake", "listening"),
    (("idle", "thinking"), "speak", "speaking"),
    (("idle",), "think", "thinking"),
    (("listening",), "endpoint", "thinking"),
    (("speaking",), "played", "idle"),
    (("speaking",), "asked", "listening"),
    (("speaking",), "hush", "thinking"),
    (("thinking", "speaking"), "again", "listening"),
    (("listening", "thinking", "speaking"), "cancel", "idle"),
    (("listening", "thinking", "speaking"), "abort", "idle"),
    (("connecting", "idle", "listening", "thinking", "speaking"), "link_down", "offline"),
    (("connecting", "idle", "listening", "thinking", "speaking"), "bridge_lost", "connecting"),
)

Limit = namedtuple("Limit", ("ms", "event"))

# How long a state may last, and the event that ends it.
LIMITS = {
    CONNECTING: Limit(10000, "bridge_lost"),
    LISTENING: Limit(30000, "endpoint"),
    THINKING: Limit(60000, "cancel"),
    SPEAKING: Limit(300000, "cancel"),
}
ACCEPT_MS = 3000  # listen start to `turn accepted`; later the bridge is lost
ALIVE_MS = 2000  # how often the bridge shows that a turn is alive
SILENCE_MS = 8000  # without any word of the bridge in a turn: the bridge is lost
MICROPHONE_MS = 2000  # without a microphone frame while listening: the microphone is lost

Session = namedtuple("Session", ("state", "since_ms"))


def start(now_ms: int) -> Session:
    """A session without a link."""
    return Session(OFFLINE, now_ms)


def apply(session: Session, event: str, now_ms: int) -> Session:
    """The session after `event`; WireError, and no change, when the table has no such move."""
    for states, name, state in MOVES:
        if name == event and session.state in states:
            return Session(state, session.since_ms if state == session.state else now_ms)
    raise WireError("session", "%s is not legal in state %s" % (event, session.state))


def overdue(session: Session, elapsed_ms: int) -> "str | None":
    """The event that a limit brings about after `elapsed_ms` in this state, or None."""
    limit = LIMITS.get(session.state)
    return limit.event if limit is not None and elapsed_ms >= limit.ms else None
