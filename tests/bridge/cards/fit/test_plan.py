"""The pages of one card on one screen: their time, their titles, and where they end."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.picture import Picture
from voxcard.cards.fit.plan import Plan, Target, short_id
from voxcard.cards.model import (
    Action,
    Card,
    ChartBlock,
    ImageBlock,
    ImageRef,
    Play,
    TextBlock,
)
from voxwire import card as wire
from voxwire.capability import BLOCKS

SCREEN = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x24F),), BLOCKS)
ROWS = 5  # under a title
LAKE = ImageRef(url="https://i.example/1.png", alt="Lake")


def plan(card, screen=SCREEN, **pictures):
    target = Target(
        screen=screen,
        now=0,
        next_blob=count(1).__next__,
        short_link=lambda url: None,
        pictures=pictures.get("pictures", {}),
        drawer=None,
    )
    return Plan(card, target)


def built(card, codes=0, lines_max=1000, buttons=False, **pictures):
    version = plan(card, **pictures).build(codes, lines_max, buttons)
    return version.card, version.left_out


def lines(card):
    return [[line.text for line in page.lines] for page in card.pages]


def tour(*scenes, ms=None, **more):
    blocks = tuple((TextBlock(text="\n".join(scene.split())),) for scene in scenes)
    times = ms or (2000,) * len(scenes)
    return Card(
        id="c", dialect="x", title="T", play=Play(scenes=blocks, durations_ms=times), **more
    )


@pytest.mark.parametrize(
    ("ms", "rows", "times"),
    [
        (3000, 5, [3000]),
        (3000, 10, [1500, 1500]),
        (3001, 10, [1500, 1500]),
        (1500, 10, [1000, 1000]),
        (1, 5, [1000]),
        (0, 10, [0, 0]),
        (wire.PAGE_MS_MAX, 5, [wire.PAGE_MS_MAX]),
        (wire.PAGE_MS_MAX + 1, 5, [wire.PAGE_MS_MAX]),
    ],
)
def test_the_pages_of_a_scene_share_its_time_and_are_at_least_a_second(ms, rows, times):
    card, _ = built(tour("a " * rows, ms=(ms,)))
    assert [page.ms for page in card.pages] == times


def test_a_scene_begins_a_page():
    card, left_out = built(tour("a b", "c", ms=(2000, 5000)))
    assert lines(card) == [["a", "b"], ["c"]] and left_out == 0
    assert [page.ms for page in card.pages] == [2000, 5000]
    assert (card.auto, card.loop) == (True, False)


@pytest.mark.parametrize(
    ("lines_max", "expected"),
    [
        (15, ([["a", "b"], ["c"], ["d"]], 0)),
        (14, ([["a", "b"], ["c", "+1 more"]], 1)),
        (10, ([["a", "b"], ["c", "+1 more"]], 1)),
        (9, ([["a", "b", "+2 more"]], 2)),
        (5, ([["a", "b", "+2 more"]], 2)),
    ],
)
def test_scenes_without_a_page_are_counted_on_the_one_before(lines_max, expected):
    card, left_out = built(tour("a b", "c", "d"), lines_max=lines_max)
    assert (lines(card), left_out) == expected


def test_a_full_page_gives_up_its_last_line_to_count_the_rest_and_it():
    card, left_out = built(tour("a b c d e", "f"), lines_max=5)
    assert lines(card) == [["a", "b", "c", "d", "+2 more"]]
    assert card.pages[0].ms == 2000 and left_out == 1
    card, _ = built(tour("a b c d", "f"), lines_max=5)
    assert lines(card) == [["a", "b", "c", "d", "+1 more"]]


def test_a_full_page_of_six_lines_keeps_five():
    card, _ = built(tour("a b c d e f", "g"), lines_max=6, screen=SCREEN._replace(height=72))
    assert lines(card) == [["a", "b", "c", "d", "e", "+2 more"]]


def test_a_page_with_a_picture_gives_way_to_what_counts_the_rest():
    ink = {LAKE: Picture(width=16, height=16, data=bytes(32), ink=True)}
    scenes = ((ImageBlock(image=LAKE),), (TextBlock(text="a"),))
    card = Card(id="c", dialect="x", title="T", play=Play(scenes=scenes, durations_ms=(9, 9)))
    whole, left_out = built(card, lines_max=5, pictures=ink)
    assert (lines(whole), whole.pages[0].ms, left_out) == ([["+2 more"]], 0, 1)


def test_a_segment_that_is_cut_ends_the_card():
    card, left_out = built(tour("a b c d e f g", "h", "i"), lines_max=5)
    assert lines(card) == [["a", "b", "c", "d", "+3 more"]] and left_out == 3


def test_the_first_page_of_a_long_title_has_no_other_title_and_later_ones_a_part_of_it():
    body = TextBlock(text="\n".join("abcdefghij"))
    title = "Product launch meeting moved"
    card, _ = built(Card(id="c", dialect="x", title=title, blocks=(body,)))
    assert [page.title for page in card.pages] == ["", *["Product launch meeti…"] * 2]
    assert lines(card)[0][:3] == ["Product launch", "meeting moved", "a"]


def test_a_card_that_only_its_codes_name_needs_no_page_of_its_title():
    link = Action(id="a", label="Museum", kind="link", url="https://a.example")
    for title, kinds in (("Museum", "q"), ("Other", "tq")):
        card, _ = built(Card(id="c", dialect="x", title=title, actions=(link,)), codes=1)
        letters = ["q" if isinstance(page, wire.QrPage) else "t" for page in card.pages]
        assert "".join(letters) == kinds
    card, _ = built(Card(id="c", dialect="x", title="Museum"))
    assert card.pages == (wire.TextPage("", (wire.big("Museum"), wire.text_line("")), 0),)
    card, _ = built(Card(id="c", dialect="x", title="Kunsthistorisches"))
    assert lines(card) == [[]] and card.pages[0].title == "Kunsthistorisches"


def test_choices_left_out_count_where_choices_are_wanted():
    buttons = tuple(Action(id=f"b{n}", label=f"{n}", kind="message") for n in range(14))
    card = Card(id="c", dialect="x", title="T", actions=buttons)
    assert built(card, buttons=True)[1] == 2
    assert built(card, buttons=False)[1] == 0


def test_a_picture_of_ink_is_rows_under_its_title_and_one_of_pixels_a_page():
    chart = ChartBlock(title="Rain", summary="", points=(("a", 1.0),))
    ink = {chart: Picture(width=16, height=24, data=bytes(48), ink=True)}
    card, _ = built(Card(id="c", dialect="x", title="T", blocks=(chart,)), pictures=ink)
    [page] = card.pages
    assert page.title == "Rain" and [line.index for line in page.lines] == [0, 1, 2]
    pixels = {LAKE: Picture(width=64, height=32, data=bytes(256))}
    photo = Card(id="c", dialect="x", title="T", blocks=(ImageBlock(image=LAKE),))
    card, _ = built(photo, pictures=pixels)
    [page] = card.pages
    assert (page.title, page.width, page.height, page.ms) == ("", 64, 32, 0)
    assert [line.text for line in page.lines] == ["Lake"]


def test_the_blobs_are_those_of_pictures_on_the_pages():
    other = ImageRef(url="https://i.example/2.png", alt="Sea")
    pictures = {
        LAKE: Picture(width=16, height=24, data=bytes(48), ink=True),
        other: Picture(width=8, height=8, data=b"\x01" * 8),
    }
    photo = Card(id="c", dialect="x", title="T", blocks=(ImageBlock(image=LAKE),))
    whole = plan(photo, pictures=pictures)
    [blob] = whole.image_blobs(whole.build(0, 100, False).card)
    assert (blob.kind, blob.data[:6]) == ("strips", b"\x00\x03\x00\x10\x00\x08")
    both = Card(id="c", dialect="x", blocks=(ImageBlock(image=LAKE), ImageBlock(image=other)))
    whole = plan(both, pictures=pictures)
    blobs = list(whole.image_blobs(whole.build(0, 100, False).card))
    assert [blob.kind for blob in blobs] == ["strips", "image"]
    assert blobs[1].data == b"\x01" * 8 and blobs[0].id != blobs[1].id


def test_a_picture_that_comes_later_has_its_page_and_its_blob_but_is_none_of_those_to_send():
    photo = Card(id="c", dialect="x", title="T", blocks=(ImageBlock(image=LAKE),))
    for blob, expected in ((0, 1), (77, 77)):  # the device has that already
        pictures = {LAKE: Picture(width=128, height=36, data=b"", blob=blob)}
        whole = plan(photo, pictures=pictures)
        card = whole.build(0, 100, False).card
        [page] = card.pages
        assert (page.blob, page.width, page.height) == (expected, 128, 36)
        assert [line.text for line in page.lines] == ["Lake"]
        assert list(whole.frames(card)) == [expected] and list(whole.image_blobs(card)) == []


def test_an_entry_past_what_all_pages_hold_is_counted_and_no_longer_broken():
    blocks = tuple(TextBlock(text=f"row {n}") for n in range(ROWS * wire.PAGES_MAX + 7))
    card, left_out = built(Card(id="c", dialect="x", title="T", blocks=blocks), lines_max=120)
    shown = [line for page in lines(card) for line in page]
    assert shown[:2] == ["row 0", "row 1"] and shown[118:] == ["row 118", "+8 more"]
    assert left_out == 8


@pytest.mark.parametrize("letter", ["x", "ż"])
def test_an_id_has_64_bytes_at_most_and_a_longer_one_is_told_apart(letter):
    size = len(letter.encode())
    longest = letter * (64 // size)
    assert short_id(longest) == longest
    start, mark = short_id(longest + letter).split("~")
    assert start == letter * (51 // size) and len(mark) == 12
    assert short_id(longest + letter * 2) != short_id(longest + letter)
