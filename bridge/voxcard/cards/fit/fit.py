"""Cuts a card down to finished pages for one screen, within the wire's budget."""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import Screen
from voxwire.type import drawing

from voxcard.cards.card_plan import CardPlan, PlanInk, Version
from voxcard.cards.compose.plan import TypePlan
from voxcard.cards.fit import carousel
from voxcard.cards.fit.picture import Pictures
from voxcard.cards.fit.plan import Plan, Target
from voxcard.cards.fit.qr_pages import ShortLink
from voxcard.cards.fit.strip_batch import Drawer, Resource
from voxcard.cards.model import Card, Warned
from voxcard.cards.type.smooth import SmoothDrawer

_TEXT_BLOCKS = ("text", "glyphs", "strips", "big", "fields", "drawn")
_MISSING_NAMED = 10


# Of the 24 KB that a device has for what it draws from; the rest is for glyphs.
STRIP_BYTES_MAX = 20_480


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The card for one device, the blobs that go before it, and how many things (paragraphs,
    rows, pictures, slides) it leaves out or cuts."""

    card: wire.Card
    blobs: tuple[Resource, ...]
    left_out: int = 0
    warnings: tuple[Warned, ...] = ()


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
    smooth: SmoothDrawer | None = None,
) -> Fitted:
    """The pages of `card` for `screen`: at most 24 of them and 4096 bytes on the wire.

    Text pages, then codes and links as QR pages, then choices (an option's id is its action's).
    `now` is in seconds since 1970; `mode` "text" makes text pages only. What is left out is
    counted on the last text page. Without a `drawer`, characters the device lacks stay as they
    are and it draws boxes.
    """
    if mode == "text":
        screen, images = _text_only(screen), {}
    target = Target(
        screen=screen,
        now=now,
        next_blob=next_blob,
        short_link=short_link,
        pictures=_drawable(images or {}, screen),
        drawer=drawer,
        smooth=smooth,
    )
    return _finished(*_most(card, target))


def _finished(version: Version, plans: Sequence[CardPlan]) -> Fitted:
    """The card of one try, with what is drawn for it."""
    ink = plans[0].ink  # which all of them share
    whole, glyphs_and_strips = ink.finish(version.card)
    blobs = (*(blob for plan in plans for blob in plan.image_blobs(whole)), *glyphs_and_strips)
    blob_ids = [blob.id for blob in blobs] + [id_ for plan in plans for id_ in plan.frames(whole)]
    whole = whole._replace(resources=tuple(dict.fromkeys(blob_ids)))
    return Fitted(
        card=whole,
        blobs=blobs,
        left_out=version.left_out,
        warnings=_warnings(version.left_out, ink.missing),
    )


def wire_bytes(card: wire.Card) -> int:
    """Bytes of the card's JSON."""
    text = json.dumps(to_data(card), ensure_ascii=False, separators=(",", ":"))
    return len(text.encode())


def _text_only(screen: Screen) -> Screen:
    return screen._replace(blocks=tuple(each for each in screen.blocks if each in _TEXT_BLOCKS))


def _drawable(images: Pictures, screen: Screen) -> Pictures:
    """The pictures that the screen has a block for."""
    return {
        key: picture
        for key, picture in images.items()
        if ("strips" if picture.ink else "image") in screen.blocks
    }


def _most(card: Card, target: Target) -> tuple[Version, Sequence[CardPlan]]:
    """The most of a card that is within the limits, and the plans its pages are of."""
    plan: CardPlan
    if target.screen.faces and "drawn" in target.screen.blocks:
        plan = TypePlan(card, target)
    else:
        plan = Plan(card, target)
    if not card.slides:
        return _largest(plan), [plan]
    plans = [
        plan.slide(slide, carousel.codes_max(card)) for slide in card.slides[: carousel.SLIDES_MAX]
    ]
    return carousel.largest(card, plans, lambda whole: _within(whole, plan.ink)), plans


def _largest(plan: CardPlan) -> Version:
    """The most of a card that is within the limits: QR pages go before the first text page."""
    whole = plan.build(len(plan.codes.shown), plan.room.lines_max, True)
    if _within(whole.card, plan.ink):
        return whole
    for buttons in (True, False):
        for codes in range(len(plan.codes.shown), -1, -1):
            least = plan.build(codes, plan.room.rows, buttons)
            if _within(least.card, plan.ink):
                return _with_most_lines(plan, codes, buttons, least)
    return plan.build(0, 1, False)


def _with_most_lines(plan: CardPlan, codes: int, buttons: bool, best: Version) -> Version:
    """The version with as many lines as are within the limits; `best` has one page of them."""
    fewest, most = plan.room.rows, plan.room.lines_max
    while most - fewest > 1:
        middle = (fewest + most) // 2
        version = plan.build(codes, middle, buttons)
        if _within(version.card, plan.ink):
            best, fewest = version, middle
        else:
            most = middle
    return best


def _within(card: wire.Card, ink: PlanInk) -> bool:
    if ink.strip_bytes(card) > STRIP_BYTES_MAX:
        return False
    # Ids of blobs are added last: room for glyphs, strips and some pictures.
    pictures = {page.blob for page in card.pages if isinstance(page, wire.ImagePage)}
    drawn = (item for page in card.pages for item in getattr(page, "items", ()))
    pictures |= {item.blob for item in drawn if isinstance(item, drawing.Photo)}
    pictures |= {line.blob for page in card.pages for line in page.lines if line.blob}
    room = 40 + 7 * len(pictures)
    return len(card.pages) <= wire.PAGES_MAX and wire_bytes(card) + room <= wire.WIRE_BYTES_MAX


def _warnings(left_out: int, missing: Collection[int]) -> tuple[Warned, ...]:
    warnings = []
    if left_out:
        warnings.append(Warned(code="truncated", path="pages", detail="some of it has no room"))
    if missing:
        names = " ".join(f"U+{point:04X}" for point in sorted(missing)[:_MISSING_NAMED])
        warnings.append(Warned(code="glyph", path="", detail=f"no glyph for {names}"))
    return tuple(warnings)
