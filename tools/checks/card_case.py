"""One card case: from a dialect's input to what the cases' `expect` keys speak of."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import count

from voxcard.cards.dialects import companion
from voxcard.cards.dialects.context import NO_CONTEXT
from voxcard.cards.fit.fit import Fitted, fit
from voxcard.cards.live.live_card import LINE_EVERY_MS, LiveCards, StatusLines
from voxcard.cards.model import (
    Card,
    CardRefused,
    ImageBlock,
    KeyValueBlock,
    ListBlock,
    Parsed,
    TextBlock,
)
from voxcard.cards.read.dialects import DIALECTS
from voxcard.cards.read.reading import Reading, read, read_text
from voxcard.cards.text.links import links
from voxcard.cards.text.twins import complete, messaging_text
from voxcard.json_value import Json
from voxwire import card as wire
from voxwire.capability import Screen

from tools.checks.card_surface import Narrowed, kind, narrowed

NOW = 1_796_000_000.0  # what time it is in a case without a `now`
# A common panel with a font for Latin and Greek and Cyrillic.
SCREEN = Screen(
    240,
    240,
    16,
    "rect",
    116,
    (8, 16),
    ((32, 0x52F), (0x1E00, 0x1EFF)),
    ("text", "qr", "choices"),
    picture_bytes=0,
)


@dataclass
class Outcome:
    """What came of a case; the cards' values are those of the first card."""

    cards: Sequence[Card] = ()
    warnings: int = 0
    reason: str = ""
    said: str = ""  # the result's own text
    model_text: str = ""
    remaining_text: str = ""
    applied: int | None = None
    ignored: int | None = None
    status: Sequence[str] = ()
    after: Mapping[str, Json] = field(default_factory=dict)
    order: Sequence[int] = ()
    same_card_id: bool = True
    new_messages: int = 0
    widget_executed: bool = False  # nothing here could
    profile: Mapping[str, Json] = field(default_factory=dict)
    now: float = NOW

    @property
    def accepted(self) -> bool:
        return bool(self.cards) if self.applied is None else self.applied > 0

    @property
    def card(self) -> Card:
        return self.cards[0] if self.cards else Card(id="", dialect="")

    status_lines = property(lambda self: len(self.status))
    a11y = property(lambda self: {"label": self.card.label, "summary": self.card.summary})
    title = property(lambda self: self.card.title)
    titles = property(lambda self: [card.title for card in self.cards])
    subtitle = property(lambda self: self.card.subtitle)
    label = property(lambda self: self.card.label)
    locale = property(lambda self: self.card.locale)
    direction = property(lambda self: self.card.direction)
    messaging_text = property(lambda self: messaging_text(self.card))
    glossary = property(lambda self: [list(row) for row in self.card.glossary])
    term_hits = property(lambda self: len(self.card.glossary))
    first_hit = property(lambda self: self.card.glossary[0][0] if self.card.glossary else None)
    loop = property(lambda self: self.card.play is not None and self.card.play.loop)
    image_inline = property(lambda self: bool(self.card.image and self.card.image.data))

    @property
    def fallback_text(self) -> str:
        return self.card.twin.text if self.cards else self.said

    @property
    def speak(self) -> str:
        return self.card.twin.speak if self.cards else self.said

    @property
    def text(self) -> str:
        texts = (block.text for block in self.card.blocks if isinstance(block, TextBlock))
        return next(texts, "")

    @property
    def fields(self) -> list[list[str]]:
        blocks = (block for block in self.card.blocks if isinstance(block, KeyValueBlock))
        return [list(row) for block in blocks for row in block.rows]

    @property
    def rows(self) -> list[list[str]]:
        blocks = (block for block in self.card.blocks if isinstance(block, ListBlock))
        return [[item.title, item.detail] for block in blocks for item in block.items]

    @property
    def urls(self) -> list[str]:
        return [link.url for card in self.cards for link in links(card)]

    @property
    def insecure_urls(self) -> list[str]:
        return [link.url for card in self.cards for link in links(card) if link.insecure]

    @property
    def messages(self) -> list[str]:
        buttons = (action for card in self.cards for action in card.actions)
        return [action.text for action in buttons if action.kind == "message"]

    @property
    def primary(self) -> Json:
        first = self.card.actions[0] if self.card.actions else None
        kinds = {"link": "url"}
        return first and {"kind": kinds.get(first.kind, first.kind), "label": first.label}

    @property
    def image(self) -> str | None:
        blocks = (block.image for block in self.card.blocks if isinstance(block, ImageBlock))
        picture = self.card.image or next(blocks, None)
        return picture.url if picture else None

    @cached_property
    def fitted(self) -> list[Fitted]:
        """The cards on a 240x240 panel, in the order they would be paged through."""
        ids = count(1).__next__
        return [fit(each.card, SCREEN, now=self.now, next_blob=ids) for each in self.narrowed]

    @property
    def device(self) -> list[wire.Card]:
        return [fitted.card for fitted in self.fitted]

    @property
    def narrowed(self) -> Sequence[Narrowed]:
        """The cards as the case's surface draws them."""
        if not self.profile:
            return [Narrowed(card=card) for card in self.cards]
        draws, blocks_max = self.profile["draws"], self.profile.get("max_blocks", 24)
        return [narrowed(card, draws, blocks_max) for card in self.cards]

    @property
    def device_blocks(self) -> list[str]:
        return [kind(block) for each in self.narrowed for block in each.card.blocks]

    @property
    def pages(self) -> int:
        return max((len(card.pages) for card in self.device), default=0)

    @property
    def sizes(self) -> list[int]:
        """The bytes of each card's JSON, without inline pictures, which have their own budget."""
        return [len(json.dumps(_plain(card), ensure_ascii=False).encode()) for card in self.cards]

    @property
    def device_text(self) -> str:
        pages = (page for card in self.device for page in card.pages)
        return "\n".join(text for page in pages for text in (_text(page.title), *_words(page)))

    @property
    def device_says_more(self) -> bool:
        return any(
            [card.left_out for card in self.fitted] + [card.left_out for card in self.narrowed]
        )

    @property
    def badge(self) -> str:
        return self.device[0].foot if self.device else ""

    @property
    def scene_ms(self) -> list[int]:
        return list(self.card.play.durations_ms) if self.card.play else []

    @property
    def parts(self) -> Json:
        parts = self.card.parts
        keys = ("current", "total", "hasMore")
        return parts and dict(zip(keys, (parts.current, parts.total, parts.has_more), strict=True))

    @property
    def next_call(self) -> Json:
        return self.card.parts.next_call if self.card.parts else None


