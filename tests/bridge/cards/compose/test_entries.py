"""Fields, lists, steps and tables as rows."""

import pytest
from fakes.cards.type_sheets import DENSE, TenPxLetters, inks, items, right, sheet, texts
from voxcard.cards.compose.entries import (
    Columns,
    Field,
    ListRow,
    StepRow,
    TableRow,
    change_ink,
    tint,
)
from voxcard.cards.icons.table import ICONS
from voxwire.type import drawing
from voxwire.type.roles import ACCENT, BAD_INK, DIM, GOOD_INK, INK, TRACK, WARN_INK

PARCEL = [("Status", "Delivered"), ("From", "Oslo"), ("Weight", "2.4 kg")]
LONG = [*PARCEL, ("Delivery address", "Storgata 27, Oslo")]


def field(name, value, block):
    return Field(name=name, value=value, block=block)


def boxes(drawn):
    return [item for item in drawn if isinstance(item, drawing.Box)]


def faces(on, drawn):
    return [on.setting.screen.faces[item.face] for item in drawn]


class TestFields:
    def test_a_name_stands_left_and_its_value_flush_right_on_one_baseline(self):
        on = sheet()
        for name, value in PARCEL:
            left, rest = items(field(name, value, PARCEL), on)
            assert (left.text, left.x, rest.text, right(on, rest)) == (name, 10, value, 230)
            assert left.y == rest.y == 37
            assert faces(on, (left, rest)) == ["t20", "b20"]

    def test_names_step_back_and_values_do_not(self):
        assert inks(items(field("From", "Oslo", PARCEL), sheet())) == [
            ("From", DIM),
            ("Oslo", INK),
        ]

    def test_one_row_without_room_puts_every_name_of_its_block_over_its_value(self):
        on = sheet()
        for name, value in LONG[:3]:
            above, below = items(field(name, value, LONG), on)
            assert (above.x, below.x) == (10, 10) and above.y < below.y
            assert faces(on, (above, below)) == ["t15", "t20"]

    def test_a_name_over_its_value_stays_with_it(self):
        rows = list(field("From", "Oslo", LONG).rows(sheet(), 10))
        assert [row.keep for row in rows] == [True, False]

    def test_names_are_set_smaller_before_they_move_over_their_values(self):
        on = sheet()
        block = [("Estimated time", "9:15")]
        name, value = items(field(*block[0], block), on)
        assert name.y == value.y
        assert faces(on, (name, value)) == ["t15", "b20"]

    def test_values_with_line_breaks_stand_under_their_names(self):
        block = [("Address", "Storgata 27\nOslo")]
        assert texts(items(field(*block[0], block), sheet())) == ["Address", "Storgata 27", "Oslo"]
        ys = [item.y for item in items(field(*block[0], block), sheet())]
        assert ys == sorted(set(ys))

    def test_a_value_without_a_name_is_a_paragraph(self):
        [item] = items(field("", "late", PARCEL), sheet())
        assert (item.text, item.x, item.ink) == ("late", 10, WARN_INK)

    def test_all_rows_of_a_round_panel_begin_and_end_at_one_x(self):
        on = sheet("240x240-round", top=60, next_top=60)
        ends = {
            (name.x, right(on, value))
            for y, row in zip((60, 85, 110), PARCEL, strict=True)
            for name, value in [items(field(*row, PARCEL), on, y)]
        }
        assert ends == {(36, 204)}

    def test_a_right_to_left_name_stands_right_and_its_value_left(self):
        on = sheet(smooth=TenPxLetters())
        block = [("שלום", "חלב")]
        name, value = items(field(*block[0], block), on)
        assert (right(on, name), value.x) == (230, 10)
        assert name.y == value.y

    def test_drawn_rows_are_as_high_as_their_marks(self):
        on = sheet(smooth=TenPxLetters())
        [row] = field("שלום", "חלב", [("שלום", "חלב")]).rows(on, 10)
        assert row.height >= max(item.y + item.height for item in row.items)


