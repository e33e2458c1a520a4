"""The gallery: every card of examples/gallery on five panels, one sheet a card, and its best six.

Drawn by tools.pictures.docs together with the other pictures of the documents.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PIL import Image
from voxcard.cards.preview import preview

from tools.pictures.panels import PANELS, label
from tools.pictures.sheet import Row, framed, sheet, tiles
from tools.pictures.shots import shots

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "examples" / "gallery"
TARGET = ROOT / "docs" / "pictures" / "gallery"
# On a sheet, those that stand beside each other first.
ORDER = ("240x240", "240x240-round", "80x160", "128x64", "320x240")
# What the README begins with, three beside each other: card, panel, page from 1.
BEST = (
    ("weather.codai", "240x240", 1),
    ("score.codai", "240x240-round", 1),
    ("door.mcp", "240x240", 2),
    ("energy.codai", "240x240", 2),
    ("timer.codai", "240x240-round", 1),
    ("delivery.codai", "240x240", 1),
)
BEST_COLUMNS = 3

Drawn = Mapping[tuple[str, str], Sequence[Image.Image]]  # pages by (card, panel)


def cards() -> list[Path]:
    """The files of the gallery, in order."""
    return sorted(CARDS.glob("*.json"))


def wanted() -> Iterator[tuple[str, str, list[preview.Shot]]]:
    """(card, panel, shots) of all that is drawn for the gallery."""
    for file in cards():
        for panel in ORDER:
            yield file.stem, panel, shots(file, PANELS[panel])


def sheets(drawn: Drawn) -> dict[str, Image.Image]:
    """Each card's sheet by name."""
    return {file.stem.replace(".", "-"): _sheet(file.stem, drawn) for file in cards()}


def _sheet(card: str, drawn: Drawn) -> Image.Image:
    rows = [
        Row(label=label(panel), screen=PANELS[panel], pages=drawn[card, panel]) for panel in ORDER
    ]
    return sheet(rows, f"{card}.json")


def best(drawn: Drawn) -> Image.Image:
    """A page of each of the best six."""
    pages = [framed(drawn[card, panel][number - 1], PANELS[panel]) for card, panel, number in BEST]
    return tiles(pages, BEST_COLUMNS)
