"""The measures of every card of the gallery and of tests/golden/cards, on every panel.

    python -m tools.pictures.measured    what is below its limit, and how much of pages is used

Drawing is slow: pixels are measured on the gallery alone, in both themes; places, sizes and
colours on all of them.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import zxingcpp
from PIL import Image
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import Fitted
from voxcard.cards.preview import preview
from voxwire import card as wire
from voxwire.capability import Screen
from voxwire.type import roles
from voxwire.type.drawing import Code, DrawnPage
from voxwire.type.scale import cap_px

from tools.pictures import contrast, gallery, measures, page_counts, pixels
from tools.pictures.measures import Fault
from tools.pictures.panels import PANELS
from tools.pictures.shots import shots

THEMES = ("dark", "light")
CAPITALS = frozenset("BDEFHIKLMNPRTZ")  # flat at the top, alone in their column


class Page(NamedTuple):
    """A page of a card on a panel; `number` from 1. `image` where it is drawn.

    `source` tells the cards of one source.
    """

    card: str
    panel: str
    number: int
    page: object
    theme: str = "dark"
    image: Image.Image | None = None
    source: int = 0

    @property
    def screen(self) -> Screen:
        return PANELS[self.panel]

    def fault(self, measure: str, detail: str) -> Fault:
        return Fault(measure, self.card, self.panel, self.number, detail)


def laid_out() -> Iterator[Page]:
    """Every page of all cards, not drawn."""
    drawers = {name: Drawer(tuple(screen.cell)) for name, screen in PANELS.items()}
    for case, cards in page_counts.cases().items():
        for panel, screen in PANELS.items():
            yield from _pages(case, panel, page_counts.fitted(cards, screen, drawers[panel]))


def _pages(card: str, panel: str, fitted: Sequence[Fitted]) -> Iterator[Page]:
    for index, each in enumerate(fitted):
        for number, page in enumerate(each.card.pages, 1):
            yield Page(card, panel, number, page, source=index)


def drawn() -> list[Page]:
    """Every page of the gallery, in both themes where there is colour."""
    asked = [
        (file.stem, panel, theme, shot)
        for theme in THEMES
        for file in gallery.cards()
        for panel, screen in PANELS.items()
        if theme == THEMES[0] or screen.depth > 1
        for shot in shots(file, screen, theme)
    ]
    pictures = preview.draw([shot for *_, shot in asked])
    return [
        Page(card, panel, number, page, theme, image)
        for (card, panel, theme, shot), images in zip(asked, pictures, strict=True)
        for number, (page, image) in enumerate(zip(shot.fitted.card.pages, images, strict=True), 1)
    ]


def of_places(pages: Sequence[Page]) -> Iterator[Fault]:
    """What is wrong with pages as they are laid out."""
    pairs: dict[tuple[int, int], Page] = {}
    for each in pages:
        if isinstance(each.page, DrawnPage):
            for measure, found in measures.MEASURES.items():
                for detail in found(each.page, each.screen):
                    yield each.fault(measure, detail)
            for pair in measures.pairs(each.page, each.screen):
                pairs.setdefault(pair, each)
        if (code := code_of(each.page)) is not None:
            for detail in measures.small_code(code, each.screen):
                yield each.fault("small code", detail)
    for pair, each in pairs.items():
        for detail in contrast.faint(*pair):
            yield each.fault("contrast", detail)


def of_themes() -> Iterator[Fault]:
    """What a theme's bars of a state lack, whether a card has one or not."""
    for paper in (roles.BAR, roles.GOOD, roles.WARN, roles.BAD):
        for theme, ratio in contrast.ratios(roles.BAR_INK, paper):
            least = contrast.TEXT if paper == roles.BAR else contrast.DIM
            if ratio < least:
                yield Fault("contrast of bars", "", "", 0, f"{theme}, role {paper}: {ratio:.2f}")


def code_of(page: object) -> wire.QrPage | Code | None:
    """The code of a page that has one."""
    code: Code | None = page.code if isinstance(page, DrawnPage) else None
    return page if isinstance(page, wire.QrPage) else code


def of_pixels(pages: Sequence[Page]) -> Iterator[Fault]:
    """What is wrong with drawn pages that are laid out in type."""
    for each in pages:
        if isinstance(each.page, DrawnPage) and each.image is not None:
            yield from _of_drawn(each, each.page, each.image)


