"""Live cards: a patch by key redraws a card where it is, or changes nothing (R001-06 to 15)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from voxcard.cards.dialects.codai import parser as codai
from voxcard.cards.live.merge_patch import merge
from voxcard.cards.model import Card, CardRefused, Twin
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import check_size, label
from voxcard.cards.text.twins import build_text, complete
from voxcard.json_value import Json

CARDS_MAX = 32  # live cards that can still be updated; the one shown longest ago goes first
PATCHED = "codai"  # the dialect whose cards are updated by patches
LINE_MAX = 60
LINE_EVERY_MS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An applied update: the card as it is now, and the short line that says what changed.

    Without `redraw` nothing that is drawn changed, the revision stayed and the line is empty.
    """

    card: Card
    line: str
    redraw: bool


LiveKey = tuple[str, str, str]  # dialect, who sent it, key


class LiveCards:
    """The cards of one device that can be updated, by their key.

    The key of a codai card is the session's: whoever knows it may update the card. That of
    another dialect (an A2UI surface's id) is its sender's own.
    """

    def __init__(self) -> None:
        self._cards: dict[LiveKey, Card] = {}

    def show(self, card: Card, sender: str = "") -> Card:
        """Remember a card of `sender` that is about to be shown, and give it as it shall be shown.

        A card without a key is left as it is. One whose key is known takes the place of the
        earlier one: its id, and the next revision.
        """
        if not card.live_key or (card.dialect == PATCHED and "source" not in card.extra):
            return card
        key = (card.dialect, "" if card.dialect == PATCHED else sender, card.live_key)
        known = self._cards.pop(key, None)
        card = complete(card)
        if known is not None:
            card = replace(card, id=known.id, revision=known.revision + 1)
        self._cards[key] = card
        while len(self._cards) > CARDS_MAX:
            del self._cards[next(iter(self._cards))]
        return card

    def get(self, key: str) -> Card | None:
        """The card that an update with this key changes, as it is now."""
        return self._cards.get((PATCHED, "", key))

    def update(self, event: Json) -> Change:
        """Apply `{cardId, patch}` (or a session event with this as its payload).

        CardRefused, with the path of the reason, when it is ignored: an unknown card, another
        key, or a patch that makes an invalid card. The card then stays as it was.
        """
        card_key, patch = _payload(event)
        before = self.get(card_key)
        if before is None:
            raise CardRefused("cardId", "unknown card")
        if not isinstance(patch, dict):
            raise CardRefused("patch", "must be a JSON object")
        check_size(patch)
        source = before.extra["source"]
        merged = merge(source, patch)
        if merged == source:
            return Change(card=before, line="", redraw=False)
        live = merged.get("live")
        if not isinstance(live, dict) or live.get("key") != card_key:
            raise CardRefused("live.key", "must not change; an update keeps the card's key")
        parsed = codai.parse(_without_stale_twins(merged, patch), before.id)
        after = complete(parsed.cards[0])
        redraw = _drawn(after) != _drawn(before)
        after = replace(after, revision=before.revision + redraw)
        self._cards[PATCHED, "", card_key] = after
        return Change(card=after, line=changed_line(before, after) if redraw else "",
                      redraw=redraw)  # fmt: skip


def _payload(event: Json) -> tuple[str, Json]:
    if isinstance(event, dict) and event.get("kind") == "card_update":
        event = event.get("payload")
    if not isinstance(event, dict) or not isinstance(event.get("cardId"), str):
        raise CardRefused("cardId", "must be text: the live key of a card")
    return event["cardId"], event.get("patch")


def _without_stale_twins(merged: Mapping[str, Json], patch: Mapping[str, Json]) -> Json:
    """The card without the twins that the patch did not bring (R001-10): whoever wrote them, a
    host or an author, wrote them for the card as it was."""
    kept = dict(merged)
    for part, names in (("fallback", ("text", "speak")), ("a11y", ("summary",))):
        twins, patched = kept.get(part), patch.get(part)
        if isinstance(twins, dict):
            fresh = patched if isinstance(patched, dict) else {}
            kept[part] = {
                key: value for key, value in twins.items() if key not in names or key in fresh
            }
    return kept


def _drawn(card: Card) -> Card:
    """The card without the fields that no screen shows."""
    return replace(card, revision=0, extra={}, warnings=(), twin=Twin(), label="", summary="")


def changed_line(before: Card, after: Card) -> str:
    """`title: what changed`, at most 60 characters: the subtitle, else the first new line."""
    if after.title != before.title and after.title:
        line = f"{after.title}: {after.subtitle}" if after.subtitle else after.title
    else:
        what = _what(before, after)
        line = f"{after.title}: {what}" if after.title else what
    if len(line) <= LINE_MAX:
        return line
    head = line[: LINE_MAX - 1]
    words = head.rsplit(" ", 1)[0]
    return (words if len(words) > LINE_MAX // 2 else head).rstrip() + "…"


def _what(before: Card, after: Card) -> str:
    if after.subtitle and after.subtitle != before.subtitle:
        return after.subtitle
    old = set(_lines(before))
    new = (label(line).lstrip("•- ") for line in _lines(after) if line not in old)
    return next((line for line in new if line and "://" not in line), "updated")


def _lines(card: Card) -> list[str]:
    body = replace(card, title="", subtitle="", provenance=None)
    return plain(build_text(body)).split("\n")


class StatusLines:
    """Lines about changes for one device: one at a time, at most one in 2 s, the latest of each
    card."""

    def __init__(self) -> None:
        self._waiting: dict[str, str] = {}
        self._free_at_ms: int | None = None

    def put(self, card_id: str, line: str) -> None:
        """Add a line; an earlier one of the same card that was not said yet is forgotten."""
        if line:
            self._waiting[card_id] = line

    def take(self, now_ms: int) -> str:
        """The line to say at `now_ms` (any clock that only goes forward), or an empty one."""
        if not self._waiting or self.wait_ms(now_ms):
            return ""
        self._free_at_ms = now_ms + LINE_EVERY_MS
        return self._waiting.pop(next(iter(self._waiting)))

    def wait_ms(self, now_ms: int) -> int | None:
        """How long until `take` gives a line, 0 for now; None when none waits."""
        if not self._waiting:
            return None
        return 0 if self._free_at_ms is None else max(0, self._free_at_ms - now_ms)
