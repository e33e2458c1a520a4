"""Panels with faces of type, what is set on them, and a drawer for scripts they lack."""

from itertools import count
from typing import NamedTuple

from voxcard.cards.compose.rows import Sheet
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Card
from voxcard.cards.preview.screens import named
from voxcard.cards.type.frame import Frame
from voxcard.cards.type.metrics import Metrics, metrics
from voxcard.cards.type.setting import Setting, styles
from voxcard.package_files import boards, firmware
from voxwire.capability import Screen
from voxwire.type import drawing

USUAL, DENSE = "usual", "dense"  # of the styles of a screen


class DrawnLine(NamedTuple):
    width: int
    height: int
    baseline: int
    rows: bytes


class TenPxLetters:
    """Draws every letter 10 px wide, 4 px further up and 6 further down than capitals reach."""

    def __init__(self, lacking=""):
        self._lacking = lacking
        self.drawn = []  # (face, text, rtl)

    def glyph(self, face, code_point):
        return None if self.lacks(code_point) else bytes((10, 0, 1, 1, 1, 3))

    def advance(self, face, code_point):
        return 10

    def lacks(self, code_point):
        return chr(code_point) in self._lacking

    def width(self, face, text, rtl=False):
        return 10 * len(text)

    def paragraph(self, face, text, width_max, lines_max, *, rtl, hang=0):
        wide = max(1, width_max // 10)
        lines = [text[at : at + wide] for at in range(0, len(text), wide)][:lines_max]
        return tuple(lines), tuple(10 * len(line) for line in lines)

    def line(self, face, text, width_max, rtl=False):
        self.drawn.append((face, text, rtl))
        cap, width = int(face[1:]), min(width_max, 10 * len(text))
        return DrawnLine(width, cap + 10, cap + 4, bytes((width + 3) // 4 * (cap + 10)))


def panel(name: str = "240x240") -> Screen:
    """The screen of a usual panel in colours, by its name in the previews."""
    return named(name, boards(), firmware() / "fonts")


def setting(name="240x240", smooth=None, direction="ltr") -> Setting:
    return Setting(panel(name), smooth, count(1).__next__, direction)


def sheet(name="240x240", *, style=USUAL, smooth=None, direction="ltr", **frame) -> Sheet:
    """A page of a panel: from 10 px under its upper edge to 10 px over the lower one."""
    screen = panel(name)
    edges = {"top": 10, "next_top": 10, "bottom": screen.height - 10, **frame}
    return Sheet(
        setting=Setting(screen, smooth, count(1).__next__, direction),
        style=getattr(styles(screen), style),
        frame=Frame(screen=screen, **edges),
    )


def items(part, on: Sheet, y: int = 10) -> list:
    """What a part draws with its first row at `y`, at the places it has on the page."""
    drawn = []
    for row in part.rows(on, y):
        drawn += [item._replace(y=item.y + y) for item in row.items]
        y += row.height
    return drawn


def texts(drawn) -> list[str]:
    """The texts among items."""
    return [item.text for item in drawn if isinstance(item, drawing.Text)]


def inks(drawn) -> list[tuple[str, int]]:
    """(text, ink) of the texts among items."""
    return [(item.text, item.ink) for item in drawn if isinstance(item, drawing.Text)]


def right(on: Sheet | Setting, item) -> int:
    """Where an item ends."""
    if not isinstance(item, drawing.Text):
        return item.x + item.width
    return item.x + metrics_of(getattr(on, "setting", on), item).width(item.text)


def metrics_of(on: Setting, item) -> Metrics:
    """The metrics of a text's face."""
    return metrics(on.screen.faces[item.face])


def composed(name="240x240", *, smooth=None, images=None, mode="full", size="normal", **fields):
    """The fitted card of these fields on a panel."""
    card = Card(id="c", dialect="x", **fields)
    screen = panel(name)._replace(text_size=size)
    blobs = count(1).__next__
    return fit(card, screen, now=0, next_blob=blobs, smooth=smooth, images=images, mode=mode)


def pages(name="240x240", **fields):
    """The texts of each page of a card, its title, choices and foot among them."""
    shown = composed(name, **fields).card.pages
    return [
        texts(page.items) + [each.label for each in page.options if isinstance(each.label, str)]
        for page in shown
    ]
