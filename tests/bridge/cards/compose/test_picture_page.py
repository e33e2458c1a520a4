"""A picture with a page of its own, its words over its foot."""

from fakes.cards.type_sheets import composed, items, right, sheet
from voxcard.cards.compose.picture_page import PicturePart, picture_items
from voxcard.cards.fit.picture import Picture
from voxcard.cards.model import ImageBlock, ImageRef, TextBlock
from voxwire.type import drawing
from voxwire.type.roles import DIM, PAPER

LAKE = ImageRef(url="https://i.example/lake.png", alt="The lake at noon")


def part(width, height, caption=""):
    picture = Picture(width=width, height=height, data=b"\x01" * 8)
    return PicturePart(picture=picture, blob=7, caption=caption)


def shown(width, height, caption="", name="240x240"):
    on = sheet(name)
    return on, list(picture_items(part(width, height, caption), on))


def test_a_picture_is_in_the_middle():
    assert shown(100, 60)[1] == [drawing.Photo(70, 90, 100, 60, 7)]


def test_its_words_stand_under_it_where_there_is_room():
    on, (photo, words) = shown(240, 160, "Lake")
    assert (photo.y, photo.y + photo.height) == (27, 187)  # 80 px are left, 25 of them for words
    assert words.y - 15 > 187
    assert (words.text, words.ink) == ("Lake", DIM)
    assert abs(words.x + right(on, words) - 240) <= 1


def test_on_a_picture_as_large_as_the_panel_they_stand_on_a_band_over_its_foot():
    _, (photo, band, words) = shown(240, 240, "Lake")
    assert (photo.x, photo.y) == (0, 0)
    assert band == drawing.Box(0, 215, 240, 25, PAPER, 0)
    assert 215 < words.y < 240


def test_words_without_room_are_cut():
    on, (*_, words) = shown(240, 240, "The lake at noon in the middle of July, from the shore")
    assert words.text.endswith("…") and right(on, words) <= 230


def test_words_on_a_round_panel_are_inside_the_circle():
    on, (_, band, words) = shown(240, 240, "Lake at noon", "240x240-round")
    assert (words.text, band.y, band.y + band.height) == ("Lake at noon", 196, 240)
    for x in (words.x, right(on, words)):
        assert (x - 120) ** 2 + (words.y - 120) ** 2 <= 120**2


def test_it_takes_no_rows():
    assert items(part(8, 8), sheet()) == []


class TestCard:
    def fitted(self, data=b"\x01" * 128, blob=0):
        picture = Picture(width=8, height=8, data=data, blob=blob)
        blocks = (TextBlock(text="Before."), ImageBlock(image=LAKE), TextBlock(text="After."))
        return composed(title="T", blocks=blocks, images={LAKE: picture})

    def test_a_picture_has_the_page_where_it_stands_in_the_card(self):
        fitted = self.fitted()
        photos = [
            [item for item in page.items if isinstance(item, drawing.Photo)]
            for page in fitted.card.pages
        ]
        assert [len(each) for each in photos] == [0, 1, 0]

    def test_its_blob_goes_before_the_card(self):
        fitted = self.fitted()
        [blob] = fitted.blobs
        assert (blob.kind, blob.data) == ("image", b"\x01" * 128)
        assert fitted.card.resources == (blob.id,)

    def test_one_that_is_still_to_come_has_a_frame_and_no_blob_yet(self):
        fitted = self.fitted(data=b"", blob=9)
        assert fitted.blobs == ()
        assert fitted.card.resources == (9,)
        photo = next(
            item
            for page in fitted.card.pages
            for item in page.items
            if isinstance(item, drawing.Photo)
        )
        assert photo.blob == 9
