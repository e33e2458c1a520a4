"""In which size a card is set, and how it looks: title, icon, source, value, columns."""

import pytest
from fakes.cards.pages import faces_of
from fakes.cards.type_sheets import composed, pages, panel
from voxcard.cards.icons.table import ICONS
from voxcard.cards.model import (
    KeyValueBlock,
    ListBlock,
    ListItem,
    MetricBlock,
    Provenance,
    TableBlock,
    TextBlock,
)
from voxcard.cards.type.setting import styles
from voxwire.type import drawing

SENTENCE = "The quick brown fox jumps over the lazy dog and runs back into the wood. "


def faces(name="240x240", size="normal", **fields):
    """(face, text) on each page."""
    screen = panel(name)._replace(text_size=size)
    shown = composed(name, size=size, **fields).card.pages
    return [faces_of(page, screen) for page in shown]


def body(name="240x240", **fields):
    """The face of the last line of the first page."""
    return faces(name, **fields)[0][-1][0]


def text(words):
    return (TextBlock(text=words),)


class TestSize:
    def test_a_short_answer_is_a_headline(self):
        assert faces(blocks=text("Yes, at noon.")) == [[("b28", "Yes, at"), ("b28", "noon.")]]

    def test_under_a_title_it_is_no_headline_but_grown(self):
        assert faces(title="Noon", blocks=text("Yes, at noon.")) == [
            [("b23", "Noon"), ("t23", "Yes, at noon.")]
        ]

    def test_little_grows_until_it_fills_its_page(self):
        few = faces(title="Fox", blocks=text("Jumps."))
        more = faces(title="Fox", blocks=text(SENTENCE))
        assert [len(few), len(more)] == [1, 1]
        assert few[0][-1][0] == "t23"
        assert more[0][-1][0] == "t20"

    def test_what_takes_more_than_a_page_is_set_in_the_usual_size(self):
        said = faces(title="Fox", blocks=text(SENTENCE * 2))
        assert len(said) == 2
        assert said[0][-1][0] == styles(panel()).usual.faces.body == "t20"

    def test_a_text_of_many_pages_is_set_smaller_down_to_captions(self):
        said = faces(title="Fox", blocks=text(SENTENCE * 3))
        assert (len(said), said[0][-1][0]) == (2, "t16")
        assert body(title="Fox", blocks=text(SENTENCE * 20)) == "t16"
        assert styles(panel()).dense.faces.body == "t16"  # its captions are t15, of which no b15

    def test_no_word_is_torn_to_be_large(self):
        words = "Geschwindigkeit"
        [[(face, said)]] = faces(blocks=text(words))
        assert said == words and face != "b28"

    def test_a_person_may_choose_larger_and_smaller_text(self):
        long = {"title": "Fox", "blocks": text(SENTENCE * 2)}
        sizes = [int(body(size=size, **long)[1:]) for size in ("small", "normal", "large")]
        assert sizes == sorted(sizes) and sizes[0] < sizes[2]


class TestTitle:
    def test_a_title_stands_over_all_pages_small_on_those_after_the_first(self):
        first, second = faces(title="Fox", blocks=text(SENTENCE * 2))
        assert first[0] == ("b20", "Fox")
        assert second[0] == ("t15", "Fox")

    def test_a_card_with_nothing_but_a_title_says_it_as_its_text(self):
        assert faces(title="Good morning") == [[("b28", "Good"), ("b28", "morning")]]

    def test_its_emoji_is_its_icon(self):
        said = pages(title="📦 Parcel", blocks=text("On its way."))
        assert said == [[chr(ICONS["parcel"].code), "Parcel", "On its way."]]

    def test_a_block_that_says_what_a_card_is_gives_it_an_icon(self):
        said = pages(title="Parcel 7731", blocks=text("On its way."))
        assert said[0][:2] == [chr(ICONS["parcel"].code), "Parcel 7731"]


class TestSource:
    def fields(self, fetched=""):
        origin = Provenance(source="Ruter", fetched_at=fetched)
        return {"title": "Bus 31", "blocks": text("In 4 min."), "provenance": origin}

    def test_it_stands_at_the_foot_with_its_age(self):
        # It is 1970-01-01 00:00 on the card.
        assert "Ruter" in pages(**self.fields())[0]
        assert "Ruter · 2h" in pages(**self.fields("1969-12-31T22:00:00Z"))[0]


