"""The bridge's own tools."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from voxcard.json_value import Json
from voxcard.toolhub.model import ToolOutcome, ToolSpec

Call = Callable[[str, Mapping[str, Json]], Awaitable[ToolOutcome]]

_NO_ARGUMENTS: Mapping[str, Json] = {
    "type": "object",
    "properties": {},
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeTool:
    """A tool of the bridge: `call(device_id, arguments)`; it fails by VoxcardError.

    `limit_s` is how long it may take, where it waits for a person.
    """

    spec: ToolSpec
    call: Call
    limit_s: float | None = None


def tools(
    *, show_last_card: Callable[[str], Awaitable[str]], now: Callable[[], datetime]
) -> Sequence[BridgeTool]:
    """The bridge's tools.

    `show_last_card(device_id)` shows the newest kept card and returns its title, or raises
    VoxcardError when there is none; `now()` is the home's local time.
    """
    return (_last_card_tool(show_last_card), _time_tool(now))


def _last_card_tool(show_last_card: Callable[[str], Awaitable[str]]) -> BridgeTool:
    async def last_card(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        title = await show_last_card(device_id)
        text = f"Here is {title} again." if title else "Here it is again."
        return ToolOutcome(text=text, result=_text_result(text))

    return _tool(
        "bridge.show_last_card",
        "Show the last result card on the screen again.",
        last_card,
        "(show|open) [me] [the] last (card|result) [again]",
        "show (it|that|the card|the result) again",
    )


def _time_tool(now: Callable[[], datetime]) -> BridgeTool:
    async def get_time(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        time = now()
        text = f"It is {time:%H:%M} on {time:%A}, {time.day} {time:%B %Y}."
        structured = {"time": time.isoformat(timespec="seconds")}
        result = {**_text_result(text), "structuredContent": structured}
        return ToolOutcome(text=text, structured=structured, result=result)

    return _tool(
        "bridge.get_time",
        "Get the local time and date.",
        get_time,
        "what time is it [now]",
        "what is the time [now]",
        "what (day|date) is it [today]",
    )


def _tool(name: str, description: str, call: Call, *sentences: str) -> BridgeTool:
    spec = ToolSpec(
        name=name,
        description=description,
        input_schema=_NO_ARGUMENTS,
        source="bridge",
        sentences={"en": sentences},
    )
    return BridgeTool(spec=spec, call=call)


def _text_result(text: str) -> dict[str, Json]:
    return {"content": [{"type": "text", "text": text}], "isError": False}
