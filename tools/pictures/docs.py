"""The pictures of docs/cards.md, docs/gallery.md, docs/setup.md and the README: drawn, or checked.

    python -m tools.pictures.docs            writes docs/pictures/*.png and docs/pictures/gallery
    python -m tools.pictures.docs --check    exit 1 and the names of those that differ

Every card of examples/cards on three screens, those of examples/gallery on five panels, and the
set-up, drawn by the firmware's own code. Look at a picture before committing it.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image
from provisioning import screens as setup_screens
from voxcard import package_files
from voxcard.cards.fit.fit import Fitted
from voxcard.cards.preview import preview, screens

from tools.pictures import gallery, kept
from tools.pictures.sheet import BYTES_MAX
from tools.pictures.shots import shots

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "examples" / "cards"
TARGET = ROOT / "docs" / "pictures"

# Screen -> px of the picture for each of the panel, pages side by side.
SCREENS = {"128x64": (2, 3), "240x240": (1, 3), "320x240": (1, 2)}
FRAME = (128, 134, 144, 255)
GAP = 10
GALLERY, BEST = "gallery", "gallery-best"
FOLDERS = ("", GALLERY)  # of docs/pictures, in which there is nothing else
PAGES = ("README.md", "docs/cards.md", "docs/gallery.md", "docs/setup.md")
_SHOWN = re.compile(r"pictures/((?:gallery/)?[\w-]+)\.png")
# Board -> px of the picture for each of its panel: one of each kind that a set-up looks like.
SETUP = {"diy-s3-oled": 3, "esp32-s3-box-3": 1, "xiao-s3-sense-round": 1}
SETUP_WORDS = ("Voxcard-0a0b0c", "m9k2tq7xwh", "192.168.4.1")
README = ("order.json", "240x240", 3)  # card, screen, px for each of the panel


def sheet(pages: Sequence[Image.Image], scale: int, columns: int) -> Image.Image:
    """Pages in a thin frame each, left to right and top to bottom, on nothing."""
    width, height = (side * scale for side in pages[0].size)
    rows = -(-len(pages) // columns)
    across = min(columns, len(pages))
    size = (across * (width + 2 + GAP) - GAP, rows * (height + 2 + GAP) - GAP)
    whole = Image.new("RGBA", size, (0, 0, 0, 0))
    for index, page in enumerate(pages):
        x = index % columns * (width + 2 + GAP)
        y = index // columns * (height + 2 + GAP)
        whole.paste(FRAME, (x, y, x + width + 2, y + height + 2))
        whole.paste(page.convert("RGBA").resize((width, height), 0), (x + 1, y + 1))
    return whole


def requests() -> Iterator[tuple[str, int, int, list[preview.Shot]]]:
    """(name, scale, columns, shots) of every picture; of the scripts the first page of each."""
    for name, (scale, columns) in SCREENS.items():
        screen = screens.named(name, package_files.boards(), package_files.firmware() / "fonts")
        for file in sorted(CARDS.glob("*.json")):
            yield f"{file.stem.replace('.', '-')}-{name}", scale, columns, shots(file, screen)
        scripts = sorted((CARDS / "scripts").glob("*.json"))
        yield f"scripts-{name}", scale, columns, [shots(file, screen)[0] for file in scripts]
    for board, scale in SETUP.items():
        screen = screens.named(
            f"board:{board}", package_files.boards(), package_files.firmware() / "fonts"
        )
        card = setup_screens.invitation(screen, *SETUP_WORDS)
        yield (
            f"setup-{board}",
            scale,
            3,
            [preview.Shot(fitted=Fitted(card=card, blobs=()), screen=screen)],
        )
    card, name, scale = README
    screen = screens.named(name, package_files.boards(), package_files.firmware() / "fonts")
    yield "readme", scale, 3, shots(CARDS / card, screen)


def current() -> dict[str, Image.Image]:
    """Every picture by its path below docs/pictures, as the firmware draws it now."""
    wanted, cards = list(requests()), list(gallery.wanted())
    asked = [shot for row in wanted for shot in row[-1]]
    asked += [shot for row in cards for shot in row[-1]]
    pages = iter(preview.draw(asked))
    pictures = {}
    for name, scale, columns, each in wanted:
        flat = [page for _ in each for page in next(pages)[: 1 if "scripts" in name else None]]
        pictures[name] = sheet(flat, scale, columns)
    drawn = {
        (card, panel): [page for _ in each for page in next(pages)] for card, panel, each in cards
    }
    pictures[BEST] = gallery.best(drawn)
    return pictures | {f"{GALLERY}/{name}": each for name, each in gallery.sheets(drawn).items()}


def referenced() -> set[str]:
    """Names of the pictures that the pages show."""
    pages = (ROOT / name for name in PAGES)
    return {name for page in pages for name in _SHOWN.findall(page.read_text(encoding="utf-8"))}


def differences() -> list[str]:
    """Names of pictures that are missing, too many, too large, not shown, or not drawn so now."""
    now = current()
    wrong = {*kept.differences(TARGET, now, FOLDERS), *(now.keys() ^ referenced())}
    heavy = (path for path in (TARGET / GALLERY).glob("*.png") if path.stat().st_size > BYTES_MAX)
    return sorted({*wrong, *(f"{path.name} is too large" for path in heavy)})


if __name__ == "__main__":
    sys.exit(kept.main(__doc__, TARGET, current, differences, FOLDERS))
