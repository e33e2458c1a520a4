"""mcp-chat-cards: animation cards from their arguments, any of its cards from its result."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from voxcard.cards.dialects import mcp_result
from voxcard.cards.dialects.chat.contents import card_blocks
from voxcard.cards.dialects.chat.scenes import prose, scene_blocks
from voxcard.cards.dialects.chat.terms import glossary
from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.dialects.markdown_blocks import Markdown, read
from voxcard.cards.model import (
    Action,
    Block,
    Card,
    CardRefused,
    Parsed,
    Parts,
    Play,
    TextBlock,
    Twin,
    Warned,
)
from voxcard.cards.text.sanitize import TEXT_MAX, check_size, clean, label
from voxcard.json_value import Json, JsonObject

SCENE_MS = 3500
SCENE_MS_MAX = 600_000
PROMPT_MAX = 1000
ACTIONS_MAX = 40
ASK_MAX = 3  # terms that one may ask more about
SELECTION = "{{selection}}"
MARKDOWN_TOOL = "create_markdown_card"
_STILL_TOOL = re.compile(r"create_(?!animation_)\w{1,40}_card$")


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """The card of `{"tool", "arguments"?, "result"?}`; CardRefused without what it must have.

    A result must hold a card, and `parts.hasMore` alone says whether more of it was withheld;
    what the card only names is in the call's arguments. Without a result they are the card, with
    a title and, in an animation, scenes. Inside them everything is lenient. Widgets and embedded
    HTML are never looked at: the result's text stands for them.
    """
    if not isinstance(source, dict):
        raise CardRefused("", "must be a JSON object with a tool and its arguments or result")
    check_size(source)
    arguments, result = _object(source.get("arguments")), source.get("result")
    tool = str(source.get("tool") or "")
    if result is not None:
        card, warnings = _from_result(arguments, _object(result), tool, card_id)
    elif "scenes" in arguments or not _STILL_TOOL.search(tool):
        card, warnings = _animation(arguments, card_id, strict=True)
    else:
        card, warnings = _from_call(arguments, tool, card_id), []
    return Parsed(cards=(card,), warnings=tuple(warnings))


CardAndWarnings = tuple[Card, list[Warned]]


def _object(value: Any) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _from_call(arguments: JsonObject, tool: str, card_id: str) -> Card:
    """A card of its call alone."""
    content, _ = _whole(arguments, arguments, "", tool)
    if not content.blocks:
        raise CardRefused("", "the arguments hold nothing that can be shown")
    named = {"title": content.title} if content.title else {}
    return replace(_card({**named, **arguments}, card_id, content), extra={"tool": tool})


def _from_result(
    arguments: JsonObject, result: JsonObject, tool: str, card_id: str
) -> CardAndWarnings:
    structured = _object(result.get("structuredContent"))
    card = structured.get("card")
    if not isinstance(card, dict):
        raise CardRefused("card", "is missing: structuredContent.card must be a JSON object")
    data = {**arguments, **card}
    parts = _parts(structured.get("parts"), arguments)
    text = mcp_result.visible_text(result)
    warnings: list[Warned] = []
    if isinstance(data.get("scenes"), list):
        shown, warnings = _animation(data, card_id, strict=False, said=text)
    else:
        # A part of what the arguments hold says itself what it is.
        source = card if parts.total > 1 else data
        content, more = _whole(data, source, text, tool)
        shown = _card(data, card_id, content, said="" if more else text)
    if "display" in structured:
        warnings.append(Warned(code="dropped", path="display", detail="a widget is never run"))
    extra = {"tool": tool} if tool else {}
    twin = replace(shown.twin, markdown=tool.endswith(MARKDOWN_TOOL))
    return replace(shown, parts=parts, twin=twin, extra=extra), warnings


def _content(data: JsonObject, said: str) -> Markdown:
    """What the result says; a Markdown card's text as its blocks and links."""
    texts = (said, data.get("markdown"), data.get("text"))
    return _read(str(next(filter(_has_words, texts), "")), titled=False)


def _read(text: str, *, titled: bool) -> Markdown:
    text = clean(text)[:TEXT_MAX]
    return read(text, titled=titled) if text else Markdown(title="", blocks=(), links=())


