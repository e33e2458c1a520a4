"""A whole card in type: how much of it, its codes, choices and slides, what is left out."""

import json
from itertools import count

import pytest
from fakes.cards.type_sheets import TenPxLetters, composed, pages, panel, texts
from voxcard.cards.compose.plan import TypePlan
from voxcard.cards.fit.fit import wire_bytes
from voxcard.cards.fit.picture import Picture
from voxcard.cards.fit.plan import Target
from voxcard.cards.model import (
    Action,
    Card,
    DividerBlock,
    ImageBlock,
    ImageRef,
    ListBlock,
    ListItem,
    Play,
    TableBlock,
    TextBlock,
)
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.type import drawing

SENTENCE = "The quick brown fox jumps over the lazy dog and runs back into the wood. "
LAKE = ImageRef(url="https://i.example/lake.png", alt="Lake")
TRACK = Action(id="a", label="Track", kind="link", url="https://track.example/abc")
EAT = Action(id="b", label="Eat", kind="message", text="eat")


def plan(name="240x240", images=None, **fields):
    target = Target(
        screen=panel(name),
        now=0,
        next_blob=count(1).__next__,
        short_link=lambda url: None,
        pictures=images or {},
        drawer=None,
    )
    return TypePlan(Card(id="c", dialect="x", **fields), target)


def entries(number):
    return (ListBlock(items=tuple(ListItem(title=f"Entry {each}") for each in range(number))),)


def said(version):
    return [texts(page.items) for page in version.card.pages]


class TestMost:
    def test_at_most_so_many_pages_of_text(self):
        works = plan(title="T", blocks=entries(60))
        assert [len(works.build(0, most, False).card.pages) for most in (1, 2, 3)] == [1, 2, 3]

    @pytest.mark.parametrize("most", [1, 2, 4])
    def test_what_has_no_room_is_counted_on_the_last_page(self, most):
        version = plan(title="T", blocks=entries(60)).build(0, most, False)
        shown = [text for page in said(version) for text in page if text.startswith("Entry")]
        assert shown == [f"Entry {number}" for number in range(len(shown))]
        assert version.left_out == 60 - len(shown)
        assert said(version)[-1][-1] == f"+{60 - len(shown)} more"

    def test_a_long_text_that_is_cut_is_one_thing(self):
        version = plan(title="T", blocks=(TextBlock(text=SENTENCE * 20),)).build(0, 2, False)
        assert (version.left_out, said(version)[-1][-1]) == (1, "+1 more")

    def test_air_and_rules_are_no_things(self):
        blocks = (TextBlock(text=SENTENCE * 4), DividerBlock(), TextBlock(text=SENTENCE * 4))
        assert plan(blocks=blocks).build(0, 1, False).left_out == 2
        table = TableBlock(columns=("A", "B", "C"), rows=(("1", "2", "3"),) * 2)
        blocks = (TextBlock(text=SENTENCE * 4), table)
        assert plan(blocks=blocks).build(0, 1, False).left_out == 1 + 3

    def test_a_picture_makes_room_for_the_count(self):
        blocks = (ImageBlock(image=LAKE), TextBlock(text="After."))
        images = {LAKE: Picture(width=8, height=8, data=b"\x01" * 128)}
        version = plan(blocks=blocks, images=images).build(0, 1, False)
        assert (said(version), version.left_out) == ([["+2 more"]], 2)

    def test_nothing_is_left_out_of_what_fits(self):
        version = plan(title="T", blocks=entries(3)).build(0, 24, True)
        assert version.left_out == 0
        assert "more" not in " ".join(said(version)[-1])


class TestWire:
    @pytest.mark.parametrize("name", ["240x240", "240x240-round", "80x160"])
    def test_a_card_of_any_length_is_within_pages_and_bytes(self, name):
        for blocks in ((TextBlock(text=SENTENCE * 400),), entries(400)):
            fitted = composed(name, title="T", blocks=blocks)
            assert len(fitted.card.pages) <= wire.PAGES_MAX
            assert wire_bytes(fitted.card) <= wire.WIRE_BYTES_MAX
            assert fitted.left_out
            assert [warning.code for warning in fitted.warnings] == ["truncated"]

    def test_a_device_reads_the_card_that_was_written(self):
        fitted = composed(title="T", blocks=entries(5), actions=(TRACK, EAT))
        assert wire.from_data(json.loads(json.dumps(to_data(fitted.card)))) == fitted.card


