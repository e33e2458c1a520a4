"""Any bytes as a picture for one panel: the pixels, or a sentence why not."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from voxcard.cards.images.decode import _STARTS, NoPicture, Room, decode

SMALL = Room(width=128, height=64, depth=1, bytes_max=12_288)
PANEL = Room(width=240, height=192, depth=16, bytes_max=12_288)
WHOLE = Room(width=240, height=240, depth=16, bytes_max=1 << 20)


def file(image, kind="PNG", **more):
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


def refusal(data, room=SMALL):
    with pytest.raises(NoPicture) as caught:
        decode(data, room)
    return caught.value.problem


def bits(picture):
    stride = (picture.width + 7) // 8
    return [
        "".join(
            "#" if picture.data[y * stride + x // 8] << x % 8 & 128 else "."
            for x in range(picture.width)
        )
        for y in range(picture.height)
    ]


def colours(picture):
    """{(red, green, blue)} of RGB565 pixels, each in its 5 or 6 bits."""
    pixels = np.frombuffer(picture.data, ">u2")
    return {(int(v) >> 11, int(v) >> 5 & 63, int(v) & 31) for v in pixels}


def png(width, height, data=b"", bits=8, kind=2):
    """A PNG that says it is of this size, whatever its data holds."""

    def chunk(name, body):
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_a_drawing_keeps_its_edges_on_a_mono_panel():
    image = Image.new("L", (16, 12), 255)
    ImageDraw.Draw(image).rectangle((2, 2, 13, 9), outline=0, width=2)
    assert bits(decode(file(image), SMALL)) == [
        "################",
        "################",
        "##............##",
        "##............##",
        "##..########..##",
        "##..########..##",
        "##..########..##",
        "##..########..##",
        "##............##",
        "##............##",
        "################",
        "################",
    ]


def test_a_picture_with_shades_is_dithered_as_bright_as_it_is():
    ramp = Image.fromarray(np.tile(np.arange(0, 256, 2, dtype=np.uint8), (64, 1)))
    rows = bits(decode(file(ramp), SMALL))
    lit = [sum(row[x : x + 16].count("#") for row in rows) / (64 * 16) for x in range(0, 128, 16)]
    assert lit == sorted(lit)
    assert lit[0] < 0.1 and 0.4 < (lit[3] + lit[4]) / 2 < 0.6 and lit[-1] > 0.9


def test_a_dull_picture_is_stretched_to_black_and_white():
    ramp = Image.fromarray(np.tile(np.arange(100, 164, dtype=np.uint8), (64, 1)))
    rows = bits(decode(file(ramp), SMALL))
    assert sum(row[:8].count("#") for row in rows) < 40
    assert sum(row[-8:].count("#") for row in rows) > 472


def test_colours_are_rgb565_with_the_high_byte_first():
    picture = decode(file(Image.new("RGB", (8, 8), (255, 0, 255))), WHOLE)
    assert (picture.width, picture.height) == (8, 8)
    assert picture.data == b"\xf8\x1f" * 64


def test_a_picture_too_large_for_rgb565_is_sent_in_sixteen_colours():
    image = Image.new("RGB", (9, 8), (255, 0, 0))
    image.paste((0, 0, 255), (0, 0, 2, 8))
    data = decode(file(image), Room(width=9, height=8, depth=16, bytes_max=100)).data
    assert len(data) == 32 + 8 * 5  # a palette, then rows of nine half bytes
    red, blue = (data[:32].index(colour) // 2 for colour in (b"\xf8\x00", b"\x00\x1f"))
    assert data[32:37] == bytes((blue << 4 | blue, *(red << 4 | red,) * 3, red << 4))


def test_a_picture_takes_the_largest_size_of_its_shape_and_is_never_enlarged():
    def size(width, height, room):
        picture = decode(file(Image.new("RGB", (width, height), "navy")), room)
        return picture.width, picture.height

    assert size(640, 480, SMALL) == (85, 64)
    assert size(640, 160, SMALL) == (128, 32)
    assert size(640, 480, PANEL) == (180, 135)  # in 16 colours: 12 182 of 12 288 bytes
    assert size(640, 480, WHOLE) == (240, 180)
    assert size(40, 30, WHOLE) == (40, 30)


@pytest.mark.parametrize(
    ("ink", "paper"),
    [((0, 0, 255), {(31, 63, 31), (0, 0, 31)}), ((255, 255, 0), {(0, 0, 0), (31, 63, 0)})],
)
def test_what_is_transparent_is_the_opposite_of_what_is_drawn(ink, paper):
    image = Image.new("RGBA", (16, 16), (0, 0, 0, 0))
    image.paste((*ink, 255), (4, 4, 12, 12))
    assert colours(decode(file(image), WHOLE)) == paper


def test_a_photo_that_lies_on_its_side_is_turned_upright():
    image = Image.new("RGB", (40, 20), "red")
    image.paste((0, 0, 255), (0, 0, 20, 20))
    exif = Image.Exif()
    exif[274] = 6  # turn right by 90 degrees
    picture = decode(file(image, "PNG", exif=exif), WHOLE)
    assert (picture.width, picture.height) == (20, 40)
    assert picture.data[:2] == b"\x00\x1f" and picture.data[-2:] == b"\xf8\x00"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_form_of_every_format_is_read(kind, mode):
    image = Image.new("RGB", (32, 24), (200, 100, 50))
    if mode == "I;16":
        image = Image.fromarray(np.full((24, 32), 40_000, dtype=np.uint16))
    try:
        data = file(image if mode == "I;16" else image.convert(mode), kind)
    except (OSError, ValueError):
        return  # no file of this format holds this form
    for room in (SMALL, WHOLE):
        picture = decode(data, room)
        assert (picture.width, picture.height) == (32, 24)
    if mode == "I;16" and kind == "PNG":  # the others hold 8 bits
        assert colours(picture) <= {
            (r, g, b) for r in (18, 19) for g in (38, 39) for b in (18, 19)
        }


def test_the_format_is_read_from_the_content():
    assert refusal(b"<svg xmlns='http://www.w3.org/2000/svg'/>") == (
        "This is no PNG, JPEG, GIF or WebP picture."
    )
    assert refusal(b"") == "This is no PNG, JPEG, GIF or WebP picture."
    # A format that the library knows and we do not take.
    assert refusal(file(Image.new("RGB", (20, 20)), "TIFF")).startswith("This is no PNG")
    assert refusal(b"RIFF\x04\x00\x00\x00WAVE") == (
        "The picture is damaged (UnidentifiedImageError)."
    )


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (png(30_000, 30_000), "The picture has too many pixels."),
        (png(4000, 4000), "The picture has 4000 x 4000 pixels: too many."),
        (png(1, 1, zlib.compress(bytes(4))), "The picture has only 1 x 1 pixels."),
        (
            png(900, 9, zlib.compress(bytes(9 * 2701))),
            "The picture is too narrow for this screen.",
        ),
        (b"\x89PNG\r\n\x1a\n" + bytes(5 << 20), "The picture is larger than 5 MB."),
        (b"\xff\xd8\xff" + b"\xff\xda" * 41, "The picture has more than 40 scans."),
        (b"\xff\xd8\xff" + bytes(100), "The picture is damaged (UnidentifiedImageError)."),
    ],
)
def test_a_picture_too_large_or_blank_is_refused_before_it_is_unpacked(data, problem):
    assert refusal(data) == problem


def test_a_bomb_of_text_in_a_picture_is_not_unpacked():
    text = zlib.compress(bytes(80 << 20))
    body = b"comment\0\0" + text
    chunk = struct.pack(">I", len(body)) + b"zTXt" + body
    chunk += struct.pack(">I", zlib.crc32(b"zTXt" + body))
    whole = png(16, 16, zlib.compress(bytes(16 * 49)))
    assert refusal(whole[:33] + chunk + whole[33:]).startswith("The picture is damaged")


def test_a_large_photo_is_read_at_a_part_of_its_size():
    data = file(Image.new("RGB", (4800, 4000), "teal"), "JPEG", progressive=True)
    picture = decode(data, PANEL)
    assert (picture.width, picture.height) == (171, 142)


@settings(max_examples=150)
@given(st.data())
def test_any_damage_gives_a_picture_or_a_sentence(data):
    kind = data.draw(st.sampled_from(("PNG", "JPEG", "GIF", "WEBP")))
    whole = bytearray(_SEEDS[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    cut = data.draw(st.integers(0, len(whole)))
    room = data.draw(st.sampled_from((SMALL, PANEL)))
    _holds(bytes(whole[:cut]) if data.draw(st.booleans()) else bytes(whole), room)


@settings(max_examples=100)
@given(st.sampled_from(_STARTS), st.binary(max_size=200), st.sampled_from((SMALL, PANEL)))
def test_any_bytes_give_a_picture_or_a_sentence(start, rest, room):
    _holds(start + rest, room)
    _holds(rest, room)


def _holds(data, room):
    try:
        picture = decode(data, room)
    except NoPicture:
        return
    assert 0 < picture.width <= room.width and 0 < picture.height <= room.height
    row = (picture.width + 7) // 8 if room.depth == 1 else 2 * picture.width
    assert len(picture.data) == row * picture.height <= room.bytes_max


def _seed(kind):
    rng = np.random.default_rng(7)
    return file(Image.fromarray(rng.integers(0, 255, (20, 24, 3), dtype=np.uint8)), kind)


_SEEDS = {kind: _seed(kind) for kind in ("PNG", "JPEG", "GIF", "WEBP")}
