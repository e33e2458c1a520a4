"""Rows to choose from: under the text where all of them fit, else on pages of their own."""

import pytest
from fakes.cards.type_sheets import TenPxLetters, composed, panel, setting
from voxcard.cards.compose.options import OptionRows
from voxcard.cards.model import Action, Question, TextBlock
from voxcard.cards.type.frame import Frame
from voxcard.cards.type.metrics import metrics
from voxcard.cards.type.setting import styles

ASK = (TextBlock(text="What shall we eat?"),)


def buttons(*labels):
    return tuple(
        Action(id=f"o{number}", label=label, kind="message", text=label)
        for number, label in enumerate(labels)
    )


def shown(*labels, name="240x240", **fields):
    """The options on each page, as (id, label)."""
    fields = {"title": "Dinner", "blocks": ASK, **fields}
    pages = composed(name, actions=buttons(*labels), **fields).card.pages
    return [[(each.id, each.label) for each in page.options] for page in pages]


def rows_of(options, name="240x240", smooth=None):
    on = setting(name, smooth)
    style = styles(on.screen).usual
    named = [(f"o{number}", label) for number, label in enumerate(options)]
    return OptionRows(options=named, setting=on, style=style)


def frame(name="240x240"):
    screen = panel(name)
    return Frame(screen=screen, top=10, next_top=10, bottom=screen.height - 10)


def test_few_stand_under_the_text_on_its_page():
    assert shown("Soup", "Salad") == [[("o0", "Soup"), ("o1", "Salad")]]


def test_they_stand_at_the_foot_below_the_last_line():
    [page] = composed(title="Dinner", blocks=ASK, actions=buttons("Soup", "Salad")).card.pages
    first, second = page.options
    assert first.y > max(item.y for item in page.items)
    assert second.y + second.height == 236


def test_more_have_pages_of_their_own_in_their_order():
    labels = ["Soup", "Salad", "Fish", "Rice", "Bread"]
    first, *others = shown(*labels)
    assert first == []
    assert [label for page in others for _, label in page] == labels
    assert all(page for page in others)


def test_rows_are_as_high_as_a_finger_and_do_not_touch():
    for name in ("240x240", "240x240-round", "320x240"):
        rows = list(
            rows_of(["A", "B", "C"], name).place([("a", "A"), ("b", "B")], frame(name), 80)
        )
        assert all(row.height >= 36 for row in rows)
        assert rows[1].y > rows[0].y + rows[0].height


def test_rows_reach_from_margin_to_margin():
    [row] = rows_of(["A"]).place([("a", "A")], frame(), 10)
    assert (row.x, row.width) == (10, 220)
    [row] = rows_of(["A"], "240x240-round").place([("a", "A")], frame("240x240-round"), 100)
    assert (row.x, row.width) == (36, 168)


@pytest.mark.parametrize(
    ("label", "face"),
    [("Yes", "b20"), ("Remind me", "b20"), ("Remind me at noon", "b16")],
)
def test_a_long_label_makes_all_rows_smaller_before_it_takes_two_lines(label, face):
    rows = rows_of([label, "No"])
    placed = list(rows.place(rows.options, frame(), 10))
    assert {panel().faces[row.face] for row in placed} == {face}
    assert [row.label for row in placed] == [label, "No"]


def test_a_label_of_more_than_a_line_is_broken_and_of_more_than_two_cut():
    rows = rows_of(["Remind me tomorrow at noon"])
    [row] = rows.place(rows.options, frame(), 10)
    first, second = row.label.split("\n")
    assert f"{first} {second}" == "Remind me tomorrow at noon"
    rows = rows_of(["Remind me tomorrow at noon and again on Monday and on Tuesday"])
    [row] = rows.place(rows.options, frame(), 10)
    assert row.label.count("\n") == 1 and row.label.endswith("…")


def test_labels_stay_inside_their_round_ends():
    label = "Remind me tomorrow at noon and again on Monday"
    for name in ("240x240", "240x240-round", "80x160"):
        rows = rows_of([label], name)
        for row in rows.place(rows.options, frame(name), 60):
            face = metrics(panel(name).faces[row.face])
            assert max(map(face.width, row.label.split("\n"))) <= row.width - face.cap * 4 // 3


def test_a_label_in_any_script_is_drawn_by_the_bridge():
    drawer = TenPxLetters()
    rows = rows_of(["כן"], smooth=drawer)
    [row] = rows.place(rows.options, frame(), 10)
    assert (row.label.blob, row.label.index) == (1, 0)
    assert drawer.drawn == [("b20", "כן", True)]


def test_a_drawn_label_goes_with_its_card():
    fitted = composed(smooth=TenPxLetters(), blocks=ASK, actions=buttons("כן", "לא"))
    [page] = fitted.card.pages
    assert [each.label.index for each in page.options] == [0, 1]
    [blob] = fitted.blobs
    assert (blob.kind, blob.id) == ("smooth", page.options[0].label.blob)
    assert fitted.card.resources == (blob.id,)


def test_the_question_is_asked_over_its_options():
    question = Question(kind="approval", prompt="Open the door?")
    [page] = composed(question=question, actions=buttons("Yes", "No")).card.pages
    assert " ".join(item.text for item in page.items if item.text.isprintable()).count("Open") == 1
    assert [each.label for each in page.options] == ["Yes", "No"]


def test_pages_of_options_hold_as_many_as_fit():
    rows = rows_of([str(number) for number in range(9)])
    pages = list(rows.pages(frame()))
    assert [len(page) for page in pages] == [4, 4, 1]
    for page in pages:
        assert page[-1].y + page[-1].height <= 230


def test_on_a_round_panel_they_stand_around_its_middle():
    rows = rows_of(["Yes", "No"], "240x240-round")
    [page] = rows.pages(frame("240x240-round"))
    assert abs(page[0].y + page[-1].y + page[-1].height - 240) <= 4


def test_a_panel_for_text_alone_has_none():
    pages = composed(title="Dinner", blocks=ASK, actions=buttons("Soup"), mode="text").card.pages
    assert all(page.options == () for page in pages)
    assert "Soup" in " ".join(item.text for page in pages for item in page.items)
