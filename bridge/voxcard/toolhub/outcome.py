"""Reads a `tools/call` result into a ToolOutcome."""

import base64
import binascii
from collections.abc import Mapping, Sequence

from voxcard.cards.text.data.key_values import key_values
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.model import Picture, ToolOutcome


def failed(text: str) -> ToolOutcome:
    """The outcome of a call that did not work; `text` says why in a sentence."""
    return ToolOutcome(
        text=text,
        is_error=True,
        result={"content": [{"type": "text", "text": text}], "isError": True},
    )


def read(name: str, result: Mapping[str, Json]) -> ToolOutcome:
    """The outcome in a result of tool `name`; VoxcardError when MCP does not know its type."""
    kind = result.get("resultType", "complete")
    if kind not in ("complete", "input_required"):
        raise VoxcardError(f"{name} sent a result of an unknown type.", "It is ignored.")
    blocks = [block for block in _list(result.get("content")) if _is_for_people(block)]
    is_error = result.get("isError") is True
    structured = result.get("structuredContent")
    text = "\n".join(filter(None, map(_text, blocks)))
    if kind == "input_required":
        text = _questions(result) or text
    if not text and structured is not None:
        text = key_values(structured)
    if not text and is_error:
        text = f"{name} failed and did not say why."
    return ToolOutcome(
        text=text,
        is_error=is_error,
        structured=structured,
        pictures=tuple(picture for block in blocks for picture in _pictures(block)),
        result=result,
    )


def progress_text(done: float, total: float | None, message: str | None) -> str:
    """One line for a screen from a progress notification."""
    if message:
        return message
    return f"{done:g} of {total:g}" if total else f"{done:g}"


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _is_for_people(block: Json) -> bool:
    """False for content marked for the assistant alone, which is neither shown nor spoken."""
    if not isinstance(block, Mapping):
        return False
    annotations = block.get("annotations")
    audience = annotations.get("audience") if isinstance(annotations, Mapping) else None
    return not isinstance(audience, list) or not audience or "user" in audience


def _text(block: Mapping[str, Json]) -> str:
    if block.get("type") == "text":
        return str(block.get("text", ""))
    resource = block.get("resource")
    # Other embedded text is data for a card (a2ui, HTML), not words.
    if isinstance(resource, Mapping) and resource.get("mimeType") == "text/plain":
        return str(resource.get("text", ""))
    return ""


def _pictures(block: Mapping[str, Json]) -> Sequence[Picture]:
    data, mime_type = block.get("data"), block.get("mimeType")
    if block.get("type") != "image" or not isinstance(data, str) or not data:
        return ()
    try:
        picture = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return ()
    return (Picture(data=picture, mime_type=str(mime_type or "application/octet-stream")),)


def _questions(result: Mapping[str, Json]) -> str:
    """The questions that an unfinished call asks, one on a line."""
    requests = result.get("inputRequests")
    questions = requests.values() if isinstance(requests, Mapping) else ()
    params = [question.get("params") for question in questions if isinstance(question, Mapping)]
    messages = (param.get("message") for param in params if isinstance(param, Mapping))
    return "\n".join(str(message) for message in messages if message)
