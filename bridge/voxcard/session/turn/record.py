"""Record of a finished turn, for history, log and watchers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from voxcard.json_value import Json
from voxcard.toolhub.model import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a turn: what the assistant got back, in how many ms, with its pictures."""

    name: str
    arguments: Mapping[str, Json]
    text: str
    is_error: bool
    ms: int
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """A finished turn, or one sentence of several in it with its answer.

    `kind`: voice, text, say (an announcement) or begun (by the assistant itself).

    `stages_ms` holds stages.times; `frames_up` microphone frames received, `frames_lost`
    those that never came, `frames_down` speaker frames sent; `last_seq_sent` and `last_seq_played`
    are None without speech; `error` is the sentence the person got, empty when all went well;
    `recording` is the microphone's sound (pcm16 at 16 kHz) where it is kept.
    """

    device: str
    session: str
    turn: str
    kind: str
    at_s: float  # Unix time of its start
    transcript: str = ""
    reply: str = ""
    tools: tuple[ToolCall, ...] = ()
    cards: tuple[str, ...] = ()
    stages_ms: Mapping[str, int] = field(default_factory=dict)
    frames_up: int = 0
    frames_lost: int = 0
    frames_down: int = 0
    last_seq_sent: int | None = None
    last_seq_played: int | None = None
    interrupted: bool = False
    error: str = ""
    recording: bytes = field(default=b"", repr=False)
