"""Metrics of the faces, read from the files of the firmware."""

import pytest
from voxcard.cards.type.metrics import folder, metrics, read
from voxwire.type import scale


@pytest.mark.parametrize("name", scale.KNOWN)
def test_a_face_has_capitals_as_high_as_it_is_named(name):
    face = metrics(name)
    assert (face.name, face.cap) == (name, int(name[1:]))


def test_a_line_holds_ascent_and_descent_less_a_little_air():
    face = metrics("t20")
    assert (face.ascent, face.descent, face.pitch) == (27, 7, 31)


def test_a_text_is_as_wide_as_its_letters_together():
    face = metrics("t20")
    assert face.width("") == 0
    assert face.width("AB") == face.advances[ord("A")] + face.advances[ord("B")]
    assert face.width("il") < face.width("MW")


def test_what_a_face_lacks_takes_a_capital():
    assert metrics("t20").width("文") == 20


def test_large_figures_are_as_wide_as_each_other():
    for name in ("d28", "d36", "d54"):
        assert len({metrics(name).width(figure) for figure in "0123456789"}) == 1, name


def test_figures_have_faces_of_their_own_characters():
    assert all(ord(each) in metrics("d54").advances for each in "0123456789.,:-−+°%€$£")


@pytest.mark.parametrize("data", [bytes(20), (folder() / "t18.font").read_bytes()])
def test_a_file_that_is_no_such_face_is_refused(data):
    with pytest.raises(ValueError, match="t20 is no face of type"):
        read("t20", data)
