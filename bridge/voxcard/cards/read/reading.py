"""Reads a tool's result once: its cards, what it says, and the layout it asks for (R-MCP-3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voxcard.cards.dialects import mcp_result
from voxcard.cards.dialects.a2ui import parser as a2ui
from voxcard.cards.dialects.context import LOCALE, NO_CONTEXT, Context
from voxcard.cards.model import Card, CardRefused, NoCard, Parsed, Warned
from voxcard.cards.read import fences, result_sources
from voxcard.cards.read.call import Call, loaded
from voxcard.cards.read.dialects import DIALECTS
from voxcard.cards.read.slides import gather
from voxcard.cards.text.data.foreign_text import read_data
from voxcard.cards.text.data.key_values import key_values
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import BYTES_MAX, URL_MAX
from voxcard.cards.text.twins import complete
from voxcard.json_value import Json, JsonObject

_FENCED_MAX = 8  # cards of one text
_RESULT_TYPES = (None, "complete", "input_required")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a result, a text or a card's source holds.

    `cards` are completed. `text` is what the assistant reads; `speak` is its spoken form, empty
    if the text itself may be spoken. `needs_template` is the uri of the `a2ui://` resource that
    holds the layout for the result's data: read again with it, the result has that layout's cards.
    """

    cards: tuple[Card, ...] = ()
    text: str = ""
    speak: str = ""
    needs_template: str | None = None
    warnings: tuple[Warned, ...] = ()


def read(
    result: Json,
    *,
    tool: str = "",
    call_id: str = "",
    arguments: JsonObject | None = None,
    tool_meta: JsonObject | None = None,
    template: Json = None,
    locale: str = LOCALE,
) -> Reading:
    """Reads a tools/call result; never raises.

    `arguments` are those of the call, `tool_meta` the `_meta` of the tool's description, and
    `template` is what the resource named by `needs_template` holds. `locale` says how numbers
    and dates are written. The first dialect with a card wins; a source that is refused leaves a
    warning with its path. A result without a card has neither cards nor warnings.
    """
    if not isinstance(result, dict):
        return Reading(warnings=(_refused(CardRefused("", "a result is an object")),))
    call = Call(result, tool=tool, arguments=arguments, template=template)
    if result.get("resultType") in _RESULT_TYPES:
        cards, warnings = _cards(call, call_id, Context(template=template, locale=locale))
    else:  # R-MCP-7
        reason = CardRefused("resultType", "is unknown to MCP, so the result is invalid")
        cards, warnings = (), [_refused(reason)]
    text = _text(call, cards)
    said = cards[0].twin.speak if cards else _said(call)
    return Reading(
        cards=cards,
        text=text,
        speak=said if cards or said != text else "",
        needs_template=_needed_template(call, tool_meta),
        warnings=tuple(warnings),
    )


def read_text(text: str, card_id: str = "codai") -> Reading:
    """Reads the fenced `codai-card` blocks of a model's text; `text` is the rest of it."""
    cards: list[Card] = []
    warnings: list[Warned] = []
    sources, rest = fences.split(text[:BYTES_MAX])
    for index, source in enumerate(sources[:_FENCED_MAX]):
        try:
            card = loaded(source)
            parsed = DIALECTS["codai"].parse(card, f"{card_id}.{index}", NO_CONTEXT)
        except CardRefused as refused:
            warnings.append(_refused(refused, "codai"))
            continue
        cards += map(complete, parsed.cards)
        warnings += parsed.warnings
    return Reading(cards=tuple(cards), text=rest, warnings=tuple(warnings))


def _cards(
    call: Call, call_id: str, context: Context
) -> tuple[tuple[Card, ...], Sequence[Warned]]:
    """The cards of the first dialect that has any, and the warnings of all dialects tried."""
    warnings: list[Warned] = []
    for name, dialect in DIALECTS.items():
        source = dialect.in_result(call)
        if source is None:
            continue
        card_id = f"{name}:{call_id}" if call_id else name
        parsed = _parsed(name, source, card_id, context)
        warnings += parsed.warnings
        if parsed.cards:
            words = _said(call) if dialect.data_is_answer else call.words
            cards = tuple(complete(card, _spoken(words, card)) for card in parsed.cards)
            return gather(cards, card_id, words), warnings
    return (), warnings


def _parsed(name: str, source: Json, card_id: str, context: Context) -> Parsed:
    """What a dialect reads from its source; a refusal is a warning."""
    try:
        return DIALECTS[name].parse(source, card_id, context)
    except NoCard:
        return Parsed(cards=())
    except CardRefused as refused:
        return Parsed(cards=(), warnings=(_refused(refused, name),))


def _said(call: Call) -> str:
    """What the result says in words: its text without Markdown, HTML and JSON, else its
    structured content as `key: value` lines (R-MCP-9)."""
    if not call.words:
        return key_values(read_data(call.result.get("structuredContent")).value)
    resources = [entry for entry in call.entries if entry.get("type") == "resource"]
    return mcp_result.words({"content": [{"type": "text", "text": call.words}, *resources]})


def _text(call: Call, cards: Sequence[Card]) -> str:
    """The result's text, else the cards' text twins (R001-72), else its data in words."""
    twins = "\n\n".join(card.twin.text for card in cards)
    return call.words or twins or mcp_result.visible_text(call.result) or _said(call)


def _spoken(words: str, card: Card) -> str:
    """The words to speak; without markers if they are the card's own Markdown."""
    return plain(words) if card.twin.markdown and words == card.twin.text else words


def _refused(refused: CardRefused, dialect: str = "") -> Warned:
    path = ": ".join(part for part in (dialect, refused.path) if part)
    return Warned(code="refused", path=path, detail=refused.reason)


def _needed_template(call: Call, tool_meta: JsonObject | None) -> str | None:
    """The `a2ui://` resource that `_meta` of the result or of the tool, or a resource link, names
    (A2UI over MCP). A result that brings its own surfaces, or failed, needs none."""
    if call.template is not None or call.result.get("isError") is True:
        return None
    messages = result_sources.a2ui(call)
    if messages is not None and not a2ui.data_only(messages):
        return None
    uris = (uri for uri in _named(call, tool_meta) if isinstance(uri, str) and len(uri) <= URL_MAX)
    return next((uri for uri in uris if uri.startswith("a2ui://")), None)


def _named(call: Call, tool_meta: JsonObject | None) -> Iterator[Json]:
    """The uris that may be of a layout, the result's own first."""
    for meta in (call.result.get("_meta"), tool_meta):
        if isinstance(meta, dict):
            ui = meta.get("ui")
            yield ui.get("resourceUri") if isinstance(ui, dict) else None
            yield meta.get("ui/resourceUri")
    for entry in call.entries:
        if entry.get("type") == "resource_link":
            yield entry.get("uri")
