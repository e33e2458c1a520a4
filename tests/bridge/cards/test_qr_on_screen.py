"""Codes are read back, by a decoder that is not ours, from what the firmware itself draws."""

import string
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from tools.pictures import screens

# Bytes that fill a code of each version at level L (ISO/IEC 18004 table 7).
CAPACITY = {1: 17, 2: 32, 3: 53, 4: 78, 6: 134, 7: 154, 9: 230}
# Panel, versions, px a module: what the largest sensible code of a panel is.
ROWS = [
    ("128x64", (1, 2, 3), 2),
    ("128x128", (1, 3, 7), 2),
    ("128x128", (3, 4), 3),
    ("240x240", (4, 9), 4),
    ("240x240", (3, 6, 7), 5),
    ("240x240-round", (3, 4), 4),
    ("320x240", (4, 9), 4),
    ("320x240", (7,), 5),
    ("240x135", (3,), 4),
    ("80x160", (1, 3, 4), 2),
]


def address(version: int) -> str:
    """A link exactly as long as a code of this version holds."""
    start = "https://a.example" if version == 1 else "https://shop.example/"
    filling = string.ascii_lowercase * 10
    return (start + filling)[: CAPACITY[version]]


def with_bezel(path: Path) -> Image.Image:
    """The panel as a camera sees it: in a dark frame."""
    image = Image.open(path).convert("L")
    framed = Image.new("L", (image.width + 40, image.height + 40), 8)
    framed.paste(image, (20, 20))
    return framed


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_codes_of_every_panel_are_read_from_its_framebuffer(theme: str, tmp_path: Path):
    asked, expected = [], []
    for name, versions, scale in ROWS:
        width, height, depth, shape, cell, _ = screens.SCREENS[name]
        screen = {"width": width, "height": height, "depth": depth, "shape": shape, "cell": cell}
        for version in versions:
            page = screens.qr_page(address(version), scale)
            assert page["n"] == 17 + 4 * version
            card = {"id": "c", "pages": [page, {"k": "t", "l": ["x"]}][: 1 + version % 2]}
            out = str(tmp_path / f"{name}-{version}-{scale}")
            asked.append({"screen": screen, "card": card, "theme": theme, "out": out})
            expected.append((out, address(version)))
    paths = {path.stem: path for path in screens.draw(asked)}
    for out, text in expected:
        path = paths[Path(out).name + "-1"]
        codes = [code.text for code in zxingcpp.read_barcodes(with_bezel(path))]
        assert codes == [text], path.name
