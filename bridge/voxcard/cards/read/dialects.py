"""The table of dialects: how each is recognised, alone or in a result, and what parses it."""

from collections.abc import Callable
from dataclasses import dataclass

from voxcard.cards.dialects import assistant_platform, companion, mcp_result, sidetalk
from voxcard.cards.dialects.a2ui import parser as a2ui
from voxcard.cards.dialects.chat import cards as chat
from voxcard.cards.dialects.codai import parser as codai
from voxcard.cards.dialects.context import Context
from voxcard.cards.model import Parsed, Warned
from voxcard.cards.read import result_sources, untagged
from voxcard.cards.read.call import Call
from voxcard.cards.text.twins import is_empty
from voxcard.json_value import Json

# The source, the id the card shall have (of several cards the n-th gets `<id>.<n>`), and the
# context of the source. It raises CardRefused and nothing else.
Parser = Callable[[Json, str, Context], Parsed]


def _showing(parse: Parser) -> Parser:
    """`parse` without the cards that have nothing to show; each leaves a warning."""

    def parse_showing(source: Json, card_id: str, context: Context) -> Parsed:
        parsed = parse(source, card_id, context)
        kept = tuple(card for card in parsed.cards if not is_empty(card))
        if len(kept) == len(parsed.cards):
            return parsed
        empty = Warned(code="empty", path="", detail="has nothing to show")
        return Parsed(cards=kept, warnings=(*parsed.warnings, empty))

    return parse_showing


def _as_it_is(source: Json) -> Json:
    return source


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One form that cards are written in.

    `in_result(call)` finds the source for `parse` in a result. `looks(source)` recognises a source
    that stands alone, and `source(alone)` turns it into the form that `parse` takes. `list_key`
    is the key of the object that a list of messages or events belongs in. `data_is_answer`: the
    structured content answers by itself, so it is spoken if the result has no text; in the other
    dialects it is the source of the card.
    """

    parse: Parser
    in_result: Callable[[Call], Json]
    looks: Callable[[Json], bool]
    source: Callable[[Json], Json] = _as_it_is
    list_key: str = ""
    data_is_answer: bool = False


def _codai_source(alone: Json) -> Json:
    """The card of `{block, provenance}`, which is what a data tool's structured content holds."""
    if isinstance(alone, dict) and "block" in alone and "blocks" not in alone:
        return result_sources.codai(Call({"structuredContent": alone})) or alone
    return alone


def _chat_source(alone: Json) -> Json:
    """The call that makes the card of an object with scenes."""
    if isinstance(alone, dict) and "scenes" in alone:
        return {"tool": "create_animation_card", "arguments": alone}
    return alone


# By precedence in a result: the platform's own card, then by how exactly a form names itself.
# A source that stands alone is of the last dialect that recognises it: a title, a text or blocks
# are words of many forms, while the keys of the later rows are their own.
DIALECTS: dict[str, Dialect] = {
    "assistant_platform": Dialect(
        parse=_showing(assistant_platform.parse),
        in_result=result_sources.assistant_platform,
        looks=untagged.holds("title", "fallback_text", "v"),
        data_is_answer=True,
    ),
    "codai": Dialect(
        parse=_showing(codai.parse),
        in_result=result_sources.codai,
        looks=untagged.holds("blocks", "block"),
        source=_codai_source,
    ),
    "a2ui": Dialect(
        parse=_showing(a2ui.parse),
        in_result=result_sources.a2ui,
        looks=untagged.is_a2ui,
        list_key="messages",
    ),
    "sidetalk": Dialect(
        parse=_showing(sidetalk.parse),
        in_result=result_sources.sidetalk,
        looks=untagged.holds("schema", "cardType"),
    ),
    "mcp_chat_cards": Dialect(
        parse=_showing(chat.parse),
        in_result=result_sources.chat_cards,
        looks=untagged.holds("scenes", "tool"),
        source=_chat_source,
    ),
    "companion": Dialect(
        parse=_showing(companion.parse),
        in_result=result_sources.companion_events,
        looks=untagged.is_companion,
        list_key="events",
    ),
    "mcp_result": Dialect(
        parse=_showing(mcp_result.parse),
        in_result=result_sources.whole,
        looks=untagged.is_result,
        data_is_answer=True,
    ),
}


def dialect_of(source: Json) -> str:
    """The name of the dialect of a source that stands alone; empty when it looks like none."""
    return next((name for name in reversed(DIALECTS) if DIALECTS[name].looks(source)), "")
