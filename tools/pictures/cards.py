"""The golden pictures of charts and images on every shape of screen: draws them, or checks them.

    python -m tools.pictures.cards            writes tests/golden/pictures/*.png
    python -m tools.pictures.cards --check    exit 1 and the names of those that differ

Cut down by the bridge and drawn by the firmware's own code under MicroPython, within its limits.
Look at a picture before committing it.
"""

import asyncio
import base64
import io
import itertools
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import fit
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.model import Block, Card, ChartBlock, ImageBlock, ImageRef
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import BLOCKS, Screen

from tools.pictures import kept
from tools.pictures.screens import draw

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "tests" / "golden" / "pictures"
_FONT = ((32, 0x24F), (0x2022, 0x2026))
SCREENS = {
    "128x64": Screen(128, 64, 1, "rect", 0, (6, 12), _FONT, BLOCKS),
    "80x160": Screen(80, 160, 16, "rect", 0, (6, 12), _FONT, BLOCKS, picture_bytes=25600),
    "240x135": Screen(240, 135, 16, "rect", 0, (8, 16), _FONT, BLOCKS, picture_bytes=64800),
    "240x240": Screen(240, 240, 16, "rect", 0, (8, 16), _FONT, BLOCKS, picture_bytes=115200),
    "240x240-round": Screen(
        240, 240, 16, "round", 0, (8, 16), _FONT, BLOCKS, picture_bytes=115200
    ),
    "320x240": Screen(320, 240, 16, "rect", 0, (8, 16), _FONT, BLOCKS, picture_bytes=153600),
}
_HOURS = tuple((f"{hour:02}:00", 18 + 5 * math.sin(hour / 3.82 - 2)) for hour in range(24))
_YEAR = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_USED = (300.0, 280, 210, 150, 90, 60, 55, 70, 120, 180, 240, 310, 290, 270, 200, 140)
_MONTHS = tuple(zip(_YEAR + _YEAR[:4], _USED, strict=True))


def photo() -> bytes:
    """A landscape with a ball in it, as a PNG: shades, colours and an edge."""
    y, x = np.mgrid[0:240, 0:320].astype(float)
    image = np.stack([90 + y / 2, 140 + y / 3, 230 - y / 12], -1)
    for index, (base, colour) in enumerate(((130, (90, 110, 140)), (185, (50, 100, 60)))):
        hill = y > base + 22 * np.sin(x / 45 + 2 * index)
        image[hill] = np.array(colour) * (1.1 - y[hill] / 480)[:, None]
    image[np.hypot(x - 245, y - 45) < 24] = (255, 240, 170)
    ball = np.hypot(x - 95, y - 165) < 50
    light = np.clip(1 - ((x - 78) ** 2 + (y - 146) ** 2) / 4600, 0.1, 1)
    image[ball] = (np.array((225, 60, 40)) * light[..., None])[ball]
    return _png(Image.fromarray(image.clip(0, 255).astype(np.uint8)))


def logo() -> bytes:
    """Dark line art on nothing."""
    image = Image.new("RGBA", (200, 200))
    pen = ImageDraw.Draw(image)
    pen.ellipse((10, 10, 190, 190), outline=(20, 30, 120), width=20)
    pen.polygon(((100, 45), (160, 150), (40, 150)), fill=(20, 30, 120))
    return _png(image)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def blocks() -> dict[str, Block]:
    """What is drawn, by name."""
    week = (("Mon", 2.0), ("Tue", 14.5), ("Wed", 0.0), ("Thu", 7.2), ("Fri", 21.0))
    long = (("Living room heating", 412.0), ("Dishwasher", 88.5), ("주방 냉장고", 140.0))
    cold = (("Oslo", -12.0), ("Rome", 9.0), ("Kyiv", -4.0), ("القاهرة", 21.0))
    power = (("Sun", 62.0), ("Wind", 25.0), ("Grid", 13.0))
    return {
        "bars": ChartBlock(summary="", points=week, unit="mm"),
        "long": ChartBlock(summary="", points=long, unit="kWh"),
        "cold": ChartBlock(summary="", points=cold, unit="°C"),
        "columns": ChartBlock(summary="", points=_MONTHS, unit="kWh"),
        "line": ChartBlock(summary="", points=_HOURS, unit="°C", kind="line"),
        "pie": ChartBlock(summary="", points=power, kind="pie"),
        "photo": ImageBlock(image=ImageRef(data=photo(), alt="A ball in the hills")),
        "logo": ImageBlock(image=ImageRef(data=logo())),
    }


async def _nothing(url: str) -> bytes:
    raise AssertionError(f"{url} is asked for")


async def requests(folder: Path) -> list[dict[str, Any]]:
    """What draw_card.py is asked for."""
    return [
        await _request(Card(id=name, dialect="golden", blocks=(block,)), screen)
        | {"out": str(folder / f"{screen_name}-{name}")}
        for screen_name, screen in SCREENS.items()
        for name, block in blocks().items()
    ]


async def _request(card: Card, screen: Screen) -> dict[str, Any]:
    drawer = Drawer(screen.cell)
    finder = PictureFinder(_nothing, asyncio.to_thread, Drawer)
    images = await (await finder.find(card, screen)).rest()
    next_blob = itertools.count(1).__next__
    fitted = fit(card, screen, now=0, next_blob=next_blob, images=images, drawer=drawer)
    names = ("width", "height", "depth", "shape", "cell", "picture_bytes")
    return {
        "screen": {name: getattr(screen, name) for name in names},
        "card": to_data(fitted.card),
        "blobs": [
            {"id": blob.id, "kind": blob.kind, "data": base64.b64encode(blob.data).decode()}
            for blob in fitted.blobs
        ],
    }


def current() -> Iterator[tuple[str, Image.Image]]:
    """Every golden picture by name, as it is drawn now."""
    with tempfile.TemporaryDirectory() as folder:
        for path in draw(asyncio.run(requests(Path(folder)))):
            yield path.stem.removesuffix("-1"), Image.open(io.BytesIO(path.read_bytes())).copy()


def differences() -> list[str]:
    """Names of pictures that are missing, too many, or not what is drawn now."""
    return kept.differences(TARGET, dict(current()))


if __name__ == "__main__":
    sys.exit(kept.main(__doc__, TARGET, lambda: dict(current()), differences))