class TestValue:
    def test_a_metric_first_is_what_the_page_is_about_and_its_title_steps_back(self):
        block = MetricBlock(label="Power", value="1.4", unit="kW", delta="+0.2")
        [said] = faces(title="House", blocks=(block,))
        assert ("d54", "1.4") in said
        assert said[0] == ("t23", "House")  # no semibold
        assert [text for _, text in said] == ["House", "1.4", "kW", "Power", "+0.2"]

    def test_a_label_that_repeats_the_title_is_said_once(self):
        block = MetricBlock(label="Power", value="1.4", unit="kW")
        assert pages(title="Power", blocks=(block,))[0].count("Power") == 1

    def test_smaller_figures_keep_it_on_one_page_with_what_follows(self):
        block = MetricBlock(label="Power", value="1.4", unit="kW")
        rows = KeyValueBlock(rows=tuple((f"Phase {n}", f"{n}.2 A") for n in range(1, 4)))
        [said] = faces(title="House", blocks=(block, rows))
        figures = {face for face, text in said if text == "1.4"}
        assert figures < {"d28", "d36", "d44"}

    def test_weather_told_in_a_sentence_is_a_value_with_its_sky(self):
        said = pages(title="Oslo", blocks=text("Oslo: 4 °C, Light rain"))[0]
        assert "4" in said and "°C" in said and "Light rain" in said
        assert any(each in map(chr, (icon.code for icon in ICONS.values())) for each in said)


class TestTables:
    def table(self, *columns, rows=2):
        lines = tuple(tuple(f"{name} {n}" for name in columns) for n in range(rows))
        return (TableBlock(columns=columns, rows=lines),)

    def test_columns_that_fit_stand_beside_each_other(self):
        [said] = pages(blocks=self.table("A", "B", "C"))
        assert said == ["A", "B", "C", "A 0", "B 0", "C 0", "A 1", "B 1", "C 1"]

    def test_the_first_column_stands_before_those_that_had_no_room_again(self):
        said = pages(blocks=self.table("Room", "Warmth", "Humidity", "Windows"))
        together = [each for page in said for each in page]
        assert together.count("Room 0") == together.count("Room 1") == together.count("Room") == 3
        for name in ("Warmth", "Humidity", "Windows"):
            assert together.count(f"{name} 0") == 1

    def test_rows_are_stacked_where_no_two_columns_have_room(self):
        long = "An entry that is as wide as the whole panel is"
        block = TableBlock(columns=("Name", "What", "Where"), rows=((long, long, long),))
        said = " ".join(pages(blocks=(block,))[0])
        assert said.startswith("An entry") and "What An" in said

    def test_two_columns_are_fields(self):
        block = TableBlock(columns=("Room", "°C"), rows=(("Hall", "21"), ("Bath", "24")))
        shown = composed(blocks=(block,)).card.pages[0].items
        at = {item.text: item for item in shown if isinstance(item, drawing.Text)}
        assert at["Hall"].y == at["21"].y < at["Bath"].y == at["24"].y
        assert at["Room · °C"].y < at["Hall"].y

    def test_no_page_ends_with_the_air_after_a_table(self):
        for rows in range(1, 12):
            said = pages(title="T", blocks=self.table("A", "B", "C", rows=rows))
            assert all(len(page) > 1 for page in said), rows


@pytest.mark.parametrize("count", [1, 5, 12])
def test_every_entry_of_a_list_is_said(count):
    block = ListBlock(items=tuple(ListItem(title=f"Entry {n}") for n in range(count)))
    said = [each for page in pages(title="T", blocks=(block,)) for each in page]
    assert [each for each in said if each.startswith("Entry")] == [
        f"Entry {n}" for n in range(count)
    ]


def test_a_page_alone_on_a_round_panel_lies_around_its_middle():
    [page] = composed("240x240-round", blocks=text("At noon, when the sun is high.")).card.pages
    top = min(item.y for item in page.items) - 18
    bottom = max(item.y for item in page.items)
    assert abs(top + bottom - 240) <= 24