class TestTints:
    @pytest.mark.parametrize(
        ("word", "ink"),
        [
            ("Delivered", GOOD_INK),
            ("ON TIME", GOOD_INK),
            ("Paid!", GOOD_INK),
            ("late", WARN_INK),
            (" Delayed. ", WARN_INK),
            ("Failed", BAD_INK),
            ("offline", BAD_INK),
            ("In transit", ACCENT),
        ],
    )
    def test_a_word_for_how_things_stand_has_its_tint(self, word, ink):
        assert tint(word) == ink

    @pytest.mark.parametrize("text", ["", "Oslo", "not paid", "late again", "42", "Upper", "✓"])
    def test_anything_else_has_none(self, text):
        assert tint(text) == INK

    def test_a_tinted_text_is_its_word(self):
        rows = [("Flight", "cancelled"), ("Gate", "B4")]
        assert inks(items(field(*rows[0], rows), sheet()))[1] == ("cancelled", BAD_INK)
        assert inks(items(field(*rows[1], rows), sheet()))[1] == ("B4", INK)

    @pytest.mark.parametrize(
        ("delta", "ink"),
        [
            ("+2.1 %", GOOD_INK),
            ("▲ 3", GOOD_INK),
            ("−0.4", BAD_INK),
            ("-3 °C", BAD_INK),
            ("↓ 12", BAD_INK),
            ("– no change", DIM),
            ("unchanged", DIM),
            ("2 more", DIM),
            ("", DIM),
        ],
    )
    def test_a_change_is_up_or_down_by_its_sign(self, delta, ink):
        assert change_ink(delta) == ink


class TestLists:
    def test_an_entry_has_a_dot_and_its_text_stands_in(self):
        dot, text = items(ListRow(title="Milk"), sheet())
        assert dot == drawing.Box(12, 24, 5, 5, DIM, 2)
        assert (text.text, text.x, text.y) == ("Milk", 30, 36)

    def test_a_number_stands_instead_of_the_dot(self):
        number, text = items(ListRow(title="Milk", mark="4."), sheet())
        assert (number.text, number.x, number.ink) == ("4.", 10, DIM)
        assert (text.x, text.ink) == (45, INK)
        assert number.y == text.y

    def test_an_icon_stands_instead_of_the_dot_on_the_middle_of_the_capitals(self):
        on = sheet()
        icon, text = items(ListRow(title="Milk", icon="parcel"), on)
        assert (icon.text, icon.ink) == (chr(ICONS["parcel"].code), ACCENT)
        assert (faces(on, [icon]), icon.x, text.x) == (["i30"], 10, 50)
        assert icon.y - 30 // 2 == text.y - 20 // 2

    def test_further_lines_stand_under_the_first_not_under_its_mark(self):
        drawn = items(ListRow(title="A long entry that takes two lines", mark="1."), sheet())
        assert len({item.x for item in drawn[1:]}) == 1 and drawn[1].x > drawn[0].x

    def test_a_short_detail_stands_flush_right_beside_the_title(self):
        on = sheet()
        _, title, detail = items(ListRow(title="Milk", detail="1 litre"), on)
        assert (detail.text, detail.ink, right(on, detail)) == ("1 litre", DIM, 230)
        assert (detail.y, faces(on, [detail])) == (title.y, ["t15"])

    def test_a_longer_one_stands_small_under_the_title_and_stays_with_it(self):
        on = sheet()
        part = ListRow(title="Milk", detail="1 litre, not skimmed")
        _, title, detail = items(part, on)
        assert (detail.text, detail.ink, detail.x) == ("1 litre, not skimmed", DIM, title.x)
        assert faces(on, (title, detail)) == ["t20", "t15"]
        assert [row.keep for row in part.rows(on, 10)] == [True, False]

    def test_a_detail_without_a_title_stands_alone(self):
        [_, detail] = items(ListRow(title=" ", detail="1 litre"), sheet())
        assert (detail.text, detail.x) == ("1 litre", 30)

    def test_a_nested_entry_stands_in_by_its_level(self):
        lefts = [items(ListRow(title="Milk", level=level), sheet())[0].x for level in range(3)]
        assert lefts == [12, 24, 36]

    def test_right_to_left_entries_have_their_mark_at_the_right(self):
        on = sheet(smooth=TenPxLetters())
        dot, text = items(ListRow(title="חלב"), on)
        assert (dot.x, right(on, text)) == (222, 210)
        number, text = items(ListRow(title="חלב", mark="4."), on)
        assert (right(on, number), right(on, text)) == (230, 195)
        icon, text = items(ListRow(title="חלב", icon="parcel"), on)
        assert (right(on, icon), right(on, text)) == (230, 190)

    def test_the_detail_of_a_right_to_left_entry_stands_under_it(self):
        on = sheet(smooth=TenPxLetters())
        _, title, detail = items(ListRow(title="חלב", detail="milk.example"), on)
        assert right(on, detail) == right(on, title) == 210


