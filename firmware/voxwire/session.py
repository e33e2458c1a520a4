"""The voice session as a table that both sides run: its legal moves and their limits.

The events:

- `link_up`, `link_down`: the connection to the broker.
- `hello`: the bridge and the device know each other. `bridge_lost`: the bridge does not answer.
- `wake`: a person begins a turn. `think`: the bridge begins one, without a microphone.
- `endpoint`: the person has said all.
- `speak`: speech begins. `played`: its last sample is out. `asked`: so it is, and the assistant
  waits for an answer.
- `abort`: the device ends the turn. `cancel`: a limit or the bridge ends it.
"""

from collections import namedtuple

from voxwire.errors import WireError

OFFLINE, CONNECTING, IDLE = "offline", "connecting", "idle"
LISTENING, THINKING, SPEAKING = "listening", "thinking", "speaking"

# (state, event) -> next state.
MOVES = {
    (OFFLINE, "link_up"): CONNECTING,
    (CONNECTING, "hello"): IDLE,
    (IDLE, "hello"): IDLE,
    (IDLE, "wake"): LISTENING,
    (IDLE, "speak"): SPEAKING,
    (IDLE, "think"): THINKING,
    (LISTENING, "endpoint"): THINKING,
    (LISTENING, "cancel"): IDLE,
    (LISTENING, "abort"): IDLE,
    (THINKING, "speak"): SPEAKING,
    (THINKING, "cancel"): IDLE,
    (THINKING, "abort"): IDLE,
    (SPEAKING, "played"): IDLE,
    (SPEAKING, "asked"): LISTENING,
    (SPEAKING, "cancel"): IDLE,
    (SPEAKING, "abort"): IDLE,
}
for _state in (CONNECTING, IDLE, LISTENING, THINKING, SPEAKING):
    MOVES[(_state, "link_down")] = OFFLINE
    MOVES[(_state, "bridge_lost")] = CONNECTING
for _state in (LISTENING, THINKING, SPEAKING):
    # A hello in a turn means that the other side started anew: the turn is gone.
    MOVES[(_state, "hello")] = IDLE

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
    state = MOVES.get((session.state, event))
    if state is None:
        raise WireError("session", "%s is not legal in state %s" % (event, session.state))
    return Session(state, session.since_ms if state == session.state else now_ms)


def overdue(session: Session, elapsed_ms: int) -> "str | None":
    """The event that a limit brings about after `elapsed_ms` in this state, or None."""
    limit = LIMITS.get(session.state)
    return limit.event if limit is not None and elapsed_ms >= limit.ms else None