def _has_words(text: Json) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _whole(data: JsonObject, source: JsonObject, said: str, tool: str) -> tuple[Markdown, bool]:
    """The result's text and what `source` holds besides (rows, values, fields), which a text that
    only says what was shown leaves out (R003-17); whether there is any of it."""
    document = source.get("markdown")
    if tool.endswith(MARKDOWN_TOOL):
        if not _has_words(document) or document == said:
            return _content(data, said), False
        return _read(str(document), titled="title" not in data), True
    content = _content(data, said)
    texts = {block.text for block in content.blocks if isinstance(block, TextBlock)}
    rest = tuple(
        entry
        for entry in card_blocks(source)
        if not (isinstance(entry, TextBlock) and entry.text in texts)
    )
    whole = Markdown(title="", blocks=(*content.blocks, *rest), links=content.links)
    return whole, bool(rest)


def _animation(data: JsonObject, card_id: str, *, strict: bool, said: str = "") -> CardAndWarnings:
    """A card of timed scenes; lenient ones may end as the result's text."""
    title, scenes = _title(data), data.get("scenes")
    if not isinstance(scenes, list) or (strict and not scenes):
        raise CardRefused("scenes", "must be a list with at least one scene")
    play, warnings = _play(data, scenes, title)
    if play.scenes:
        blocks = tuple(block for scene in play.scenes for block in scene)
        content = Markdown(title="", blocks=blocks, links=())
        return _card(data, card_id, content, play=play), warnings
    if strict:
        raise CardRefused("scenes", "hold nothing that can be shown")
    return _card(data, card_id, _content(data, said), said=said), warnings


def _play(data: JsonObject, scenes: list[Json], title: str) -> tuple[Play, list[Warned]]:
    """The scenes that have something to show, and a warning for each that has not."""
    each_ms = _ms(data.get("sceneDurationMs"), SCENE_MS)
    warnings: list[Warned] = []
    shown: list[tuple[Block, ...]] = []
    times: list[int] = []
    for index, scene in enumerate(scenes):
        if blocks := scene_blocks(scene, title):
            own = _object(scene)
            shown.append(blocks)
            times.append(_ms(own.get("duration", own.get("durationMs")), each_ms))
        else:
            path = f"scenes.{index}"
            warnings.append(Warned(code="dropped", path=path, detail="has nothing to show"))
    auto, loop = data.get("autoplay") is not False, data.get("loop") is True
    play = Play(scenes=tuple(shown), durations_ms=tuple(times), auto=auto, loop=loop)
    return play, warnings


def _card(
    data: JsonObject, card_id: str, content: Markdown, *, said: str = "", play: Play | None = None
) -> Card:
    title = _title(data)
    subtitle = data.get("subtitle")
    subtitle = label(subtitle) if isinstance(subtitle, str) else ""
    terms = glossary(data.get("tutorTerms"), (title, subtitle, *prose(content.blocks)))
    return Card(
        id=card_id,
        dialect="mcp_chat_cards",
        title=title,
        subtitle=subtitle,
        blocks=content.blocks,
        actions=(*content.links, *_actions(data.get("contextActions"), title), *_questions(terms)),
        twin=Twin(text=said, authored=frozenset({"text"} if said else ())),
        play=play,
        glossary=terms,
        parts=Parts(current=1, total=1, has_more=False),
    )


def _title(data: JsonObject) -> str:
    title = data.get("title")
    if not isinstance(title, str) or not label(title):
        raise CardRefused("title", "must be text, and not empty")
    return label(title)


def _ms(value: Any, default: int) -> int:
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    return max(1, int(value)) if usable and 0 < value <= SCENE_MS_MAX else default


def _actions(actions: Any, title: str) -> Iterator[Action]:
    """Context actions as messages; a device selects nothing, so the title is what was meant."""
    for index, action in enumerate(actions[:ACTIONS_MAX] if isinstance(actions, list) else ()):
        name, prompt = _object(action).get("label"), _object(action).get("prompt")
        if isinstance(name, str) and isinstance(prompt, str) and label(name) and prompt.strip():
            text = clean(prompt).replace(SELECTION, title)[:PROMPT_MAX]
            yield Action(id=f"c{index}", label=label(name), kind="message", text=text)


def _questions(terms: tuple[tuple[str, str], ...]) -> Iterator[Action]:
    for index, (term, _) in enumerate(terms[:ASK_MAX]):
        text = f"Tell me more about {term}."
        yield Action(id=f"t{index}", label=f"More: {term}", kind="message", text=text)


def _parts(parts: Any, arguments: JsonObject) -> Parts:
    """`parts` of a result; an older server's, without it, is one whole (R003-18)."""
    data = _object(parts)
    current, total = _count(data.get("current")), _count(data.get("total"))
    more = data.get("hasMore") is True
    return Parts(
        current=current,
        total=max(current + more, total),
        has_more=more,
        next_call={**arguments, "part": current + 1} if more else None,
    )


def _count(value: Any) -> int:
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if usable and 1 <= value <= 10_000 else 1
