"""What is measured on the pixels of a drawn page."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from voxwire.type import scale

from tools.pictures.measures import Run


def inked(image: Image.Image, theme: str = "dark") -> NDArray[np.bool_]:
    """Which pixels of a drawn page are not its paper; an array of rows."""
    pixels = np.asarray(image.convert("RGB")).astype(int)
    paper = 255 if theme == "light" else 0
    result: NDArray[np.bool_] = np.abs(pixels - paper).max(axis=2) > 0
    return result


def ink_past_the_rim(image: Image.Image, theme: str) -> int:
    """How many pixels of a round panel's page are inked outside its circle."""
    side = image.width
    y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
    return int((inked(image, theme) & (np.hypot(x, y) > side / 2 - 1)).sum())


def used(image: Image.Image, theme: str = "dark") -> float:
    """The share of a page's rows with ink in them."""
    return float(inked(image, theme).any(axis=1).mean())


def capital_rows(image: Image.Image, run: Run) -> tuple[int, int]:
    """(px high, px below its baseline) of a run's first letter as it is drawn."""
    cap = scale.cap_px(run.face)
    top, right = max(0, run.baseline - cap - 2), run.x + run.metrics.width(run.text[0])
    pixels = np.asarray(image.convert("L")).astype(int)[top : run.baseline + 2, run.x : right]
    apart = np.abs(pixels - pixels[0, 0])
    rows = np.flatnonzero((apart > apart.max() / 2).any(axis=1))
    return int(rows[-1] - rows[0] + 1), int(top + rows[-1] + 1 - run.baseline)
