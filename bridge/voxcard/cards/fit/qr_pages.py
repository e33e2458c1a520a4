"""QR pages of a card: one for every code and link, with its target in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.entries import Entry, where
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.qr_code import Code, fit_code
from voxcard.cards.model import Card, QrBlock
from voxcard.cards.text.cells import width, wrap
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.links import links
from voxcard.cards.text.sanitize import label as clean_label

CODES_MAX = 6

ShortLink = Callable[[str], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """A link (`url`) or other code with its label, where it leads, and its matrix if one fits."""

    label: str
    where: str
    url: str = ""
    code: Code | None = None
    complete: bool = False  # the QR page has room to say all of `where`
    row: bool = False  # a row of the text pages says where it leads when it has no code


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """`shown` may have a QR page each, the primary link first; of `left_out` links no page says
    anything; where `plain_links` lead is said in text."""

    shown: Sequence[Coded]
    left_out: int
    plain_links: Sequence[Coded]


def codes_of(
    card: Card, screen: Screen, short_link: ShortLink, codes_max: int = CODES_MAX
) -> Codes:
    """The codes of a card for a screen; past `codes_max` links no more codes are tried."""
    candidates = [
        *_block_codes(card, screen),
        *_link_codes(card, screen, short_link, codes_max),
    ]
    shown = [item for item in candidates if item.code][:CODES_MAX]
    urls = sum(bool(item.url) for item in candidates)
    return Codes(
        shown=shown,
        left_out=urls - codes_max if codes_max == CODES_MAX else 0,
        plain_links=[item for item in candidates if item not in shown and not item.row],
    )


def _block_codes(card: Card, screen: Screen) -> Iterator[Coded]:
    for block in card.blocks:
        if isinstance(block, QrBlock):
            item = Coded(label=clean_label(block.caption), where="")
            yield _with_code(item, screen, [block.data])


def _link_codes(
    card: Card, screen: Screen, short_link: ShortLink, codes_max: int
) -> Iterator[Coded]:
    for index, link in enumerate(links(card)):
        name = clean_label(link.label)
        item = Coded(label=name, where=where(link), url=link.url, row=link.row)
        if index < codes_max and "qr" in screen.blocks:
            item = _with_code(item, screen, _candidates(link.url, short_link))
        yield item


def _candidates(url: str, short_link: ShortLink) -> Iterator[str]:
    yield url
    shortened = short_link(url)
    if shortened:
        yield shortened


def _with_code(item: Coded, screen: Screen, candidates: Iterator[str] | list[str]) -> Coded:
    if "qr" not in screen.blocks:
        return item
    for data in candidates:
        code = fit_code(data, screen, lambda place: _has_room(place, item))
        if code is not None:
            place = wire.qr_layout(screen, code.modules, code.scale, code.quiet)
            return replace(item, code=code, complete=_has_room(place, item))
    return item


def _has_room(place: wire.QrLayout, item: Coded) -> bool:
    """The page has room for the label and for all of where it leads, no name of it torn."""
    area = place.caption
    if max(map(width, _dotted(item.where).split("\u200b"))) > area.cols:
        return False
    needed = 1 if item.label and not place.title.rows else 0
    needed += len(_broken(area, item.where)) if item.where else 0
    return bool(needed <= area.rows)


def _broken(area: wire.Area, text: str) -> list[str]:
    """`text` (a host) on the lines of an area, broken after its dots; one line more = too long."""
    if area.cols < 4:
        return [""] * (area.rows + 1)
    return wrap(_dotted(text), area.cols, area.rows + 1)


def _dotted(text: str) -> str:
    return text.replace(".", ".\u200b")  # a place where a line may break


def entries(item: Coded, has_page: bool, on_phone: bool = True) -> Iterator[Entry]:
    """What the text pages say for a code: nothing when its own page says it all.

    `on_phone`: say what to do about a code that this screen cannot show.
    """
    name = f"{item.label}: {_dotted(item.where)}" if item.where else item.label
    if has_page:
        if not item.complete:
            yield Entry(text=name)
    elif item.where:
        yield Entry(text=f"{name}\n{WORDS['on_phone']}" if on_phone else name)
    else:
        yield Entry(text=f"{name}\n{WORDS['no_room']}".strip())


def page(item: Coded, screen: Screen, ink: Ink) -> wire.QrPage:
    """The QR page of an item that has a code."""
    code = item.code
    assert code is not None
    place = wire.qr_layout(screen, code.modules, code.scale, code.quiet)
    title, label_lines = _label(item, place, ink)
    rows = place.caption.rows - len(label_lines)
    where_lines = _where_lines(item, place.caption, rows, ink)
    return wire.QrPage(
        ink.words(title, place.title.cols),
        (*label_lines, *where_lines),
        0,
        code.modules,
        code.rows,
        code.scale,
        code.quiet,
    )


def _label(item: Coded, place: wire.QrLayout, ink: Ink) -> tuple[str, list[wire.Line]]:
    """The title of the page, and the lines of its caption that say the rest of the label."""
    caption = place.caption
    rows = caption.rows - (len(_broken(caption, item.where)) if item.where else 0)
    if item.label and not place.title.rows:
        return "", [ink.row(item.label, caption.cols)] if rows > 0 else []
    if not ink.shaped(item.label) and width(item.label) > place.title.cols:
        first, *rest = wrap(item.label, place.title.cols, caption.rows + 2)
        if len(rest) <= rows:
            return first, [ink.row(line, caption.cols) for line in rest]
    return item.label, []


def _where_lines(item: Coded, caption: wire.Area, rows: int, ink: Ink) -> list[wire.Line]:
    """Where the code leads, broken where `rows` lines hold it, else cut."""
    if rows <= 0 or not item.where:
        return []
    broken = _broken(caption, item.where)
    broken = broken if len(broken) <= rows else [item.where]
    return [ink.row(line, caption.cols) for line in broken]
