"""Glyphs: one read from the font file each, batches sent with cards, and what nobody has."""

import struct
import sys

import framebuf
from fakes.device.display import Display
from screen.glyphs import KEPT, Glyphs
from screen.layout import INK, PAPER, Item
from screen.resources import Resources
from screen.view import FONTS, View
from voxwire.errors import WireError

SMALL = FONTS + "6x12.font"
# 가 as 12x12, drawn as a frame.
FRAME = b"\xff\xf0" + b"\x80\x10" * 10 + b"\xff\xf0"
BATCH = struct.pack(">IB", 0xAC00, 12) + FRAME


def counted():
    """Glyphs, and the offsets that were read of their font."""
    glyphs, offsets = Glyphs(SMALL), []
    read = glyphs._read

    def counting(offset, size):
        offsets.append(offset)
        return read(offset, size)

    glyphs._read = counting
    return glyphs, offsets


def refused(act):
    try:
        act()
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_a_glyph_is_bytes_that_framebuf_blits():
    data, width, height, pixels = Glyphs(SMALL).get(ord("L"))
    assert (width, height, pixels) == (6, 12, framebuf.MONO_HLSB)
    assert data == b"\x00\x00" + b"\x80" * 7 + b"\xf8\x00\x00"


def test_a_glyph_costs_one_read_and_is_kept():
    glyphs, offsets = counted()
    glyphs.get(ord("a"))
    glyphs.get(ord("a"))
    assert len(offsets) == 1


def test_used_glyphs_stay_and_unused_ones_are_forgotten():
    glyphs, offsets = counted()
    for code in range(0x400, 0x400 + 3 * KEPT):
        glyphs.get(ord("a"))
        glyphs.get(code if code < 0x464 else code - 0x300)
    assert len(glyphs._young) + len(glyphs._old) <= KEPT
    seeks = len(offsets)
    glyphs.get(ord("a"))
    assert len(offsets) == seeks


def test_a_missing_glyph_is_reported_once_and_has_its_width():
    missing = []
    glyphs = Glyphs(SMALL, missing.append)
    assert glyphs.get(0xAC00) is None and glyphs.get(0xAC00) is None
    assert missing == [0xAC00]
    assert glyphs.advance(0xAC00, None) == 12
    assert glyphs.advance(ord("a"), glyphs.get(ord("a"))) == 6


def test_a_lost_combining_mark_takes_no_room_and_is_no_matter():
    missing = []
    glyphs = Glyphs(SMALL, missing.append)
    assert glyphs.get(0x301) is None and glyphs.advance(0x301, None) == 0
    assert missing == []


class FontModule:
    with open(SMALL, "rb") as file:
        DATA = file.read()


def test_a_font_that_is_part_of_the_image_needs_no_file():
    sys.modules["font_6x12"] = FontModule
    try:
        frozen = Glyphs("/nowhere/6x12.font")
    finally:
        del sys.modules["font_6x12"]
    plain = Glyphs(SMALL)
    assert frozen.ranges() == plain.ranges()
    for code in (ord("L"), 0x1EBF, 0x20AC):
        assert bytes(frozen.get(code)[0]) == plain.get(code)[0]
        assert frozen.big(code) == plain.big(code)
    assert frozen.get(0xAC00) is None
    canvas = framebuf.FrameBuffer(bytearray(12), 8, 12, framebuf.MONO_HLSB)
    canvas.blit(frozen.get(ord("L")), 0, 0)
    assert canvas.pixel(0, 4) == 1


def test_after_a_picture_only_glyphs_out_of_files_are_kept():
    glyphs, offsets = counted()
    before = glyphs.get(ord("L"))
    glyphs.rest()
    assert glyphs.get(ord("L")) is before and len(offsets) == 1
    sys.modules["font_6x12"] = FontModule
    try:
        frozen = Glyphs("/nowhere/6x12.font")
    finally:
        del sys.modules["font_6x12"]
    before, large = frozen.get(ord("L")), frozen.big(ord("L"))
    assert frozen.get(ord("L")) is before
    frozen.rest()
    after = frozen.get(ord("L"))
    assert after is not before and bytes(after[0]) == bytes(before[0])
    assert frozen.big(ord("L")) == large


def test_a_batch_brings_glyphs_until_its_card_is_gone():
    glyphs = Glyphs(SMALL)
    glyphs.add_batch(7, BATCH)
    glyph = glyphs.get(0xAC00)
    assert glyph == (FRAME, 12, 12, framebuf.MONO_HLSB)
    assert glyphs.advance(0xAC00, glyph) == 12
    glyphs.drop_batch(8)
    assert glyphs.get(0xAC00)
    glyphs.drop_batch(7)
    assert glyphs.get(0xAC00) is None


def test_a_glyph_that_was_missing_appears_when_its_batch_comes():
    missing = []
    glyphs = Glyphs(SMALL, missing.append)
    assert glyphs.get(0xAC00) is None
    glyphs.add_batch(7, BATCH)
    assert glyphs.get(0xAC00)


def test_a_broken_batch_is_refused_and_the_old_ones_stay():
    glyphs = Glyphs(SMALL)
    glyphs.add_batch(7, BATCH)
    assert refused(lambda: glyphs.add_batch(8, BATCH[:-1])) == "glyphs: is cut off at U+AC00"
    assert refused(lambda: glyphs.add_batch(8, BATCH + b"\x00")) == "glyphs: is cut off"
    wide = struct.pack(">IB", 0xAC00, 200) + bytes(400)
    assert refused(lambda: glyphs.add_batch(8, wide)) == "glyphs: is cut off at U+AC00"
    assert glyphs.get(0xAC00)


