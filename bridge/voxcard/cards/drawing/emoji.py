"""One emoji in colour, as the 16-colour picture a colour panel draws (firmware/screen/draw.py).

Noto Color Emoji (OFL), from dynamic-font: the extra `emoji`. Drawing takes about 10 ms at 24 px,
the first time 1 s more: not on the event loop.
"""

import logging
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from voxcard.cards.drawing.faces import folder

_LOG = logging.getLogger(__name__)
_PACKAGE = "dynamic_font"
_FILE = "assets/fonts/NotoColorEmoji-Regular.ttf"
_COLOURS = 16  # of the palette; the first is the paper
_ASKS_FOR_COLOUR = "\ufe0f"  # no font draws it

Colour = tuple[int, int, int]  # red, green, blue to 255


def emoji_picture(emoji: str, px: int, paper: Colour = (0, 0, 0)) -> bytes | None:
    """`emoji` (one, of however many characters) on `px` px square of `paper`: a palette of 16
    RGB565 colours in 32 bytes, then rows of half bytes, the first px in the high half.

    None where the font lacks it and where the extra is not installed: the drawer's glyph of one
    bit a pixel stands for it then.
    """
    font = _font()
    glyph = font.glyph(emoji) if font else ""
    return _picture(glyph, px, paper) if glyph else None


def font_file() -> Path | None:
    """The colour font; None where the extra is not installed."""
    place = folder(_PACKAGE)
    return place / _FILE if place and (place / _FILE).exists() else None


@cache
def _font() -> "_EmojiFont | None":
    path = font_file()
    if path is None:
        _LOG.info("Emoji are drawn without colours; the extra `emoji` brings them.")
        return None
    return _EmojiFont(path)


@lru_cache(maxsize=512)
def _picture(glyph: str, px: int, paper: Colour) -> bytes | None:
    font = _font()
    pixels = np.clip(font.pixels(glyph, px), 0, 1) if font else np.zeros((px, px, 4))
    shown = pixels[..., 3] > 1 / 255
    if not shown.any():
        return None
    over = pixels[..., :3] * 255 + np.array(paper) * (1 - pixels[..., 3:])
    return _sixteen(np.round(over).astype(np.uint8), shown, paper)


class _EmojiFont:
    """The glyphs of emoji, also of those that are several characters."""

    def __init__(self, path: Path) -> None:
        from voxcard.cards.drawing.colour_layers import ColourFont

        font = ColourFont(path)
        self._glyph_of = font.tables.getBestCmap()
        # Its first lookup holds every sequence but the flags of parts of a country.
        lookup = font.tables["GSUB"].table.LookupList.Lookup[0]
        self._sequences = {
            (first, *row.Component): row.LigGlyph
            for first, rows in lookup.SubTable[0].ligatures.items()
            for row in rows
        }
        self._has = font.has
        self.pixels = font.pixels

    def glyph(self, emoji: str) -> str:
        """The glyph of one emoji; empty for what is none, or several. The font has digits, too."""
        if emoji.isascii():
            return ""
        parts = tuple(
            self._glyph_of.get(ord(part), "") for part in emoji if part != _ASKS_FOR_COLOUR
        )
        name: str = parts[0] if len(parts) == 1 else self._sequences.get(parts, "")
        return name if self._has(name) else ""


def _sixteen(colours: Any, shown: Any, paper: Colour) -> bytes:
    """Pixels as palette and half bytes: what is not `shown` is the paper, the first colour."""
    from PIL import Image

    from voxcard.cards.images.rgb565 import packed

    ink = Image.fromarray(colours[shown][None])
    flat = ink.quantize(_COLOURS - 1, kmeans=4, dither=Image.Dither.NONE)
    palette = np.zeros((1, _COLOURS, 3), np.uint8)
    palette[0, 0] = paper
    chosen = np.array(flat.getpalette(), np.uint8).reshape(-1, 3)[: _COLOURS - 1]
    palette[0, 1 : 1 + len(chosen)] = chosen
    indices = np.zeros(shown.shape, np.uint8)
    indices[shown] = np.asarray(flat, np.uint8)[0] + 1
    indices = np.pad(indices, ((0, 0), (0, indices.shape[1] % 2)))
    return packed(palette >> np.array((3, 2, 3), np.uint8)) + bytes(
        indices[:, ::2] << 4 | indices[:, 1::2]
    )
