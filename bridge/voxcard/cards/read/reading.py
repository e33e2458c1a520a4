"""Finds the card in a tool's result: a table of detectors in order of precedence (R-MCP-3)."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from voxcard.cards.dialects import companion, mcp_result
from voxcard.cards.dialects.a2ui import parser as a2ui
from voxcard.cards.dialects.registry import PARSERS
from voxcard.cards.model import Card, CardRefused, Parsed, Warned
from voxcard.cards.read import fences
from voxcard.cards.read.slides import gather
from voxcard.cards.text.key_values import key_values
from voxcard.cards.text.markdown import plain
from voxcard.cards.text.sanitize import BYTES_MAX, URL_MAX
from voxcard.cards.text.twins import complete
from voxcard.json_value import Json

_A2UI_TYPES = ("application/a2ui+json", "application/json+a2ui")
_CHAT_CARD_TOOL = re.compile(r"(?:^|[._/])create_\w+_card$")
_FENCED_MAX = 8  # cards of one text
# Where structured content is the answer itself; else it is the card's source, which nobody reads.
_SPEAK_DATA = ("assistant_platform", "mcp_result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A finished tools/call: its result, what was called, and the A2UI layout it is data for."""

    result: Mapping[str, Json]
    tool: str = ""
    arguments: Mapping[str, Json] | None = None
    template: Json = None


def from_result(
    result: Json,
    *,
    tool: str = "",
    call_id: str = "",
    arguments: Mapping[str, Json] | None = None,
    template: Json = None,
    locale: str = "en",
) -> Parsed:
    """The completed cards of a tools/call result; never raises.

    `template`: what the resource named by `needs_template` holds (its text, its messages or the
    resources/read result). `locale` says how numbers and dates are written; one that nobody knows
    is read as English.
    The first detector whose source gives a card wins. A refused source leaves a `refused` warning
    with its path and lets the next detector try; no card and no warning: there was none.
    """
    if not isinstance(result, dict):
        return Parsed(cards=(), warnings=(_refused(CardRefused("", "a result is an object")),))
    kind = result.get("resultType")
    if kind not in (None, "complete", "input_required"):  # R-MCP-7
        why = CardRefused("resultType", "is unknown to MCP, so the result is invalid")
        return Parsed(cards=(), warnings=(_refused(why),))
    call = Call(result=result, tool=tool, arguments=arguments, template=template)
    warnings: list[Warned] = []
    for dialect, detect in DETECTORS:
        source = detect(call) if dialect in PARSERS else None
        if source is None:
            continue
        card_id = f"{dialect}:{call_id}" if call_id else dialect
        try:
            if dialect == "a2ui":
                parsed = a2ui.parse(source, card_id, template=template, locale=locale)
            else:
                parsed = PARSERS[dialect](source, card_id)
        except CardRefused as refused:
            if not refused.reason.startswith("no card"):
                warnings.append(_refused(refused, dialect))
            continue
        warnings += parsed.warnings
        if parsed.cards:
            said = result_text(result) if dialect in _SPEAK_DATA else _words(result)
            cards = tuple(complete(card, _spoken(said, card)) for card in parsed.cards)
            return Parsed(cards=gather(cards, card_id, said), warnings=tuple(warnings))
    return Parsed(cards=(), warnings=tuple(warnings))


def needs_template(result: Json, tool_meta: Json = None) -> str | None:
    """The `a2ui://` resource whose layout a result is the data of, else None (A2UI over MCP).

    It is named by `_meta` of the result or of the tool (`tool_meta`), or by a resource link. A
    result that brings its own surfaces, or failed, needs none.
    """
    if not isinstance(result, dict) or result.get("isError") is True:
        return None
    call = Call(result=result)
    messages = _a2ui(call)
    if messages is not None and not a2ui.data_only(messages):
        return None
    links = (each.get("uri") for each in _content(call) if each.get("type") == "resource_link")
    named = (*_layout(result.get("_meta")), *_layout(tool_meta), *links)
    uris = (uri for uri in named if isinstance(uri, str) and len(uri) <= URL_MAX)
    return next((uri for uri in uris if uri.startswith("a2ui://")), None)


def _layout(meta: Json) -> tuple[Json, ...]:
    if not isinstance(meta, dict):
        return ()
    ui = meta.get("ui")
    return (ui.get("resourceUri") if isinstance(ui, dict) else None, meta.get("ui/resourceUri"))


def from_text(text: str, card_id: str = "codai") -> tuple[Parsed, str]:
    """Cards of the fenced `codai-card` blocks in a model's text, and the text without them."""
    cards: list[Card] = []
    warnings: list[Warned] = []
    sources, rest = fences.split(text[:BYTES_MAX])
    for index, source in enumerate(sources[:_FENCED_MAX]):
        try:
            parsed = PARSERS["codai"](_json(source), f"{card_id}.{index}")
        except CardRefused as refused:
            warnings.append(_refused(refused, "codai"))
            continue
        cards += [complete(card) for card in parsed.cards]
        warnings += parsed.warnings
    return Parsed(cards=tuple(cards), warnings=tuple(warnings)), rest


def result_text(result: Json) -> str:
    """What a result says in words: its text for the user, else its structured content as
    `key: value` lines (R-MCP-9); maybe empty."""
    if not isinstance(result, dict):
        return ""
    return _words(result) or key_values(result.get("structuredContent"))


