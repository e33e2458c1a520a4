"""The five panels on which every card of the gallery is shown and measured."""

from pathlib import Path

from voxcard import package_files
from voxcard.cards.preview import screens
from voxwire.capability import Screen

_FONTS = package_files.firmware() / "fonts"

# Name -> width, height, shape, driver, um from pixel to pixel, what people call it.
_PANELS: dict[str, tuple[int, int, str, str, int, str]] = {
    "128x64": (128, 64, "rect", "ssd1306", 170, '0.96"'),
    "240x240": (240, 240, "rect", "st7789", 98, '1.3"'),
    "240x240-round": (240, 240, "round", "gc9a01", 135, '1.28" round'),
    "320x240": (320, 240, "rect", "ili9341", 152, '2.4"'),
    "80x160": (80, 160, "rect", "st7735", 135, '0.96"'),
}


def _screen(name: str, fonts: Path) -> Screen:
    width, height, shape, driver, pitch_um, _ = _PANELS[name]
    display = {"width": width, "height": height, "shape": shape, "driver": driver}
    return screens.of_display(display | {"pitch_um": pitch_um}, fonts)


PANELS: dict[str, Screen] = {name: _screen(name, _FONTS) for name in _PANELS}


def label(name: str) -> str:
    """A panel as people call it: its pixels, its diagonal."""
    width, height, *_, diagonal = _PANELS[name]
    return f"{width}x{height} {diagonal}"
