"""Any image file to the pixels of one panel: sniffed, bounded, scaled, dithered to its colours."""

import importlib.util
import math
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from voxcard.cards.fit.picture import Picture
from voxcard.cards.images.rgb565 import LEVELS, packed, rgb565
from voxcard.errors import MissingExtra, VoxcardError

BYTES_MAX = 5 << 20
# Declared pixels, and those that are really unpacked: a JPEG is unpacked at 1/2, 1/4 or 1/8.
DECLARED_MAX = 25_000_000
DECODED_MAX = 6_000_000  # 3000 x 2000; 24 MB as RGBA
# Every scan of a progressive JPEG goes over all pixels again and may itself be a few bytes.
SCANS_MAX = 40
SIDE_MIN = 8  # px; smaller ones are counters of visits, not pictures
FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
_STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
_COLOURS = 16  # of a picture that has no room for RGB565: four times its pixels in the same bytes
_LINE_ART = 0.85  # share of pixels near black or white from which dots would only blur edges
_RIM = 4  # px that a round panel's circle is narrower where corners would touch its rim


class NoPicture(VoxcardError):  # noqa: N818 - says what it is
    """Bytes that give no picture, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What a picture may take: px, bytes on the wire, and the panel's depth (1 or 16).

    `round`: the corners of the picture lie within a circle of that width."""

    width: int
    height: int
    depth: int
    bytes_max: int
    round: bool = False


def available() -> bool:
    """Whether the extra that reads images is installed."""
    return importlib.util.find_spec("PIL") is not None


def decode(data: bytes, room: Room) -> Picture:
    """The picture in `data` (PNG, JPEG, GIF, WebP by content) as large as the room allows.

    Never enlarged. NoPicture when it is none, or one that would cost too much; MissingExtra
    without Pillow. Takes up to 1 s and 150 MB for the largest: not on the event loop.
    """
    if not available():
        raise MissingExtra("What reads pictures (Pillow)", "images")
    _sniff(data)
    try:
        image = _scaled(data, room)
        rows = _pixels(image, room)
    except NoPicture:
        raise
    except Exception as error:  # a decoder meets every kind of damage with its own exception
        raise NoPicture(f"The picture is damaged ({type(error).__name__}).") from error
    return Picture(width=image.width, height=image.height, data=rows)


def _sniff(data: bytes) -> None:
    if len(data) > BYTES_MAX:
        raise NoPicture(f"The picture is larger than {BYTES_MAX >> 20} MB.")
    if not data.startswith(_STARTS):
        raise NoPicture("This is no PNG, JPEG, GIF or WebP picture.")
    if data.startswith(b"\xff\xd8") and data.count(b"\xff\xda") > SCANS_MAX:
        raise NoPicture(f"The picture has more than {SCANS_MAX} scans.")


def _scaled(data: bytes, room: Room) -> Any:
    """An RGB image of the size it is shown in."""
    from PIL import Image, ImageOps

    try:
        opened = Image.open(BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise NoPicture("The picture has too many pixels.") from error
    with opened as image:
        if image.width * image.height > DECLARED_MAX:
            raise NoPicture(f"The picture has {image.width} x {image.height} pixels: too many.")
        # What is turned by 90 degrees has its room turned as well; twice the size for sharpness.
        side = 2 * max(room.width, room.height)
        image.draft("RGB", (side, side))
        if image.width * image.height > DECODED_MAX:
            raise NoPicture(f"The picture has {image.width} x {image.height} pixels: too many.")
        image.load()
        upright = ImageOps.exif_transpose(image)
    size = _size(upright.size, room)
    return flat(upright).resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _size(size: tuple[int, int], room: Room) -> tuple[int, int]:
    """The largest size of the same shape that the room holds."""
    width, height = size
    if min(width, height) < SIDE_MIN:
        raise NoPicture(f"The picture has only {width} x {height} pixels.")
    pixels_max = room.bytes_max * 8 if room.depth == 1 else (room.bytes_max - 2 * _COLOURS) * 2
    scale = min(1.0, room.width / width, room.height / height)
    if room.round:
        scale = min(scale, (room.width - _RIM) / math.hypot(width, height))
    scale = min(scale, (pixels_max / (width * height)) ** 0.5)
    wide, high = int(width * scale), int(height * scale)
    while wide > SIDE_MIN and _row_bytes(wide, room) * high > room.bytes_max - 2 * _COLOURS:
        wide -= 1
    if min(wide, high) < SIDE_MIN // 2:
        raise NoPicture("The picture is too narrow for this screen.")
    return wide, high


def _row_bytes(width: int, room: Room) -> int:
    return -(-width // 8) if room.depth == 1 else -(-width // 2)


def _pixels(image: Any, room: Room) -> bytes:
    if room.depth == 1:
        return mono(image)
    return rgb565(image) if image.width * image.height * 2 <= room.bytes_max else sixteen(image)


def flat(image: Any) -> Any:
    """RGB; what is transparent becomes black behind a bright picture and white behind a dark."""
    from PIL import Image

    if image.mode.startswith("I") or image.mode == "F":
        # 16 bits a pixel: Pillow would cut off what is above 255.
        image = Image.fromarray((np.asarray(image, dtype=np.uint32) >> 8).astype(np.uint8))
    if not image.has_transparency_data:
        return image.convert("RGB")
    image = image.convert("RGBA")
    pixels = np.asarray(image.resize((32, 32)), dtype=np.float32)
    weight = pixels[..., 3].sum()
    light = (pixels[..., :3].mean(axis=2) * pixels[..., 3]).sum() / weight if weight else 0.0
    paper = Image.new("RGBA", image.size, (0, 0, 0) if light > 127 else (255, 255, 255))
    return Image.alpha_composite(paper, image).convert("RGB")


def mono(image: Any) -> bytes:
    """Rows of bits, 1 = lit: stretched, sharpened, Floyd-Steinberg; line art by threshold."""
    from PIL import Image, ImageFilter, ImageOps

    gray = ImageOps.autocontrast(image.convert("L"), cutoff=1)
    counts = gray.histogram()
    extreme = sum(counts[:48]) + sum(counts[208:])
    if extreme >= _LINE_ART * sum(counts):
        bits = gray.point(lambda value: 255 if value > 127 else 0).convert("1")
    else:
        sharp = gray.filter(ImageFilter.UnsharpMask(radius=1, percent=90, threshold=2))
        bits = sharp.convert("1", dither=Image.Dither.FLOYDSTEINBERG)
    return bytes(bits.tobytes())


def sixteen(image: Any) -> bytes:
    """A palette of 16 RGB565 colours, then rows of half bytes, the first px in the high half."""
    from PIL import Image

    # Small bright things (a sail, a lamp) keep a colour of their own.
    chosen = image.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=4)
    dithered = image.quantize(palette=chosen, dither=Image.Dither.FLOYDSTEINBERG)
    colours = np.zeros((1, _COLOURS, 3), np.float32)
    palette = np.array(chosen.getpalette()[: 3 * _COLOURS], np.uint8).reshape(-1, 3)
    colours[0, : len(palette)] = palette
    indices = np.asarray(dithered, np.uint8)
    if image.width % 2:
        indices = np.pad(indices, ((0, 0), (0, 1)))
    rows = indices[:, ::2] << 4 | indices[:, 1::2]
    return packed(np.rint(colours * (LEVELS / 255))) + rows.tobytes()
