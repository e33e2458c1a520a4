"""QR codes a phone can read off a small panel: size, quiet zone, module scale (cards, 6.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.text.sanitize import encodable

# Measured: a module of 0.46 mm reads at any usual distance, 0.34 mm only near, 0.25 mm not at all.
SAFE_UM = 460
FLOOR_UM = 300
SCALE_MAX = 16
QUIET = (2, 1)  # light modules around the code; one is as good as four, none reads never
# Bytes that fit at error level L, by version from 1.
CAPACITY = (
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858,
)  # fmt: skip
_ALPHANUMERIC = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
# All eight masks are tried up to this version; above it the search costs more than a card may,
# and one checkered mask is as even as any over a link's letters.
_MASKS_TRIED_TO = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A matrix of `modules` a side in rows padded to bytes (first module in the top bit, 1 dark),
    and how it stands on the screen: `scale` px a module, `quiet` light modules around."""

    modules: int
    rows: bytes
    scale: int
    quiet: int


def fit_code(
    data: str, screen: Screen, suits: Callable[[wire.QrLayout], bool] = lambda place: True
) -> Code | None:
    """The code for `data` at the largest scale whose page `suits`; None when none is readable.

    Where no scale suits, or only one under the safe size does, it is the largest that fits.
    """
    matrix = _matrix(dense(data))
    sizes = _sizes(matrix[0], screen) if matrix else []
    if not matrix or not sizes:
        return None
    modules, rows = matrix
    safe = [size for size in sizes if size[0] * screen.pitch_um >= SAFE_UM or not screen.pitch_um]
    chosen = next(
        (size for size in safe if suits(wire.qr_layout(screen, modules, *size))), sizes[0]
    )
    return Code(modules=modules, rows=rows, scale=chosen[0], quiet=chosen[1])


def dense(data: str) -> str:
    """A link in the alphanumeric mode where that changes nothing: scheme and host in capitals,
    and only when the rest, which is never touched, is of that alphabet already."""
    try:
        parts = urlsplit(data)
    except ValueError:
        return data
    start = len(parts.scheme) + 3 + len(parts.netloc)
    if not parts.netloc or "@" in parts.netloc or not _ALPHANUMERIC.issuperset(data[start:]):
        return data
    upper = data[:start].upper() + data[start:]
    return upper if _ALPHANUMERIC.issuperset(upper) else data


def scale_min(screen: Screen) -> int:
    """The fewest px a module may have on this panel."""
    if screen.pitch_um:
        safe: int = -(-SAFE_UM // screen.pitch_um)
        if (21 + 2) * safe <= _side(screen):
            return safe
        # A panel too small for the safe size: what still reads near, and never under 2 px.
        near: int = -(-FLOOR_UM // screen.pitch_um)
        return max(2, near)
    if screen.depth == 1:
        return 2
    return 4 if _side(screen) >= 160 else 3


def _side(screen: Screen) -> int:
    """px of the largest square that is on the panel whole."""
    side: int = min(screen.width, screen.height)
    return side * 707 // 1000 if screen.shape == "round" else side


def _sizes(modules: int, screen: Screen) -> list[tuple[int, int]]:
    """(scale, quiet) that fit, largest modules first."""
    side, least = _side(screen), scale_min(screen)
    return [
        (scale, quiet)
        for scale in range(min(SCALE_MAX, side // (modules + 2)), least - 1, -1)
        for quiet in QUIET
        if (modules + 2 * quiet) * scale <= side
    ]


@lru_cache(maxsize=256)
def _matrix(data: str) -> tuple[int, bytes] | None:
    """Modules a side and packed rows of the smallest code for `data`; None when it has no size."""
    size = len(data.encode(errors="replace"))
    if not data or size > CAPACITY[-1] or not encodable(data):
        return None
    version = next(index for index, limit in enumerate(CAPACITY, 1) if size <= limit)
    mask = None if version <= _MASKS_TRIED_TO else 3
    code = segno.make(data, error="L", micro=False, mask=mask)  # L, or better where it fits
    rows = (int("".join(map(str, row)), 2) for row in code.matrix)
    modules = len(code.matrix)
    width = wire.row_bytes(modules)
    return modules, b"".join((row << (width * 8 - modules)).to_bytes(width, "big") for row in rows)
