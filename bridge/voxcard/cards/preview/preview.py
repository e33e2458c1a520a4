"""Draws a fitted card as a device does: by the firmware's own screen code, under CPython."""

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import Screen

from voxcard import package_files
from voxcard.cards.drawing.smooth import smooth_drawer
from voxcard.cards.fit.fit import Fitted, fit
from voxcard.cards.fit.strip_batch import Drawer
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.model import Card
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.json_value import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image

_SECONDS = 600  # all the pictures of all the cards, on a busy computer
_GAMMA = 2.2  # of the screen the picture is looked at
_PAGE_MS = 3000  # in a GIF, of a page that has no time of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A fitted card on a screen, in the `dark` or `light` theme."""

    fitted: Fitted
    screen: Screen
    theme: str = "dark"


async def fitted(
    cards: Sequence[Card],
    screen: Screen,
    *,
    now: float,
    fetch: Callable[[str], Awaitable[bytes]],
    drawer: Drawer | None,
) -> list[Fitted]:
    """Each card cut down to the screen, with all its pictures, however late they come.

    `fetch` gets what a link leads to (voxcard.cards.images.fetch), `drawer` draws the
    characters the device lacks; `now` is in seconds since 1970.
    """
    finder = PictureFinder(fetch, asyncio.to_thread, lambda cell: drawer)
    ids = count(1).__next__
    fitted_cards = []
    for card in cards:
        images = await (await finder.find(card, screen)).rest()
        fitted_cards.append(
            fit(
                card,
                screen,
                now=now,
                next_blob=ids,
                drawer=drawer,
                smooth=smooth_drawer() if drawer and screen.faces else None,
                images=images,
            )
        )
    return fitted_cards


def draw(shots: Sequence[Shot]) -> list[list["Image"]]:
    """Each shot's pages as pictures at native pixels (mode 1 or RGB), all by one process.

    VoxcardError without Pillow, and with its last line when drawing fails.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra("What writes pictures (Pillow)", "images") from error
    with TemporaryDirectory(prefix="voxcard-") as folder:
        requests = [request(shot, f"{folder}/{index}") for index, shot in enumerate(shots)]
        pages: list[list[Image.Image]] = [[] for _ in shots]
        for path in drawn(requests):
            with Image.open(path) as image:
                image.load()
                pages[int(path.name.partition("-")[0])].append(image)
    return pages


def at_true_size(image: "Image", pitch_um: int, dpi: int) -> "Image":
    """A page as large on a screen of `dpi` as on a panel of `pitch_um`, each pixel by its area.

    The light of pixels that meet in one is added, not their numbers: thin lines stay bright.
    """
    from PIL import Image

    side = [max(1, round(length * pitch_um * dpi / 25_400)) for length in image.size]
    finer = [-(-to // length) * length for length, to in zip(image.size, side, strict=True)]
    bands = []
    for band in image.convert("RGB").resize((finer[0], finer[1]), 0).split():
        light = Image.fromarray((numpy.asarray(band, "float32") / 255) ** _GAMMA)
        smooth = numpy.asarray(light.resize((side[0], side[1]), Image.Resampling.BOX))
        levels = numpy.clip(smooth, 0, 1) ** (1 / _GAMMA) * 255
        bands.append(Image.fromarray(levels.round().astype("uint8")))
    return Image.merge("RGB", bands)


def animation(pages: Sequence["Image"], card: wire.Card, path: Path) -> None:
    """Write a GIF that turns the pages as the card's times say."""
    times = [page.ms or _PAGE_MS for page in card.pages]
    # One palette for all: a GIF's frames share it without a seam.
    frames = [page.convert("RGB").quantize(64) for page in pages]
    loop: dict[str, Any] = {"loop": 0} if card.loop or not card.auto else {}
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, **loop)


def request(shot: Shot, out: str) -> JsonObject:
    """What draw_card.py is asked for to draw the pages of a shot as files `out`-<page>."""
    screen = shot.screen
    names = ("width", "height", "depth", "shape", "cell", "pitch_um", "picture_bytes")
    panel = {name: getattr(screen, name) for name in names}
    blobs = [
        {"id": blob.id, "kind": blob.kind, "data": base64.b64encode(blob.data).decode()}
        for blob in shot.fitted.blobs
    ]
    card = to_data(shot.fitted.card)
    return {"screen": panel, "card": card, "blobs": blobs, "theme": shot.theme, "out": out}


def drawn(requests: Sequence[JsonObject]) -> list[Path]:
    """The files that draw_card.py drew for the requests, in order; else VoxcardError."""
    program = Path(__file__).with_name("draw_under_cpython.py")
    try:
        done = subprocess.run(
            [sys.executable, "-X", "utf8", str(program), str(package_files.firmware())],
            input=json.dumps(requests),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise VoxcardError(f"The firmware could not draw the card: {error}.") from error
    if done.returncode:
        last = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise VoxcardError(f"The firmware could not draw the card: {last}.")
    return [Path(line) for line in done.stdout.splitlines()]
