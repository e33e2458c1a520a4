"""Cards of files as shots: fitted to a screen, to be drawn by the firmware's own code."""

import asyncio
from pathlib import Path

from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.preview import preview
from voxcard.cards.read import card_file
from voxcard.errors import VoxcardError
from voxwire.capability import Screen

NOW = 1_796_033_400.0  # 2026-11-30, 10:10 UTC: two hours after the weather was fetched


def shots(file: Path, screen: Screen, theme: str = "dark") -> list[preview.Shot]:
    """The cards of a file, fitted to a screen."""
    cards = card_file.read(file.read_text(encoding="utf-8")).cards
    drawer = Drawer(tuple(screen.cell))
    sheets = asyncio.run(preview.fitted(cards, screen, now=NOW, fetch=no_web, drawer=drawer))
    return [preview.Shot(fitted=each, screen=screen, theme=theme) for each in sheets]


async def no_web(url: str) -> bytes:
    """What fetches nothing: examples hold their pictures."""
    raise VoxcardError(f"{url} is not fetched.", "Put the picture into the example.")