def test_a_large_glyph_has_every_pixel_four_times_and_its_slants_filled():
    data, width, height, _ = Glyphs(FONTS + "8x16.font").big(ord("L"))
    assert (width, height) == (16, 32)
    assert data[8:10] == b"\x30\x00" and data[10:12] == data[8:10]
    small = Glyphs(SMALL).get(ord("/"))[0]
    data, width, height, _ = Glyphs(SMALL).big(ord("/"))
    assert (width, height) == (16, 24)
    ink, plain = sum(map(bits, data)), 4 * sum(map(bits, small))
    assert ink > plain


def bits(byte):
    return sum([byte >> bit & 1 for bit in range(8)])


def resources(picture_bytes=0):
    """Resources, and what they say."""
    said = []
    return Resources(Glyphs(SMALL), said.append, picture_bytes=picture_bytes), said


def test_blobs_of_other_kinds_and_images_without_room_are_refused():
    held, _ = resources()
    assert refused(lambda: held.add(1, "photo", b"")) == "blob.kind: is nothing a card draws from"
    held.add(1, "strips", bytes(20000))
    assert refused(lambda: held.add(2, "image", bytes(5000))) == (
        "blob.size: is more than the screen has room for"
    )
    held.keep(())
    held.keep(())
    held.add(2, "image", bytes(5000))
    assert len(held.get(2)) == 5000 and held.get(1) is None


def test_strips_and_glyphs_without_room_are_dropped_and_logged():
    held, said = resources()
    held.add(1, "strips", bytes(20000))
    held.add(2, "strips", bytes(5000))
    held.add(3, "glyphs", BATCH * 200)
    assert held.get(2) is None and len(held.get(1)) == 20000
    assert said == [
        "no room for 5000 bytes of strips: boxes stand for them",
        "no room for 5800 bytes of glyphs: boxes stand for them",
    ]


def test_the_blobs_of_older_cards_make_room_the_oldest_first():
    held, said = resources()
    for blob_id in (1, 2):
        held.add(blob_id, "strips", bytes(10000))
        held.keep((1, 2))
    held.add(3, "strips", bytes(10000))
    assert [blob_id for blob_id in (1, 2, 3) if held.get(blob_id) is not None] == [2, 3]
    held.add(4, "strips", bytes(10000))
    assert [blob_id for blob_id in (2, 3, 4) if held.get(blob_id) is not None] == [3, 4]
    assert said == []


def test_a_blob_that_is_sent_again_is_there_once():
    held, _ = resources()
    for _ in range(5):
        held.add(1, "strips", bytes(20000))
    held.add(2, "image", bytes(4000))
    assert len(held.get(1)) == 20000 and len(held.get(2)) == 4000


def image(blob_id, y, height):
    return Item("image", 0, y, 10, height, blob_id, INK, PAPER)


def test_an_image_that_comes_is_here_from_its_first_rows_on_and_says_how_many():
    held, _ = resources(1000)
    data = bytearray(1000)
    held.arrive(7, data, 400)
    assert len(held.get(7)) == 1000 and held.count(7) == 400
    held.arrive(7, data, 800)
    assert held.count(7) == 800
    held.add(7, "image", data)
    assert held.count(7) == 1000
    # The same id later: another image.
    other = bytearray(500)
    held.arrive(7, other, 100)
    assert len(held.get(7)) == 500 and held.count(7) == 100


def test_the_rows_that_came_are_to_be_drawn_once_and_those_before_them_not_again():
    held, _ = resources(1000)
    data = bytearray(1000)
    held.arrive(7, data, 400)
    items = [image(7, 5, 50), image(8, 60, 50)]
    assert held.take_spans(items) == [(5, 25)] and held.take_spans(items) == []
    held.arrive(7, data, 600)
    held.arrive(7, data, 810)
    assert held.take_spans(items) == [(5 + 19, 5 + 40)]
    held.add(7, "image", data)
    held.add(8, "image", bytes(1000))  # in one piece
    assert held.take_spans(items) == [(5 + 39, 5 + 50), (60, 110)]


def test_with_memory_for_it_there_is_room_for_two_images_beside_the_strips():
    held, said = resources(50000)
    held.add(1, "strips", bytes(20000))
    for blob_id in (2, 3):
        held.add(blob_id, "image", bytes(50000))
    held.keep((1, 2, 3))
    held.arrive(4, bytearray(50000), 100)
    assert [blob_id for blob_id in (1, 2, 3, 4) if held.get(blob_id) is not None] == [1, 3, 4]
    held.add(5, "strips", bytes(20000))
    assert [blob_id for blob_id in (1, 3, 4, 5) if held.get(blob_id) is not None] == [3, 4, 5]
    held.add(6, "image", bytes(50000))
    assert refused(lambda: held.arrive(7, bytearray(50000), 100)) == (
        "blob.size: is more than the screen has room for"
    )
    held.keep((6,))
    held.keep((6,))
    assert [blob_id for blob_id in (3, 4, 5, 6) if held.get(blob_id) is not None] == [6]
    assert said == []


def test_a_view_says_in_its_capability_what_its_font_holds():
    screen = View(Display()).capability()
    assert (screen.width, screen.height, screen.cell) == (128, 64, (6, 12))
    assert screen.glyphs[0] == (0x20, 0x7E) and len(screen.glyphs) == 46
    assert "strips" in screen.blocks and screen.picture_bytes == 0
    panel = Display(240, 240, 16, cell=(8, 16))
    panel.picture_bytes = 115200
    assert View(panel).capability().picture_bytes == 115200
