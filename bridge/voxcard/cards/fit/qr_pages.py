"""QR pages of a card: one for every code and link, each saying in words where it leads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.entries import Entry, where
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.qr_code import Code, fit_code
from voxcard.cards.model import Card, QrBlock
from voxcard.cards.text.cells import width, wrap
from voxcard.cards.text.links import links
from voxcard.cards.text.sanitize import label as clean_label

CODES_MAX = 6
ON_PHONE = "Open it on your phone."
NO_ROOM = "The code is too large for this screen."

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


def coded(
    card: Card, screen: Screen, short_link: ShortLink, codes_max: int = CODES_MAX
) -> list[Coded]:
    """Everything of a card that wants a QR page: codes of blocks, then links, primary first.

    Past `codes_max` links no more codes are tried."""
    codes = []
    for block in card.blocks:
        if isinstance(block, QrBlock):
            item = Coded(label=clean_label(block.caption), where="")
            codes.append(_with_code(item, screen, [block.data]))
    for index, link in enumerate(links(card)):
        name = clean_label(link.label)
        item = Coded(label=name, where=where(link), url=link.url, row=link.row)
        if index < codes_max and "qr" in screen.blocks:
            item = _with_code(item, screen, _candidates(link.url, short_link))
        codes.append(item)
    return codes


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
        yield Entry(text=f"{name}\n{ON_PHONE}" if on_phone else name)
    else:
        yield Entry(text=f"{name}\n{NO_ROOM}".strip())


def page(item: Coded, screen: Screen, ink: Ink) -> wire.QrPage:
    """The QR page of an item that has a code."""
    code = item.code
    assert code is not None
    place = wire.qr_layout(screen, code.modules, code.scale, code.quiet)
    title: str = item.label
    lines: list[wire.Line] = []
    room = place.caption.rows
    needed = len(_broken(place.caption, item.where)) if item.where else 0
    if title and not place.title.rows:
        if room > needed:
            lines = [ink.row(title, place.caption.cols)]
        title = ""
    elif not ink.shaped(title) and width(title) > place.title.cols:
        first, *rest = wrap(title, place.title.cols, room + 2)
        if len(rest) + needed <= room:
            title, lines = first, [ink.row(line, place.caption.cols) for line in rest]
    room -= len(lines)
    if room > 0 and item.where:
        broken = _broken(place.caption, item.where)
        broken = broken if len(broken) <= room else [item.where]
        lines += [ink.row(line, place.caption.cols) for line in broken]
    return wire.QrPage(
        ink.words(title, place.title.cols),
        tuple(lines),
        0,
        code.modules,
        code.rows,
        code.scale,
        code.quiet,
    )
