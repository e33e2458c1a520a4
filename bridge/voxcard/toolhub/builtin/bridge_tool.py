"""A tool of the bridge: what it is, and the call."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from voxcard.json_value import Json
from voxcard.toolhub.model import ToolOutcome, ToolSpec

Call = Callable[[str, Mapping[str, Json]], Awaitable[ToolOutcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeTool:
    """A tool of the bridge: `call(device_id, arguments)`; it fails by VoxcardError.

    `limit_s` is how long it may take, where it waits for a person.
    """

    spec: ToolSpec
    call: Call
    limit_s: float | None = None


def described(
    name: str,
    description: str,
    call: Call,
    *sentences: str,
    required: bool = True,
    **properties: Json,
) -> BridgeTool:
    """`bridge.NAME` with arguments of these schemas, all of them `required` or none."""
    schema: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if properties and required:
        schema["required"] = list(properties)
    spec = ToolSpec(
        name=f"bridge.{name}",
        description=description,
        input_schema=schema,
        source="bridge",
        sentences={"en": sentences},
    )
    return BridgeTool(spec=spec, call=call)


def outcome(text: str, structured: dict[str, Json] | None = None) -> ToolOutcome:
    """A result that says `text` and holds `structured`."""
    result: dict[str, Json] = {"content": [{"type": "text", "text": text}], "isError": False}
    if structured is not None:
        result["structuredContent"] = structured
    return ToolOutcome(text=text, structured=structured, result=result)
