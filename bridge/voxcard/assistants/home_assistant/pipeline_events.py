"""The events of an Assist pipeline's run, as frozen values; pure.

homeassistant/components/assist_pipeline (models.py, run.py, default_pipeline.py), 2025.4 to
2026.11: what an older one leaves out has the default here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from voxcard.assistants.home_assistant.messages import Malformed, object_of, text_of
from voxcard.json_value import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    """`handler`: first byte of every frame of audio. `url`: where the sound of the answer will
    be, of versions that say it at once."""

    handler: int | None
    conversation_id: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SttStart:
    """`vad`: Home Assistant finds the end of speech itself, and says so."""

    vad: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VadStart:
    at_ms: int  # from the first sample


@dataclass(frozen=True, slots=True, kw_only=True)
class VadEnd:
    at_ms: int  # from the first sample, the silence that ended it included


@dataclass(frozen=True, slots=True, kw_only=True)
class SttEnd:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentStart:
    """From here on the agent may act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentProgress:
    """A piece of the agent's log. `role`: a new message of it begins; `content`: text of the
    message at hand. `streaming`: the sound at the url of RunStart has begun."""

    role: str = ""
    content: str = ""
    streaming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentEnd:
    """`error`: the agent's own code of what went wrong, such as "no_intent_match"."""

    text: str
    error: str
    conversation_id: str
    continues: bool  # the agent asked something and waits for the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsStart:
    text: str  # of a streamed answer only the last message of it


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsEnd:
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """Nothing follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunError:
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Of a wake word, or of a kind not known here."""

    type: str


PipelineEvent = (
    RunStart
    | SttStart
    | VadStart
    | VadEnd
    | SttEnd
    | IntentStart
    | IntentProgress
    | IntentEnd
    | TtsStart
    | TtsEnd
    | RunEnd
    | RunError
    | Other
)


def parse_event(event: JsonObject) -> PipelineEvent:
    """The event of a run; raises Malformed."""
    kind = text_of(event, "type")
    read = _READERS.get(kind)
    return read(object_of(event, "data")) if read else Other(type=kind)


def _run_start(data: JsonObject) -> RunStart:
    handler = object_of(data, "runner_data").get("stt_binary_handler_id")
    if handler is not None and (
        not isinstance(handler, int) or isinstance(handler, bool) or not 1 <= handler <= 255
    ):
        raise Malformed("a stt_binary_handler_id that is none")
    return RunStart(
        handler=handler,
        conversation_id=text_of(data, "conversation_id"),
        url=text_of(object_of(data, "tts_output"), "url"),
    )


def _stt_start(data: JsonObject) -> SttStart:
    external = object_of(data, "audio_processing").get("requires_external_vad", True)
    return SttStart(vad=external is not False)


def _progress(data: JsonObject) -> IntentProgress:
    delta = object_of(data, "chat_log_delta")
    return IntentProgress(
        role=text_of(delta, "role"),
        content=_content(delta.get("content")),
        streaming=data.get("tts_start_streaming") is True,
    )


def _content(content: Json) -> str:
    # Of other roles it may be any shape.
    return content if isinstance(content, str) else ""


def _intent_end(data: JsonObject) -> IntentEnd:
    output = object_of(data, "intent_output")
    response = object_of(output, "response")
    speech = object_of(object_of(response, "speech"), "plain")
    failed = response.get("response_type") == "error"
    return IntentEnd(
        text=text_of(speech, "speech"),
        error=(text_of(object_of(response, "data"), "code") or "unknown") if failed else "",
        conversation_id=text_of(output, "conversation_id"),
        continues=output.get("continue_conversation") is True,
    )


def _milliseconds(data: JsonObject) -> int:
    at_ms = data.get("timestamp", 0)
    if not isinstance(at_ms, int | float) or isinstance(at_ms, bool) or not 0 <= at_ms < 1e9:
        raise Malformed("a timestamp that is none")
    return round(at_ms)


_READERS: Mapping[str, Callable[[JsonObject], PipelineEvent]] = {
    "run-start": _run_start,
    "stt-start": _stt_start,
    "stt-vad-start": lambda data: VadStart(at_ms=_milliseconds(data)),
    "stt-vad-end": lambda data: VadEnd(at_ms=_milliseconds(data)),
    "stt-end": lambda data: SttEnd(text=text_of(object_of(data, "stt_output"), "text")),
    "intent-start": lambda _: IntentStart(),
    "intent-progress": _progress,
    "intent-end": _intent_end,
    "tts-start": lambda data: TtsStart(text=text_of(data, "tts_input")),
    "tts-end": lambda data: TtsEnd(url=text_of(object_of(data, "tts_output"), "url")),
    "run-end": lambda _: RunEnd(),
    "error": lambda data: RunError(
        code=text_of(data, "code") or "unknown_error", message=text_of(data, "message")
    ),
}
