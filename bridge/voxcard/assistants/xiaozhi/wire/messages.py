"""Messages of the xiaozhi protocol as values; pure.

Shapes: 78/xiaozhi-esp32, docs/websocket.md section 4. What is missing or of a wrong type makes a
message be ignored, as the firmware does.
"""

import json
from dataclasses import dataclass

from voxcard.json_value import Json, JsonObject
from voxcard.text_safety import safe_text

MESSAGE_MAX = 8192  # bytes of a message of ours; a gateway to MQTT in between takes no more
TEXT_MAX = 4000  # characters kept of a text


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The server's greeting; `format` of the audio, "" where it does not say."""

    transport: str
    session_id: str
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stt:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tts:
    """`state` is start, sentence_start or stop; `text` that of a sentence."""

    state: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Llm:
    emotion: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mcp:
    payload: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    status: str
    message: str
    emotion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Goodbye:
    session_id: str


Message = Hello | Stt | Tts | Llm | Mcp | System | Alert | Goodbye
TTS_STATES = frozenset({"start", "sentence_start", "stop"})


def read(text: str | bytes) -> Message | None:
    """The message in a text frame, None for what is to be ignored."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # servers echo what is no JSON, too
        return None
    return _message(data) if isinstance(data, dict) else None


def write(session_id: str, kind: str, **values: Json) -> str:
    """A message of ours: compact JSON of ASCII."""
    return json.dumps({"session_id": session_id, "type": kind, **values}, separators=(",", ":"))


def hello(version: int) -> str:
    """What we say first: 16 kHz Opus comes from us, tools are served by MCP."""
    audio = {"format": "opus", "sample_rate": 16000, "channels": 1, "frame_duration": 60}
    return json.dumps(
        {
            "type": "hello",
            "version": version,
            "features": {"mcp": True},
            "transport": "websocket",
            "audio_params": audio,
        }
    )


def _message(data: JsonObject) -> Message | None:
    match data.get("type"):
        case "hello":
            audio = data.get("audio_params")
            audio_format = _text(audio, "format") if isinstance(audio, dict) else None
            return Hello(
                transport=_text(data, "transport") or "",
                session_id=_text(data, "session_id") or "",
                format=audio_format or "",
            )
        case "stt":
            text = _text(data, "text")
            return None if text is None else Stt(text=text)
        case "tts":
            state = data.get("state")
            if not isinstance(state, str) or state not in TTS_STATES:
                return None
            return Tts(state=state, text=_text(data, "text") or "")
        case "llm":
            emotion = _text(data, "emotion")
            return (
                None if emotion is None else Llm(emotion=emotion, text=_text(data, "text") or "")
            )
        case "mcp":
            payload = data.get("payload")
            return Mcp(payload=payload) if isinstance(payload, dict) else None
        case "goodbye":
            return Goodbye(session_id=_text(data, "session_id") or "")
        case _:
            return _order(data)


def _order(data: JsonObject) -> System | Alert | None:
    """What the server wants of the device itself."""
    if data.get("type") == "system":
        command = _text(data, "command")
        return None if command is None else System(command=command)
    if data.get("type") == "alert":
        status, message = _text(data, "status"), _text(data, "message")
        emotion = _text(data, "emotion")
        if status is not None and message is not None and emotion is not None:
            return Alert(status=status, message=message, emotion=emotion)
    return None


def _text(data: JsonObject, key: str) -> str | None:
    value = data.get(key)
    return safe_text(value[: 2 * TEXT_MAX])[:TEXT_MAX] if isinstance(value, str) else None