def model_text(result: Json, parsed: Parsed) -> str:
    """What the assistant reads: the result's text, else the cards' text twins (R001-72)."""
    if not isinstance(result, dict):
        return ""
    said = _words(result)
    twins = "\n\n".join(card.twin.text for card in parsed.cards)
    return said or twins or mcp_result.visible_text(result) or result_text(result)


def _words(result: Mapping[str, Json]) -> str:
    """The text for the user without the cards that are fenced in it, or are a text of it."""
    content = result.get("content")
    if isinstance(content, list):
        content = [each for each in content[:100] if _sidetalk_text(each) is None]
    said = mcp_result.visible_text({"content": content})
    return fences.split(said[:BYTES_MAX])[1]


def _spoken(said: str, card: Card) -> str:
    """What a result says aloud; where its text is the card's own Markdown, without the markers."""
    return plain(said) if card.twin.markdown and said == card.twin.text else said


def _refused(refused: CardRefused, dialect: str = "") -> Warned:
    path = ": ".join(part for part in (dialect, refused.path) if part)
    return Warned(code="refused", path=path, detail=refused.reason)


def _json(text: str) -> Json:
    """The value in `text`, or None: deep nesting and over-long numbers are no card either."""
    try:
        return json.loads(text) if len(text) <= BYTES_MAX else None
    except (ValueError, RecursionError):
        return None


def _structured(call: Call) -> Mapping[str, Json]:
    content = call.result.get("structuredContent")
    return content if isinstance(content, dict) else {}


def _content(call: Call) -> list[Mapping[str, Json]]:
    content = call.result.get("content")
    entries = content[:100] if isinstance(content, list) else []
    return [each for each in entries if isinstance(each, dict)]


def _platform(call: Call) -> Json:
    meta = call.result.get("_meta")
    ours = meta.get("assistant_platform") if isinstance(meta, dict) else None
    return ours.get("card") if isinstance(ours, dict) else None


def _codai(call: Call) -> Json:
    """A card with blocks, or the one block of `{block, provenance}` (R001-57, R001-66).

    Beside a `block` the result's text is the card's Markdown twin."""
    data = _structured(call)
    card, block, provenance = data.get("card"), data.get("block"), data.get("provenance")
    twin = {"fallback": {"text": _words(call.result)}} if isinstance(block, dict) else {}
    if isinstance(card, dict) and "blocks" in card:
        return (
            {**twin, **card} if provenance is None else {**twin, "provenance": provenance, **card}
        )
    if card is None and isinstance(block, dict):
        return {**twin, "blocks": [block], "provenance": provenance}
    texts = (each["text"] for each in _content(call) if _is_text(each))
    fenced = (source for text in texts for source in fences.split(text[:BYTES_MAX])[0])
    return next((_json(source) for source in fenced), None)


def _is_text(entry: Mapping[str, Json]) -> bool:
    return entry.get("type") == "text" and isinstance(entry.get("text"), str)


def _a2ui(call: Call) -> Json:
    messages = _structured(call).get("a2ui")
    if isinstance(messages, list | dict | str):
        return messages
    texts = [
        str(resource["text"])
        for resource in (entry.get("resource") for entry in _content(call))
        if isinstance(resource, dict)
        and str(resource.get("mimeType")).partition(";")[0].strip().lower() in _A2UI_TYPES
        and isinstance(resource.get("text"), str)
    ]
    if texts:
        return "\n".join(texts)
    return None if call.template is None else _structured(call) or []


def _sidetalk(call: Call) -> Json:
    data = _structured(call)
    if str(data.get("schema")).startswith("sidetalk.card."):
        return data
    found = (_sidetalk_text(entry) for entry in _content(call))
    return next((data for data in found if data is not None), None)


def _sidetalk_text(entry: Json) -> Json:
    """The card that is all of a text entry, or None."""
    if not isinstance(entry, dict) or not _is_text(entry):
        return None
    data = _json(entry["text"]) if "sidetalk.card." in entry["text"] else None
    named = isinstance(data, dict) and str(data.get("schema")).startswith("sidetalk.card.")
    return data if named else None


def _chat_cards(call: Call) -> Json:
    data = _structured(call)
    named = bool(_CHAT_CARD_TOOL.search(call.tool))
    if not (named and data) and not ("card" in data and "parts" in data):
        return None
    return {"tool": call.tool, "arguments": call.arguments or {}, "result": call.result}


def _companion(call: Call) -> Json:
    """Events of a companion in structured content."""
    data = _structured(call)
    events = data.get("events", [data])
    events = events[:100] if isinstance(events, list) else []
    named = [each.get("type") for each in events if isinstance(each, dict)]
    return data if companion.EVENT in named else None


# Highest first: the platform's own card, then by how exactly a form names itself.
DETECTORS: tuple[tuple[str, Callable[[Call], Json]], ...] = (
    ("assistant_platform", _platform),
    ("codai", _codai),
    ("a2ui", _a2ui),
    ("sidetalk", _sidetalk),
    ("mcp_chat_cards", _chat_cards),
    ("companion", _companion),
    ("mcp_result", lambda call: call.result),
)