def _plain(value: Json) -> Json:
    """A card or a part of it as JSON, what is empty left out."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((each.name, getattr(value, each.name)) for each in fields(value))
        return {name: _plain(own) for name, own in pairs if own and name != "extra"}
    if isinstance(value, tuple | frozenset):
        return [_plain(each) for each in value]
    return "" if isinstance(value, bytes) else value


def _words(page: Json) -> Iterator[str]:
    yield from (line.text for line in page.lines)
    yield from (_text(option.label) for option in getattr(page, "options", ()))


def _text(words: Json) -> str:
    """A title or a label, where it is no strip."""
    return words if isinstance(words, str) else ""


def _outcome(parsed: Parsed | Reading, said: str = "") -> Outcome:
    cards = tuple(complete(card, said) for card in parsed.cards)
    reasons = " ".join(f"{each.path}: {each.detail}" for each in parsed.warnings)
    reason = "" if cards else reasons or "no card"
    return Outcome(cards=cards, warnings=len(parsed.warnings), reason=reason, said=said)


def _parse(dialect: str, source: Json, said: str = "") -> Outcome:
    try:
        return _outcome(DIALECTS[dialect].parse(source, dialect, NO_CONTEXT), said)
    except CardRefused as refused:
        return Outcome(reason=str(refused), said=said)
    except KeyError:
        return Outcome(reason=f"no parser for {dialect} is registered")


def _result(result: Json, tool: str = "") -> Outcome:
    reading = read(result, tool=tool, call_id="1")
    outcome = _outcome(reading, reading.speak or reading.text)
    outcome.model_text = reading.text
    return outcome


def _codai(source: Json) -> Outcome:
    if "text" in source:
        reading = read_text(source["text"])
        outcome = _outcome(reading)
        outcome.remaining_text = reading.text
    elif "result" in source:
        outcome = _result(source["result"])
    else:
        outcome = _parse("codai", source.get("card"))
    outcome.profile = source.get("profile") or {}
    outcome.now = moment(source.get("now"))
    return outcome


def _codai_live(source: Json) -> Outcome:
    """Updates one after the other, with time between them to say each status line."""
    shown = _parse("codai", source["card"])
    live = LiveCards()
    versions = [live.show(shown.card)]
    lines = StatusLines()
    status: list[str] = []
    reasons: list[str] = []
    for index, event in enumerate(source["updates"]):
        try:
            change = live.update(event)
        except CardRefused as refused:
            reasons.append(str(refused))
            continue
        versions.append(change.card)
        lines.put(change.card.id, change.line)
        status += filter(None, [lines.take(index * LINE_EVERY_MS)])
    return replace(
        shown,
        cards=versions[-1:],
        reason=shown.reason or " ".join(reasons),
        applied=len(versions) - 1,
        ignored=len(reasons),
        status=status,
        after=versions[-1].extra["source"] if versions[1:] else source["card"],
        same_card_id=len({card.id for card in versions}) == 1,
    )


def moment(now: Json) -> float:
    """A case's `now`: ISO 8601, or seconds."""
    return datetime.fromisoformat(now).timestamp() if isinstance(now, str) else now or NOW


def _a2ui(source: Json) -> Outcome:
    if "result" in source:
        return _result(source["result"])
    return _parse("a2ui", source["messages"])


def _chat_cards(source: Json) -> Outcome:
    reading = read(source.get("result"))
    said = reading.speak or reading.text
    return _parse("mcp_chat_cards", source, said)


def _companion(source: Json) -> Outcome:
    """What the companion says itself are its messages; a card adds to them."""
    events = companion.ordered(source)
    payloads = [event["payload"] for event in events if event["type"] == "companion.message"]
    outcome = _parse("companion", source)
    outcome.said = " ".join(payload["text"] for payload in payloads)
    outcome.order = [event["seq"] for event in events if "seq" in event]
    return outcome


# How a dialect's `input` reaches the parsers.
ADAPTERS: dict[str, Callable[[Json], Outcome]] = {
    "assistant_platform": _result,
    "mcp_result": _result,
    "codai": _codai,
    "codai_live": _codai_live,
    "a2ui": _a2ui,
    "mcp_chat_cards": _chat_cards,
    "companion": _companion,
}


def run(dialect: str, source: Json) -> Outcome:
    """The outcome of a case's input in `dialect`."""
    adapter = ADAPTERS.get(dialect)
    return adapter(source) if adapter else _parse(dialect, source)
