"""Pages of several panels on one sheet, all of them at the same millimetres, with a ruler."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from voxwire.capability import Screen

from tools.build.type_faces import SOURCE

PX_PER_MM = 1000 / 98  # the panel of 98 um, which most people have, at its own pixels
WIDTH = 1052  # two pages of the largest panel, three of the round one
PAPER, FRAME, INK = (46, 50, 56), (96, 102, 112), (214, 219, 226)
GAP, LABEL = 14, 22  # px between pages, and above the pages of a panel
_RULER_MM, _TICK, _LONG = 20, 5, 10
_FONT_PX = 13
COLOURS = (128, 64, 32, 16)  # of a sheet's palette: as many as its file may have bytes for
BYTES_MAX = 120_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The pages of one panel, as they are drawn, under what it is called."""

    label: str
    screen: Screen
    pages: Sequence[Image.Image]


def sheet(rows: Sequence[Row], title: str) -> Image.Image:
    """Panels side by side where there is room, then below each other."""
    font = _font(SOURCE)
    blocks = [_block(row, font) for row in rows]
    places, height = _placed([block.size for block in blocks])
    whole = Image.new("RGB", (WIDTH, height + LABEL + GAP), PAPER)
    for block, place in zip(blocks, places, strict=True):
        whole.paste(block, place)
    _ruler(whole, font, title)
    return small(whole)


def small(image: Image.Image) -> Image.Image:
    """An image with the most colours of which its file is small enough."""
    for colours in COLOURS:
        reduced = image.quantize(colours, dither=Image.Dither.NONE)
        file = BytesIO()
        reduced.save(file, "PNG", optimize=True)
        if file.tell() <= BYTES_MAX:
            break
    return reduced


def true_size(page: Image.Image, screen: Screen) -> Image.Image:
    """A page at the sheet's millimetres, a round one within its circle."""
    zoom = screen.pitch_um * PX_PER_MM / 1000
    size = (round(page.width * zoom), round(page.height * zoom))
    image = framed(page, screen)
    if size == page.size:
        return image
    # Every pixel a square, then by area: sharp, and none is wider than its neighbour.
    whole = 4 * max(1, round(zoom))
    squares = image.resize((page.width * whole, page.height * whole), Image.Resampling.NEAREST)
    return squares.resize(size, Image.Resampling.BOX)


def framed(page: Image.Image, screen: Screen) -> Image.Image:
    """A page in colour; outside a round panel there is paper."""
    image = page.convert("RGB")
    if screen.shape != "round":
        return image
    window = Image.new("L", (4 * page.width, 4 * page.height))
    ImageDraw.Draw(window).ellipse((0, 0, 4 * page.width - 1, 4 * page.height - 1), 255)
    return Image.composite(
        image, Image.new("RGB", page.size, PAPER), window.resize(page.size, Image.Resampling.BOX)
    )


def tiles(pages: Sequence[Image.Image], columns: int) -> Image.Image:
    """Pictures of one size in rows, on paper."""
    width, height = (side + GAP for side in pages[0].size)
    rows = -(-len(pages) // columns)
    whole = Image.new("RGB", (columns * width + GAP, rows * height + GAP), PAPER)
    for index, page in enumerate(pages):
        whole.paste(page, (GAP + index % columns * width, GAP + index // columns * height))
    return small(whole)


def _font(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, _FONT_PX)


def _block(row: Row, font: ImageFont.FreeTypeFont) -> Image.Image:
    """The label of a panel, its pages below it, as many beside each other as the sheet is wide."""
    pages = [true_size(page, row.screen) for page in row.pages]
    width, height = pages[0].size
    columns = min(len(pages), max(1, (WIDTH - GAP) // (width + GAP)))
    lines = -(-len(pages) // columns)
    size = (columns * (width + GAP) - GAP, LABEL + lines * (height + GAP) - GAP)
    block = Image.new("RGB", (max(size[0], round(font.getlength(row.label)) + 1), size[1]), PAPER)
    pen = ImageDraw.Draw(block)
    pen.text((0, 0), row.label, INK, font)
    for index, page in enumerate(pages):
        x, y = index % columns * (width + GAP), LABEL + index // columns * (height + GAP)
        block.paste(page, (x, y))
        if row.screen.shape != "round":
            pen.rectangle((x - 1, y - 1, x + width, y + height), outline=FRAME)
    return block


def _placed(sizes: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], int]:
    """Where blocks of these sizes stand, and the height of all: in lines, as words do."""
    places, x, y, high = [], GAP, GAP, 0
    for width, height in sizes:
        if x > GAP and x + width + GAP > WIDTH:
            x, y, high = GAP, y + high + GAP, 0
        places.append((x, y))
        x, high = x + width + 2 * GAP, max(high, height)
    return places, y + high + GAP


def _ruler(whole: Image.Image, font: ImageFont.FreeTypeFont, title: str) -> None:
    """Millimetres at the foot of the sheet, and what it shows."""
    pen, y = ImageDraw.Draw(whole), whole.height - GAP
    for mm, x in _ticks():
        pen.line((x, y, x, y - (_TICK if mm % 5 else _LONG)), INK)
    right = GAP + round(_RULER_MM * PX_PER_MM)
    pen.line((GAP, y, right, y), INK)
    pen.text((right + GAP, y + 2), f"{_RULER_MM} mm · {title}", INK, font, anchor="ls")


def _ticks() -> Iterator[tuple[int, int]]:
    """(mm, x) of each."""
    for mm in range(_RULER_MM + 1):
        yield mm, GAP + round(mm * PX_PER_MM)