class TestPages:
    def test_text_then_codes_then_choices(self):
        shown = composed(title="T", blocks=entries(9), actions=(TRACK, EAT)).card.pages
        kinds = [
            "code" if page.code else "options" if page.options and not page.items[2:] else "text"
            for page in shown
        ]
        assert kinds[0] == "text" and kinds.count("code") == 1
        assert [each.label for page in shown for each in page.options] == ["Eat"]

    def test_without_buttons_their_labels_are_said(self):
        works = plan(title="T", blocks=entries(2), actions=(EAT,))
        assert "• Eat" in said(works.build(0, 24, False))[0]
        assert "• Eat" not in said(works.build(0, 24, True))[0]

    def test_a_title_alone_before_its_code_has_no_page(self):
        alone = composed(title="Track", actions=(TRACK,)).card.pages
        assert [bool(page.code) for page in alone] == [True]

    def test_a_card_without_anything_is_an_empty_page(self):
        [page] = composed().card.pages
        assert (page.items, page.options, page.code) == ((), (), None)

    def test_a_page_alone_without_a_title_stands_lower(self):
        [alone] = composed(blocks=(TextBlock(text="Yes."),)).card.pages
        assert alone.items[0].y > 60

    def test_every_page_of_a_card_shows_which_it_is(self):
        shown = composed(title="T", blocks=entries(9), actions=(TRACK,)).card.pages
        for number, page in enumerate(shown):
            if page.code is None:
                dots = [item for item in page.items if isinstance(item, drawing.Box)][: len(shown)]
                assert [dot.ink == 5 for dot in dots].index(True) == number


class TestScenes:
    def test_scenes_have_pages_and_times_of_their_own(self):
        scenes = ((TextBlock(text="One."),), (TextBlock(text="Two."),))
        play = Play(scenes=scenes, durations_ms=(2000, 3000), loop=True)
        card = composed(title="T", play=play).card
        assert [(page.ms, texts(page.items)[-1]) for page in card.pages] == [
            (2000, "One."),
            (3000, "Two."),
        ]
        assert (card.auto, card.loop) == (True, True)

    def test_a_long_scene_shares_its_time(self):
        play = Play(scenes=((TextBlock(text=SENTENCE * 3),),), durations_ms=(6000,))
        shown = composed(title="T", play=play).card.pages
        assert len(shown) > 1
        assert {page.ms for page in shown} == {6000 // len(shown)}


class TestSlides:
    def slides(self, number):
        return tuple(
            Card(id=f"s{each}", dialect="x", title=f"Slide {each}", blocks=entries(2))
            for each in range(number)
        )

    def test_each_slide_is_a_card_of_its_own(self):
        said = pages(title="All", slides=self.slides(3))
        assert [page[0] for page in said] == ["Slide 0", "Slide 1", "Slide 2"]

    def test_slides_share_what_the_bridge_draws(self):
        slides = tuple(
            Card(id=word, dialect="x", blocks=(TextBlock(text=word),)) for word in ("שלום", "חלב")
        )
        fitted = composed(slides=slides, smooth=TenPxLetters())
        assert [blob.kind for blob in fitted.blobs] == ["smooth"]
        drawn = [page.items[0].index for page in fitted.card.pages]
        assert drawn == [0, 1]


def test_a_panel_without_faces_keeps_pages_of_lines():
    shown = composed("128x64", title="T", blocks=entries(2)).card.pages
    assert all(isinstance(page, wire.TextPage) for page in shown)


def test_text_mode_has_no_codes_no_choices_and_no_pictures():
    images = {LAKE: Picture(width=8, height=8, data=b"\x01" * 128)}
    fitted = composed(
        mode="text", title="T", blocks=(ImageBlock(image=LAKE),), images=images,
        actions=(TRACK, EAT),
    )  # fmt: skip
    assert all(page.code is None and page.options == () for page in fitted.card.pages)
    assert not any(
        isinstance(item, drawing.Photo) for page in fitted.card.pages for item in page.items
    )
    words = " ".join(text for page in fitted.card.pages for text in texts(page.items))
    assert "Lake" in words and "track." in words and "Eat" in words
