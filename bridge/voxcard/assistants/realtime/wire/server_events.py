"""The events of a Realtime server that a turn acts on."""

from dataclasses import dataclass

from voxcard.assistants.pipeline.chat_server.completion import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCreated:
    expires_at: int = 0  # s since 1970; 0: not said


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechStarted:
    item_id: str
    at_ms: int  # of all audio of the session, as in SpeechStopped


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechStopped:
    item_id: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    item_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut:
    """Nobody spoke for `idle_timeout_ms`; a response follows."""

    item_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcribed:
    """What was said in the item; `partial`: a further piece of it."""

    item_id: str
    text: str
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionFailed:
    item_id: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseCreated:
    response_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioDelta:
    response_id: str
    item_id: str
    content_index: int
    pcm: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """Words of the answer: of its speech, or written only."""

    response_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReady:
    response_id: str
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerError:
    """`event_id` is that of our event, if one led to it."""

    type: str = ""
    code: str = ""
    message: str = ""
    event_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseDone:
    """`status` is completed, cancelled, failed or incomplete; `reason` says why not completed."""

    response_id: str
    status: str
    reason: str = ""
    error: ServerError = ServerError()
    calls: tuple[Call, ...] = ()


ServerEvent = (
    SessionCreated
    | SpeechStarted
    | SpeechStopped
    | Committed
    | TimedOut
    | Transcribed
    | TranscriptionFailed
    | ResponseCreated
    | AudioDelta
    | TextDelta
    | CallReady
    | ResponseDone
    | ServerError
)
