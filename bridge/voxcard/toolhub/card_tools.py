"""Tools by which an assistant shows cards; the result is the card's text."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from voxcard.json_value import Json
from voxcard.toolhub.builtin.bridge_tool import BridgeTool
from voxcard.toolhub.model import ToolOutcome, ToolSpec

ANSWER_LIMIT_S = 60.0  # for a person to choose
MARGIN_S = 5.0  # the question says itself that nobody answered, before the hub's limit does
ASKING = ("show_choices", "ask_approval")

# show(device_id, form name, arguments) -> the card in words; ask(...) -> what was answered, ""
# for nobody. Both raise VoxcardError with what the model has to change.
Show = Callable[[str, str, Mapping[str, Json]], Awaitable[str]]

_CARD: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "card": {
            "type": "object",
            "description": "a codai card: title, subtitle, blocks [{type, ...}], actions",
        }
    },
    "required": ["card"],
    "additionalProperties": False,
}
_UPDATE: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "cardId": {"type": "string", "description": "the live.key of a card that was shown"},
        "patch": {"type": "object", "description": "JSON merge patch (RFC 7396) of that card"},
    },
    "required": ["cardId", "patch"],
    "additionalProperties": False,
}


class Form(Protocol):
    """A short form: a few arguments that become a card."""

    @property
    def description(self) -> str:
        """One sentence for the model."""

    @property
    def input_schema(self) -> Mapping[str, Json]:
        """JSON schema of its arguments."""


def tools(
    forms: Mapping[str, Form], *, show: Show, ask: Show, update: Show
) -> Sequence[BridgeTool]:
    """`bridge.show_card`, `bridge.update_card` and one tool for each of `forms`."""
    card_tools = [
        _tool(
            "show_card", "Show a card on the device's screen.", _CARD, _shown(show, "show_card")
        ),
        _tool(
            "update_card",
            "Change a live card where it is on the screen.",
            _UPDATE,
            _shown(update, "update_card"),
        ),
    ]
    for name, form in forms.items():
        call = _asked(ask, name) if name in ASKING else _shown(show, name)
        limit_s = ANSWER_LIMIT_S + MARGIN_S if name in ASKING else None
        card_tools.append(_tool(name, form.description, form.input_schema, call, limit_s))
    return card_tools


def _shown(show: Show, name: str) -> Callable[..., Awaitable[ToolOutcome]]:
    async def call(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        words = await show(device_id, name, arguments)
        text = f"It is on the screen; do not repeat it. It says:\n{words}"
        return ToolOutcome(text=text, result=_result(text))

    return call


def _asked(ask: Show, name: str) -> Callable[..., Awaitable[ToolOutcome]]:
    async def call(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        answer = await ask(device_id, name, arguments)
        text = f"The person answered: {answer}." if answer else "Nobody answered."
        return ToolOutcome(text=text, structured={"answer": answer}, result=_result(text))

    return call


def _tool(
    name: str,
    description: str,
    schema: Mapping[str, Json],
    call: Callable[..., Awaitable[ToolOutcome]],
    limit_s: float | None = None,
) -> BridgeTool:
    spec = ToolSpec(
        name=f"bridge.{name}", description=description, input_schema=schema, source="bridge"
    )
    return BridgeTool(spec=spec, call=call, limit_s=limit_s)


def _result(text: str) -> dict[str, Json]:
    """Words for the model alone: what they quote of a card is not to be shown once more."""
    annotations = {"audience": ["assistant"]}
    content = [{"type": "text", "text": text, "annotations": annotations}]
    return {"content": content, "isError": False}
