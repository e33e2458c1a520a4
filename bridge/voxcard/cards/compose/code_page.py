"""The page of a code: black on white, its words in type beside or around it."""

from collections.abc import Iterator
from typing import Any

from voxwire.capability import Screen
from voxwire.type import drawing
from voxwire.type.roles import DIM, INK

from voxcard.cards.fit.qr_pages import Coded
from voxcard.cards.type.frame import chord
from voxcard.cards.type.metrics import Metrics
from voxcard.cards.type.setting import Setting, Style

_BESIDE_MIN = 5  # capitals that stand beside a code
_AROUND = 4  # px between a code and text


def code_page(item: Coded, screen: Screen, setting: Setting, style: Style) -> drawing.DrawnPage:
    """The page of an item that has a code; what has no room is left away, the code never."""
    code = item.code
    assert code is not None
    side = (code.modules + 2 * code.quiet) * code.scale
    caption = style.face("caption")
    if screen.shape == "round":
        x = y = (min(screen.width, screen.height) - side) // 2
        items = tuple(_around(item, screen, setting, style, y, side))
    elif screen.width - side >= screen.height - side + _BESIDE_MIN * caption.cap:
        y = (screen.height - side) // 2
        x = y
        items = tuple(_beside(item, screen, setting, style, x + side + _AROUND))
    else:
        x = (screen.width - side) // 2
        y, items = _below(item, screen, setting, style, side)
    placed = drawing.Code(x, y, code.modules, code.rows, code.scale, code.quiet)
    return drawing.DrawnPage("", (), 0, items, (), placed)


def _dotted(text: str) -> str:
    return text.replace(".", ".\u200b")  # a place where a line may break


def _beside(item: Coded, screen: Screen, setting: Setting, style: Style, x: int) -> Iterator[Any]:
    room = screen.width - x - _AROUND
    title, caption = style.face("title"), style.face("caption")
    baseline = style.gap + title.ascent
    limit = screen.height - style.gap
    face = title if setting.width(title, item.label) <= room else caption
    for line in setting.lines(face, item.label, room, 4):
        if baseline + face.descent <= limit:
            yield from setting.run(face, line, x, baseline, room=room)
            baseline += face.pitch
    baseline += style.gap
    for line in setting.lines(caption, _dotted(item.where), room, 5) if item.where else ():
        if baseline + caption.descent <= limit:
            yield from setting.run(caption, line, x, baseline, ink=DIM, room=room)
            baseline += caption.pitch


def _below(
    item: Coded, screen: Screen, setting: Setting, style: Style, side: int
) -> tuple[int, tuple[Any, ...]]:
    """Where the code begins, and the words under it as far as there is room."""
    room, spare = screen.width - 2 * _AROUND, screen.height - side
    lines = _lines_below(item, setting, style, room, spare)
    y = max(0, (spare - sum(_tight(face) for face, _, _ in lines)) // 2)
    at = y + side
    items: list[Any] = []
    for face, text, ink in lines:
        at += _tight(face)
        items += setting.run(
            face, text, _AROUND, at - face.descent, ink=ink, room=room, align="middle"
        )
    return y, tuple(items)


def _tight(face: Metrics) -> int:
    """Px of a line where every one counts."""
    return face.cap + face.descent + _AROUND


def _lines_below(
    item: Coded, setting: Setting, style: Style, room: int, spare: int
) -> list[tuple[Metrics, str, int]]:
    """Label and host, the label smaller where both have room then; else the label alone."""
    title, caption = style.face("title"), style.face("caption")
    texts = [(item.label, INK), (item.where, DIM)]
    texts = [(text, ink) for text, ink in texts if text]
    fits = setting.width(title, item.label) <= room
    for first in (title, caption) if fits else (caption,):
        faces = [first if text is item.label else caption for text, _ in texts]
        if sum(map(_tight, faces)) <= spare:
            return [
                (face, setting.cut(face, text, room), ink)
                for face, (text, ink) in zip(faces, texts, strict=True)
            ]
    if texts and _tight(caption) <= spare:
        return [(caption, setting.cut(caption, texts[0][0], room), texts[0][1])]
    return []


def says_all(item: Coded, screen: Screen, setting: Setting, style: Style) -> bool:
    """Whether the page of an item with a code says its label and where it leads, uncut."""
    page = code_page(item, screen, setting, style)
    said = "".join(each.text for each in page.items if isinstance(each, drawing.Text))
    wanted = item.label + item.where
    return all(each in said.replace(" ", "") for each in wanted.split()) and "…" not in said


def _around(
    item: Coded, screen: Screen, setting: Setting, style: Style, y: int, side: int
) -> Iterator[Any]:
    caption = style.face("caption")
    places = ((item.label, y - _AROUND - caption.pitch, 1), (item.where, y + side + _AROUND, DIM))
    for text, top, ink in places:
        x, room = chord(screen, top, caption.pitch)
        if text and room >= _BESIDE_MIN * caption.cap:
            line = setting.cut(caption, text, room)
            yield from setting.run(
                caption, line, x, top + caption.ascent - caption.cap // 6, ink=ink, room=room,
                align="middle",
            )  # fmt: skip
