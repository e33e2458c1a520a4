"""The faces of a panel under MicroPython: what is kept, what is told of what is missing."""

import struct

from screen.type.faces import MISSING_MAX, Faces

FOLDER = __file__[: __file__.rindex("tests/")] + "firmware/faces/"


def record(code, face):
    """A glyph of a card: one black px."""
    return struct.pack(">IBBbbBB", code, face, 9, 0, 1, 1, 1) + b"\x03"


def test_a_character_that_no_face_has_is_told_once_however_often_it_is_drawn():
    told = []
    faces = Faces(FOLDER, ("t8", "b8"), told.append)
    for _ in range(5):
        assert faces.get(0, 0x8377) is None
    assert told == [0x8377]
    for code in range(0x4E00, 0x4E00 + 2 * MISSING_MAX):
        faces.get(0, code)
    assert len(faces._missing) == MISSING_MAX


def test_glyphs_that_come_with_a_card_are_found_until_it_goes():
    told = []
    faces = Faces(FOLDER, ("t8", "b8"), told.append)
    assert faces.get(1, 0x8377) is None
    faces.add_batch(7, record(0x8377, 1))
    advance, left, top, source = faces.get(1, 0x8377)
    assert (advance, left, top) == (9, 0, 1) and source[:3] == (b"\x03", 1, 1)
    assert faces.get(0, 0x8377) is None  # of another face
    faces.drop_batch(7)
    assert faces.get(1, 0x8377) is None
    assert told == [0x8377, 0x8377, 0x8377]
