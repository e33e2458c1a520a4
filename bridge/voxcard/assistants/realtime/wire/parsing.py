"""Parses what a Realtime server sends; pure.

The names are those of the GA interface; the beta's (which speaches and older servers send) are
read as well. What is not known here is passed over, what is known must have its published shape.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any

from voxcard.assistants.pipeline.chat_server.completion import CALLS_MAX, Call
from voxcard.assistants.realtime.wire.server_events import (
    AudioDelta,
    CallReady,
    Committed,
    ResponseCreated,
    ResponseDone,
    ServerError,
    ServerEvent,
    SessionCreated,
    SpeechStarted,
    SpeechStopped,
    TextDelta,
    TimedOut,
    Transcribed,
    TranscriptionFailed,
)
from voxcard.json_value import Json, JsonObject

_ARGUMENTS_MAX = 100_000  # characters
_RENAMED = {
    "response.audio.delta": "response.output_audio.delta",
    "response.audio_transcript.delta": "response.output_audio_transcript.delta",
    "response.text.delta": "response.output_text.delta",
}


class NoEvent(ValueError):  # noqa: N818 - names the state
    """What came is no event of the Realtime API; its text completes "it ..."."""


Read = Callable[[Mapping[str, Any]], ServerEvent | None]


def parse(message: str | bytes) -> ServerEvent | None:
    """The event of a WebSocket message; None for one that no turn needs. NoEvent for garbage."""
    if isinstance(message, bytes):
        raise NoEvent("sent something binary, where only JSON is due")
    try:
        event = json.loads(message)
    except (ValueError, RecursionError) as error:
        raise NoEvent("sent something that is no JSON") from error
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str):
        raise NoEvent("sent something that is no event of the Realtime API")
    read = _READERS.get(_RENAMED.get(kind, kind))
    try:
        return read(event) if read is not None else None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NoEvent(f"sent an event {kind[:80]!r} that is not of its form") from error


def _text(values: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A text that may be missing or null only where there is a `default`."""
    value = values[name] if default is None else values.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def _number(values: Mapping[str, Any], name: str) -> int:
    value = values[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53:
        raise TypeError(name)
    return round(value)


def _session_created(event: Mapping[str, Any]) -> ServerEvent:
    expires_at = event["session"].get("expires_at")
    known = isinstance(expires_at, int) and not isinstance(expires_at, bool)
    return SessionCreated(expires_at=expires_at if known else 0)


def _transcribed(event: Mapping[str, Any]) -> ServerEvent:
    return Transcribed(item_id=_text(event, "item_id"), text=_text(event, "transcript"))


def _transcribing(event: Mapping[str, Any]) -> ServerEvent:
    text = _text(event, "delta", "")
    return Transcribed(item_id=_text(event, "item_id"), text=text, partial=True)


def _transcription_failed(event: Mapping[str, Any]) -> ServerEvent:
    message = _text(event["error"], "message", "")
    return TranscriptionFailed(item_id=_text(event, "item_id"), message=message)


def _audio(event: Mapping[str, Any]) -> ServerEvent:
    try:
        pcm = base64.b64decode(_text(event, "delta"), validate=True)
    except binascii.Error as error:
        raise TypeError("delta") from error
    return AudioDelta(
        response_id=_text(event, "response_id"),
        item_id=_text(event, "item_id"),
        content_index=_number(event, "content_index"),
        pcm=pcm,
    )


def _words(event: Mapping[str, Any]) -> ServerEvent:
    return TextDelta(response_id=_text(event, "response_id"), text=_text(event, "delta"))


def _item_done(event: Mapping[str, Any]) -> ServerEvent | None:
    call = _call(event["item"])
    if call is None:
        return None
    return CallReady(response_id=_text(event, "response_id"), call=call)


def _call(item: Mapping[str, Any]) -> Call | None:
    """The function call in an item that is complete, None in any other."""
    if item.get("type") != "function_call" or item.get("status") in ("incomplete", "in_progress"):
        return None
    text, name = _text(item, "arguments", "")[: _ARGUMENTS_MAX + 1], _text(item, "name")
    call_id = _text(item, "call_id", "") or _text(item, "id")
    fault, arguments = "", _arguments(text or "{}")
    if arguments is None:
        fault, arguments = "The arguments must be one JSON object.", {}
    return Call(id=call_id, name=name, arguments=arguments, fault=fault)


def _arguments(text: str) -> JsonObject | None:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _response_done(event: Mapping[str, Any]) -> ServerEvent:
    response = event["response"]
    details = response.get("status_details") or {}
    calls = [_call(item) for item in response.get("output") or ()]
    return ResponseDone(
        response_id=_text(response, "id"),
        status=_text(response, "status"),
        reason=_text(details, "reason", ""),
        error=_server_error(details.get("error") or {}),
        calls=tuple(call for call in calls if call is not None)[:CALLS_MAX],
    )


def _server_error(error: Mapping[str, Any]) -> ServerError:
    return ServerError(
        type=_text(error, "type", ""),
        code=_text(error, "code", ""),
        message=_text(error, "message", ""),
        event_id=_text(error, "event_id", ""),
    )


_READERS: Mapping[str, Read] = {
    "session.created": _session_created,
    "input_audio_buffer.speech_started": lambda event: SpeechStarted(
        item_id=_text(event, "item_id"), at_ms=_number(event, "audio_start_ms")
    ),
    "input_audio_buffer.speech_stopped": lambda event: SpeechStopped(
        item_id=_text(event, "item_id"), at_ms=_number(event, "audio_end_ms")
    ),
    "input_audio_buffer.committed": lambda event: Committed(item_id=_text(event, "item_id")),
    "input_audio_buffer.timeout_triggered": lambda event: TimedOut(
        item_id=_text(event, "item_id")
    ),
    "conversation.item.input_audio_transcription.delta": _transcribing,
    "conversation.item.input_audio_transcription.completed": _transcribed,
    "conversation.item.input_audio_transcription.failed": _transcription_failed,
    "response.created": lambda event: ResponseCreated(response_id=_text(event["response"], "id")),
    "response.output_audio.delta": _audio,
    "response.output_audio_transcript.delta": _words,
    "response.output_text.delta": _words,
    "response.output_item.done": _item_done,
    "response.done": _response_done,
    "error": lambda event: _server_error(event["error"]),
}