class TestSteps:
    STEPS = (
        StepRow(what="Sent", when="9:00", state="done", first=True),
        StepRow(what="Under way", state="now"),
        StepRow(what="There", last=True),
    )

    def dot(self, part, on=None):
        return boxes(items(part, on or sheet()))[-1]

    def test_a_step_is_done_under_way_or_to_come_by_its_dot(self):
        done, now, to_come = map(self.dot, self.STEPS)
        assert [each.ink for each in (done, now, to_come)] == [GOOD_INK, ACCENT, TRACK]
        assert [each.width for each in (done, now, to_come)] == [13, 18, 13]
        assert all(each.radius == each.width // 2 for each in (done, now, to_come))

    def test_dots_stand_on_one_line(self):
        assert {each.x + each.width // 2 for each in map(self.dot, self.STEPS)} == {20}

    def test_the_line_joins_the_first_dot_to_the_last(self):
        height = 39
        lines = []
        for number, step in enumerate(self.STEPS):
            rail = boxes(items(step, sheet(), 10 + number * height))[0]
            lines.append((rail.y, rail.y + rail.height))
        assert lines == [(26, 49), (49, 88), (88, 104)]

    def test_the_step_under_way_is_semibold_and_those_to_come_step_back(self):
        on = sheet()
        texts_ = [items(step, on)[2] for step in self.STEPS]
        assert [text.ink for text in texts_] == [INK, INK, DIM]
        assert faces(on, texts_) == ["t20", "b20", "t20"]

    def test_the_time_stands_flush_right_where_there_is_room(self):
        on = sheet()
        *_, what, when = items(self.STEPS[0], on)
        assert (when.text, when.ink, right(on, when), when.y) == ("9:00", DIM, 230, what.y)

    def test_else_under_the_step(self):
        on = sheet()
        part = StepRow(what="Leaves the depot", when="10:00")
        *_, when = items(part, on)
        assert (when.text, when.x) == ("10:00", 40)
        assert [row.keep for row in part.rows(on, 10)] == [True, True, False]

    def test_right_to_left_steps_have_their_dots_at_the_right(self):
        on = sheet(smooth=TenPxLetters())
        drawn = items(StepRow(what="שלום", when="9:00", state="done"), on)
        what = next(item for item in drawn if isinstance(item, drawing.Smooth))
        when = next(item for item in drawn if isinstance(item, drawing.Text))
        assert {box.x + box.width // 2 for box in boxes(drawn)} == {220}
        assert right(on, what) == right(on, when) == 200


class TestTables:
    TABLE = Columns(
        names=["Room", "°C", "State"],
        lines=[["Hall", "21.5", "ok"], ["Bath", "9", "late"]],
        numbers=[False, True, False],
    )

    def drawn(self, cells, on, head=False):
        return items(TableRow(cells=cells, table=self.TABLE, head=head), on)

    def test_columns_are_as_wide_as_their_widest_cell_and_the_first_has_the_rest(self):
        on = sheet(style=DENSE)
        natural, widths = self.TABLE.natural(on), self.TABLE.widths(on)
        assert natural[1:] == widths[1:]
        gaps = 2 * on.face("body").cap
        assert sum(widths) + gaps == 220  # from margin to margin

    def test_numbers_stand_flush_right_and_words_left(self):
        on = sheet(style=DENSE)
        rows = [self.drawn(line, on) for line in self.TABLE.lines]
        assert {right(on, row[1]) for row in rows} == {right(on, rows[0][1])}
        assert {row[2].x for row in rows} == {rows[0][2].x}
        assert {row[0].x for row in rows} == {10}

    def test_the_head_is_small_and_dim_and_stays_with_the_first_row(self):
        on = sheet()
        drawn = self.drawn(self.TABLE.names, on, head=True)
        assert {item.ink for item in drawn} == {DIM}
        assert set(faces(on, drawn)) == {"t15"}
        [row] = TableRow(cells=["Room"], table=self.TABLE, head=True).rows(on, 10)
        assert row.keep

    def test_cells_are_tinted_but_for_the_first(self):
        on = sheet(style=DENSE)
        assert [ink for _, ink in inks(self.drawn(["ok", "9", "late"], on))] == [
            INK,
            INK,
            WARN_INK,
        ]

    def test_a_cell_without_room_ends_with_an_ellipsis(self):
        on = sheet()
        table = Columns(names=["A", "B"], lines=[["Kitchen", "x" * 40]], numbers=[False, False])
        _, cell = items(TableRow(cells=table.lines[0], table=table), on)
        assert cell.text.endswith("x…") and right(on, cell) <= 230
        assert not table.fits(on)
        assert self.TABLE.fits(sheet(style=DENSE))
