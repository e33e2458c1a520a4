"""Cuts a card down to finished pages for one screen, within the wire's budget."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit import carousel
from voxcard.cards.fit.codes import ShortLink
from voxcard.cards.fit.ink import Drawer, Resource
from voxcard.cards.fit.plan import Pictures, Plan
from voxcard.cards.model import Card, Warned


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The card for one device and the blobs that go before it."""

    card: wire.Card
    blobs: tuple[Resource, ...]
    warnings: tuple[Warned, ...]


def fit(
    card: Card,
    screen: Screen,
    *,
    now: float,
    mode: str = "full",
    next_blob: Callable[[], int],
    short_link: ShortLink = lambda url: None,
    images: Pictures | None = None,
    drawer: Drawer | None = None,
) -> Fitted:
    """The pages of `card` for `screen`: at most 24 of them and 4096 bytes on the wire.

    Text pages, then codes and links as QR pages, then choices (an option's id is its action's).
    `now` is in seconds since 1970; `mode` "text" makes text pages only. What is left out is
    counted on the last text page. Without a `drawer`, characters the device lacks stay as they
    are and it draws boxes.
    """
    if mode == "text":
        kept = tuple(block for block in screen.blocks if block in ("text", "glyphs", "strips"))
        screen = screen._replace(blocks=kept)
    pictures = {
        key: picture
        for key, picture in (images or {}).items()
        if mode != "text" and ("strips" if picture.ink else "image") in screen.blocks
    }
    plan = Plan(card, screen, now, next_blob, short_link, pictures, drawer)
    plans = [plan]
    if card.slides:
        more = (next_blob, short_link, pictures, drawer, plan.ink, carousel.codes_max(card))
        slides = card.slides[: carousel.SLIDES_MAX]
        plans = [Plan(slide, screen, now, *more) for slide in slides]
    whole = carousel.largest(card, plans, _within) if card.slides else _largest(plan)
    made, drawn = plan.ink.finish(whole)
    blobs = (*(blob for each in plans for blob in each.image_blobs(made)), *drawn)
    made = made._replace(resources=tuple(blob.id for blob in blobs))
    warnings: list[Warned] = []
    if says_more(made):
        warnings.append(Warned(code="truncated", path="pages", detail="some of it has no room"))
    if plan.ink.missing:
        named = " ".join(f"U+{point:04X}" for point in sorted(plan.ink.missing)[:10])
        warnings.append(Warned(code="glyph", path="", detail=f"no glyph for {named}"))
    return Fitted(card=made, blobs=blobs, warnings=tuple(warnings))


def says_more(card: wire.Card) -> bool:
    """Whether a page says that something was left out."""
    lines = (line.text for page in card.pages for line in page.lines)
    return any(line.startswith("+") and line.endswith((" more", "…")) for line in lines)


def wire_bytes(card: wire.Card) -> int:
    """Bytes of the card's JSON."""
    text = json.dumps(wire.to_data(card), ensure_ascii=False, separators=(",", ":"))
    return len(text.encode())


def _largest(plan: Plan) -> wire.Card:
    """The most of a card that is within the limits: QR pages go before the first text page."""
    whole = plan.build(len(plan.codes), plan.lines_max, True)
    if _within(whole):
        return whole
    for buttons in (True, False):
        for keep in range(len(plan.codes), -1, -1):
            least, most = plan.rows, plan.lines_max
            best = plan.build(keep, least, buttons)
            if not _within(best):
                continue
            while most - least > 1:
                middle = (least + most) // 2
                tried = plan.build(keep, middle, buttons)
                if _within(tried):
                    best, least = tried, middle
                else:
                    most = middle
            return best
    return plan.build(0, 1, False)


def _within(card: wire.Card) -> bool:
    # Ids of blobs are added last: room for glyphs, strips and some pictures.
    pictures = {page.blob for page in card.pages if isinstance(page, wire.ImagePage)}
    pictures |= {line.blob for page in card.pages for line in page.lines if line.blob}
    room = 40 + 7 * len(pictures)
    return len(card.pages) <= wire.PAGES_MAX and wire_bytes(card) + room <= wire.WIRE_BYTES_MAX
