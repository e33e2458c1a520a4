"""Drawn lines as one blob of strips: each once, numbered in order, only those that are shown."""

import struct
from itertools import count

import pytest
from voxcard.cards.fit.strip_batch import Drawing, StripBatch, lines_of, strips
from voxwire import card as wire

ROW = 12  # px


class Bitmap:
    def __init__(self, width, rows):
        self.width, self.rows = width, rows


class Drawer:
    """Draws the rows of a text, each of them filled with the number of its letters and row."""

    def strip(self, text, width_max, rtl=False):
        return self.block((text,), None, width_max, rtl)

    def block(self, lines, how, width_max, rtl):
        width = min(width_max, 8 * len(lines[0]))
        stride = (width + 7) // 8
        rows = b"".join(bytes([16 * len(lines[0]) + row]) * stride * ROW for row in range(9))
        return Bitmap(width, rows)


def drawing(text, **more):
    return Drawing(lines=(text,), room=80, width=8 * len(text), rtl=False, **more)


def card(*lines, **more):
    page = wire.TextPage("", lines, 0)
    return wire.Card("c", 1, (page,), "", 0, "normal", False, False, ())._replace(**more)


def filled(blob):
    """(px wide, px high, the byte it is filled with) of each strip."""
    found, at = [], 2
    for _ in range(struct.unpack_from(">H", blob)[0]):
        width, height = struct.unpack_from(">HH", blob, at)
        size = height * ((width + 7) // 8)
        (byte,) = set(blob[at + 4 : at + 4 + size])
        found.append((width, height, byte))
        at += 4 + size
    assert at == len(blob)
    return found


def test_a_line_has_one_row_and_is_drawn_once_for_all_places():
    batch = StripBatch(ROW, count(7).__next__)
    [first], [second], [again] = (batch.place(drawing(text)) for text in ("a", "bb", "a"))
    assert (first.blob, first.index, second.index) == (7, 0, 1) and again == first
    whole, blob, text = batch.finish(card(first, second, again), Drawer())
    assert [line.index for line in whole.pages[0].lines] == [0, 1, 0]
    assert (blob.id, blob.kind, filled(blob.data)) == (7, "strips", [(8, 12, 16), (16, 12, 32)])
    assert text == "abb"


def test_strips_that_no_page_shows_are_left_out_and_the_others_counted_anew():
    batch = StripBatch(ROW, count(1).__next__)
    lines = [batch.place(drawing(text))[0] for text in ("a", "bb", "ccc")]
    label = wire.Option("x", lines[2])
    page = wire.ChoicePage(lines[1], (), 0, (label,))
    whole, blob, text = batch.finish(card()._replace(pages=(page,)), Drawer())
    assert whole.pages[0].title.index == 0 and whole.pages[0].options[0].label.index == 1
    assert filled(blob.data) == [(16, 12, 32), (24, 12, 48)] and text == "bbccc"
    assert batch.finish(card(wire.text_line("x")), Drawer()) == (
        card(wire.text_line("x")),
        None,
        "",
    )


def test_a_paragraph_has_a_strip_for_each_of_its_rows_in_order():
    batch = StripBatch(ROW, count(1).__next__)
    lines = batch.place(drawing("ab", rows=3))
    assert [line.index for line in lines] == [0, 1, 2]
    [after] = batch.place(drawing("c"))
    assert after.index == 3
    whole, blob, _ = batch.finish(card(*lines[1:], after), Drawer())
    assert filled(blob.data) == [(16, 12, 33), (16, 12, 34), (8, 12, 16)]
    assert [line.index for line in whole.pages[0].lines] == [0, 1, 2]


def test_a_strip_of_another_blob_stays_as_it_is():
    batch = StripBatch(ROW, count(1).__next__)
    batch.place(drawing("a"))
    [line] = batch.place(drawing("b"))
    picture = wire.strip(9, 5)
    whole, _, _ = batch.finish(card(picture, line), Drawer())
    assert whole.pages[0].lines == (picture, wire.strip(1, 0))
    assert list(lines_of(whole)) == [picture, wire.strip(1, 0)]


@pytest.mark.parametrize(("letters", "size"), [(1, 4 + 12), (2, 4 + 24), (9, 4 + 12 * 9)])
def test_the_size_of_a_card_is_that_of_the_strips_it_shows(letters, size):
    batch = StripBatch(ROW, count(1).__next__)
    [line] = batch.place(drawing("x" * letters))
    batch.place(drawing("unseen"))
    assert batch.size(card(line)) == batch.size(card(line, line)) == size
    assert batch.size(card()) == 0 == StripBatch(ROW, count().__next__).size(card(line))


def test_an_image_is_a_strip_for_each_line_of_text():
    rows = bytes(range(24))  # 8 px wide, 24 high
    blob = strips(rows, 8, 12)
    assert blob[:2] == b"\x00\x02"
    assert blob[2:18] == b"\x00\x08\x00\x0c" + rows[:12]
    assert blob[18:] == b"\x00\x08\x00\x0c" + rows[12:]
    assert len(strips(bytes(3 * 12), 17, 12)) == 2 + 4 + 3 * 12
