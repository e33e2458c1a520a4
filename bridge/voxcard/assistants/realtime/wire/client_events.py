"""The events that we send, as OpenAI publishes the Realtime API (GA); pure.

An event's `event_id` comes back in the error it leads to. Its first word is the kind of event, so
that an error of one that may fail (`MAY_FAIL`) ends no turn.
"""

import base64
import json
from collections.abc import Sequence

from voxcard.assistants.pipeline.chat_server.tool_names import ToolNames
from voxcard.config import Realtime
from voxcard.json_value import Json, JsonObject

RATE_HZ = 24000  # the one rate of audio/pcm, both ways
_FORMAT: JsonObject = {"type": "audio/pcm", "rate": RATE_HZ}
# What they are about may be over on the server before they come there.
# Simple servers take no item of the system's; an answer without the time is one too.
MAY_FAIL = ("truncate", "cancel", "cancelled", "clear", "time")
_EXACTLY = "Read this text aloud, word for word, in its own language. Add nothing: "
_SAID_MAX = 8_000  # characters of one text that is read aloud
_SPOKEN = "(The person said something that was not written down.)"


def session_update(session: JsonObject) -> JsonObject:
    """Change what `session` names; the rest stays as it is."""
    return {"type": "session.update", "session": {"type": "realtime", **session}}


def opening(settings: Realtime) -> dict[str, Json]:
    """What stays for the whole of a session. A voice cannot change once it spoke."""
    output: dict[str, Json] = {"format": dict(_FORMAT)}
    if settings.voice:
        output["voice"] = settings.voice
    return {"output_modalities": ["audio"], "audio": {"output": output}}


def audio_input(settings: Realtime, detection: Json, locale: str) -> dict[str, Json]:
    """How the microphone is heard; `detection` is one of `turn_detection`'s, None: by hand."""
    heard: dict[str, Json] = {"format": dict(_FORMAT), "turn_detection": detection}
    if settings.noise_reduction != "off":
        heard["noise_reduction"] = {"type": settings.noise_reduction}
    if settings.transcription_model:
        language = locale.replace("_", "-").partition("-")[0].lower()
        heard["transcription"] = {"model": settings.transcription_model, "language": language}
    return heard


def turn_detection(settings: Realtime, *, is_open: bool) -> JsonObject:
    """Who finds the end of speech: the server, by silence or by what was said.

    Only where the microphone stays open may speech interrupt an answer, and silence ask for one.
    """
    shared: dict[str, Json] = {"create_response": True, "interrupt_response": is_open}
    if settings.turn_detection == "semantic_vad":
        return {"type": "semantic_vad", "eagerness": settings.eagerness, **shared}
    if is_open and settings.idle_timeout_ms:
        shared["idle_timeout_ms"] = settings.idle_timeout_ms
    return {"type": "server_vad", "silence_duration_ms": settings.end_of_speech_ms, **shared}


def tools(names: ToolNames) -> list[Json]:
    """The functions that the model may call."""
    return [{"type": "function", **each["function"]} for each in names.definitions()]


def append(pcm: bytes) -> JsonObject:
    """A piece of the microphone: pcm16 mono at RATE_HZ."""
    return {"type": "input_audio_buffer.append", "audio": base64.b64encode(pcm).decode()}


def commit() -> JsonObject:
    return {"type": "input_audio_buffer.commit"}


def clear() -> JsonObject:
    return {"type": "input_audio_buffer.clear"}


def create_item(item: JsonObject) -> JsonObject:
    return {"type": "conversation.item.create", "item": item}


def user_text(text: str) -> JsonObject:
    return _message("user", "input_text", text)


def time_is(moment: str) -> JsonObject:
    """Tell the model what time it is by now."""
    item = _message("system", "input_text", f"It is now {moment}.")
    return {**create_item(item), "event_id": "time"}


def user_picture(data: bytes, mime_type: str) -> JsonObject:
    """The item of a picture; JPEG and PNG are what every server takes."""
    url = f"data:{mime_type};base64,{base64.b64encode(data).decode()}"
    content: Json = [{"type": "input_image", "image_url": url}]
    return {"type": "message", "role": "user", "content": content}


def call_output(call_id: str, output: str) -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def cancelled(call_id: str) -> JsonObject:
    """Nobody makes this call: a call without an output would stay open."""
    return {**create_item(call_output(call_id, "Cancelled.")), "event_id": "cancelled"}


def truncate(item_id: str, content_index: int, audio_end_ms: int) -> JsonObject:
    """Forget what of an answer nobody heard, sound and words."""
    return {
        "type": "conversation.item.truncate",
        "item_id": item_id,
        "content_index": content_index,
        "audio_end_ms": audio_end_ms,
    }


def cancel(response_id: str) -> JsonObject:
    return {"type": "response.cancel", "response_id": response_id}


def respond(*, tools: bool = True, instructions: str = "") -> JsonObject:
    """Ask for an answer; without `tools` it cannot call any."""
    response: dict[str, Json] = {}
    if not tools:
        response["tool_choice"] = "none"
    if instructions:
        response["instructions"] = instructions
    return {"type": "response.create", **({"response": response} if response else {})}


def read_aloud(text: str) -> JsonObject:
    """Have `text` spoken beside the conversation, which does not remember it."""
    response: dict[str, Json] = {
        "conversation": "none",
        "input": [user_text(_EXACTLY + text[:_SAID_MAX])],
        "tool_choice": "none",
        "output_modalities": ["audio"],
    }
    return {"type": "response.create", "response": response}


def remembered(messages: Sequence[JsonObject]) -> list[JsonObject]:
    """The items of an earlier talk (messages of a chat), for a session that begins anew."""
    items: list[JsonObject] = []
    for message in messages:
        text = str(message["content"])
        if message["role"] == "user":
            items.append(user_text(text or _SPOKEN))
        elif message["role"] == "tool":
            items.append(call_output(str(message["tool_call_id"]), text))
        else:
            if text:
                items.append(_message("assistant", "output_text", text))
            items += [_call(each) for each in message.get("tool_calls") or ()]
    return items


def _message(role: str, kind: str, text: str) -> JsonObject:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _call(call: JsonObject) -> JsonObject:
    function: JsonObject = call["function"]
    name, arguments = function["name"], function["arguments"]
    return {
        "type": "function_call",
        "call_id": call["id"],
        "name": name,
        "arguments": arguments,
    }


def encoded(event: JsonObject, event_id: str) -> str:
    """The text that goes over the wire."""
    return json.dumps({**event, "event_id": event_id})
