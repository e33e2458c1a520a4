"""A picture takes the place of its frame on a card that was sent, and changes nothing else."""

from voxcard.cards.fit.picture import Picture, with_picture
from voxwire import card as wire

FRAME = wire.ImagePage("", (wire.text_line("The lake"),), 2000, 5, 240, 192)
TEXT = wire.TextPage("Trip", (wire.strip(3, 0),), 0)
OTHER = wire.ImagePage("", (), 0, 6, 240, 208)
SENT = wire.Card(
    "trip", 4, (TEXT, FRAME, OTHER, FRAME), "i.example", 60, 1, True, False, (3, 5, 6)
)


def test_a_picture_has_its_own_size_wherever_its_frame_is():
    filled = with_picture(SENT, 5, Picture(width=240, height=180, data=b"pixels"))
    shown = FRAME._replace(height=180)
    assert filled == SENT._replace(pages=(TEXT, shown, OTHER, shown))


def test_the_words_of_one_that_does_not_come_stay_on_its_page():
    words = wire.TextPage("", (wire.text_line("[picture]"), wire.text_line("The lake")), 2000)
    expected = SENT._replace(pages=(TEXT, words, OTHER, words), resources=(3, 6))
    assert with_picture(SENT, 5, None) == expected


def test_a_blob_that_is_on_no_page_changes_nothing():
    assert with_picture(SENT, 9, Picture(width=8, height=8, data=b"x")) == SENT
    assert with_picture(SENT, 3, None) == SENT._replace(resources=(5, 6))