def _of_drawn(each: Page, page: DrawnPage, image: Image.Image) -> Iterator[Fault]:
    round_panel = each.screen.shape == "round"
    if round_panel and (count := pixels.ink_past_the_rim(image, each.theme)):
        yield each.fault("past the rim", f"{count} px in {each.theme}")
    for run in capitals(each):
        rows, below = pixels.capital_rows(image, run)
        if (rows, below) != (cap_px(run.face), 0):
            detail = f"{run.face} is {rows} px high, {below} below its line: {run.text[:24]!r}"
            yield each.fault("capitals", detail)
    short = 0 < measures.characters(page, each.screen) <= measures.SHORT
    if each.number == 1 and short and not page.code:
        share = pixels.used(image, each.theme)
        if share < measures.USED_MIN:
            yield each.fault("little used", f"{share:.0%} of the rows")


def capitals(each: Page) -> Iterator[measures.Run]:
    """Texts that begin with a flat capital."""
    assert isinstance(each.page, DrawnPage)
    return (run for run in measures.runs(each.page, each.screen) if run.text[:1] in CAPITALS)


def read_codes(pages: Sequence[Page]) -> Iterator[Fault]:
    """Codes of drawn pages that another reader does not read."""
    for each in pages:
        if code_of(each.page) and each.image is not None:
            framed = Image.new("L", (each.image.width + 40, each.image.height + 40), 8)
            framed.paste(each.image.convert("L"), (20, 20))
            if len(zxingcpp.read_barcodes(framed)) != 1:
                yield each.fault("unread code", each.theme)


def shares(pages: Sequence[Page]) -> Mapping[str, Mapping[str, float]]:
    """Of each card's first page the share of rows with ink, by panel."""
    table: dict[str, dict[str, float]] = {}
    for each in pages:
        if each.number == 1 and each.theme == "dark" and each.image is not None:
            table.setdefault(each.card, {})[each.panel] = pixels.used(each.image)
    return table


def of_counts(pages: Sequence[Page]) -> Iterator[Fault]:
    """Cards that take more pages than they may (tools.pictures.page_counts)."""
    now: page_counts.Counts = {}
    for each in pages:
        counted = now.setdefault(each.card, {}).setdefault(each.panel, [])
        counted.extend([0] * (each.source + 1 - len(counted)))
        counted[each.source] += 1
    for card, panel, old, new in page_counts.too_many(now, page_counts.stored()):
        yield Fault("pages", card, panel, new, f"{old} before")


def sizes(pages: Sequence[Page]) -> Mapping[tuple[str, str], Counter[str]]:
    """How often texts are set in each face, by panel and whether they are dim."""
    faces: dict[tuple[str, str], Counter[str]] = {}
    for each in pages:
        if isinstance(each.page, DrawnPage):
            for run in measures.runs(each.page, each.screen):
                kind = "dim" if run.ink == roles.DIM else "text"
                faces.setdefault((each.panel, kind), Counter())[run.face] += 1
    return faces


def faults(pages: Sequence[Page], pictures: Sequence[Page]) -> list[Fault]:
    """All of them: `pages` as they are laid out, `pictures` as they are drawn."""
    measured = (
        of_themes(),
        of_places(pages),
        of_counts(pages),
        of_pixels(pictures),
        read_codes(pictures),
    )
    return [fault for each in measured for fault in each]


def main() -> int:
    """Print the faults, then which type is used, and what first pages use of the panel."""
    pages, pictures = list(laid_out()), drawn()
    wrong = faults(pages, pictures)
    for fault in wrong:
        print(*fault, sep="\t")
    for (panel, kind), faces in sorted(sizes(pages).items()):
        pitch = measures.pitch_mm(PANELS[panel])
        each = (f"{name} {cap_px(name) * pitch:.2f} mm: {n}" for name, n in faces.most_common())
        print(f"{panel} {kind}:", *each, sep="  ")
    print(f"{'rows with ink, first page':32}", *(f"{name:>14}" for name in PANELS))
    for card, row in sorted(shares(pictures).items()):
        print(f"{card:32}", *(f"{row.get(name, 0):14.0%}" for name in PANELS))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
