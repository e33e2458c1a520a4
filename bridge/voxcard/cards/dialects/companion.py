"""companion.skill_card: what a skill's own template says, as Markdown text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.dialects.markdown_blocks import read
from voxcard.cards.model import Card, CardRefused, NoCard, Parsed, Provenance, Twin, Warned
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import TEXT_MAX, check_size, clean
from voxcard.json_value import Json

EVENT = "companion.skill_card"
SCOPE = "skills.execute"
NAMES = ("skill", "skill_name", "skillName")

# `{{price}}`, `{{ user.name }}`, `{{{raw}}}`, and a template's `{{f {a} b}}`.
_PLACEHOLDER = re.compile(
    r"[ \t]?\{{2,4}[^{}]{0,300}\}{2,4}"
    r"|\{\{[^\n{}]{0,200}(?:\{[^\n{}]{0,100}\}[^\n{}]{0,200}){1,3}\}\}"
)

Event = Mapping[str, Any]


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """The cards of a list of events, or of `{"scopes", "events"}`, in the order of their `seq`.

    NoCard when there is no card event (the skill has no template). CardRefused when the session
    lacks the scope, or when none of the cards can be shown; a bad one beside a good one is
    dropped with a warning.
    """
    check_size(source)
    _check_scope(source)
    card_events = [event for event in ordered(source) if event.get("type") == EVENT]
    if not card_events:
        raise NoCard("", "no card: there is no companion.skill_card event")
    return _parsed(card_events, card_id)


def _check_scope(source: Json) -> None:
    if isinstance(source, dict) and "scopes" in source:
        scopes = source["scopes"]
        if not isinstance(scopes, list) or SCOPE not in scopes:
            raise CardRefused("scopes", f"the session lacks the scope {SCOPE}")


def _parsed(card_events: Sequence[Event], card_id: str) -> Parsed:
    cards: list[Card] = []
    warnings: list[Warned] = []
    refusals: list[CardRefused] = []
    for index, event in enumerate(card_events):
        name = f"{card_id}.{index}" if len(card_events) > 1 else card_id
        try:
            cards.append(_card(event, name, warnings))
        except CardRefused as refused:
            refusals.append(refused)
    if not cards:
        raise refusals[0]
    warnings += [
        Warned(code="dropped", path=refusal.path, detail=refusal.reason) for refusal in refusals
    ]
    return Parsed(cards=tuple(cards), warnings=tuple(warnings))


def ordered(source: Any) -> list[Event]:
    """The events by `seq`, each once; one without `seq` stays behind the one it came after."""
    if isinstance(source, dict):
        source = source.get("events", [source])
    rows: list[Any] = source if isinstance(source, list) else []
    events: list[Event] = [event for event in rows if isinstance(event, dict)]
    placed: list[tuple[float, Event]] = []
    seen: set[int] = set()
    last = float("-inf")
    for event in events:
        number = seq(event)
        if number is not None and number in seen:
            continue
        if number is not None:
            seen.add(number)
            last = number
        placed.append((last, event))
    return [event for _, event in sorted(placed, key=lambda each: each[0])]


def seq(event: Event) -> int | None:
    """An event's place in the session, or None."""
    number = event.get("seq")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _card(event: Event, card_id: str, warnings: list[Warned]) -> Card:
    payload = event.get("payload")
    text = _text(payload, warnings)
    shown = read(text, html=False)  # R004-04
    skill = next(_names(payload), "")
    return Card(
        id=card_id,
        dialect="companion",
        title=shown.title,
        blocks=shown.blocks,
        actions=shown.links,
        twin=Twin(text=text, markdown=True),  # the card itself, not words made for a voice
        provenance=Provenance(source=skill) if skill else None,
        trust="author",
        extra={"seq": seq(event)},
    )


def _text(payload: Any, warnings: list[Warned]) -> str:
    """The Markdown of a card; CardRefused when there is none."""
    text = payload.get("markdown") if isinstance(payload, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise CardRefused("payload.markdown", "must be text, and not empty")
    if len(text) > TEXT_MAX:
        warnings.append(Warned(code="truncated", path="payload.markdown", detail="is too long"))
    text = stripped(clean(text[:TEXT_MAX]))
    if not plain(text, html=False).strip(" \n#*_-+>|`~"):
        raise CardRefused("payload.markdown", "is empty without the placeholders left in it")
    return text


def _names(payload: Any) -> Iterator[str]:
    for key in NAMES:
        name = payload.get(key)
        if isinstance(name, str) and name.strip():
            yield clean(name.strip())


def _blank(match: re.Match[str]) -> str:
    """A blank before a placeholder goes with it, but not the one that parts two words."""
    following = match.string[match.end() : match.end() + 1]
    return match[0][0] if match[0][0] in " \t" and following.isalnum() else ""


def stripped(text: str) -> str:
    """`text` without placeholders nobody filled, wherever they stand (R004-05)."""
    for _ in range(8):  # one within another is rare, deeper ones are an attack
        text, count = _PLACEHOLDER.subn(_blank, text)
        if not count:
            return text
    return text.replace("{{", "").replace("}}", "")
