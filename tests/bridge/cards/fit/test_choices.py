"""The page of a card's choices: how many there are, and where its question is asked."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Action, Card, Parts, Question
from voxwire import card as wire
from voxwire.capability import BLOCKS

SCREEN = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x24F),), BLOCKS)
COLS = 21
ROWS = 5  # under a title


def choices(buttons, prompt_lines=0, **more):
    """(lines of the choice page, labels of its options, lines of the page before it)."""
    actions = tuple(Action(id=f"b{n}", label=f"Dish {n}", kind="message") for n in range(buttons))
    prompt = " ".join(["x" * COLS] * prompt_lines)
    question = Question(kind="choice", prompt=prompt) if prompt else None
    card = Card(id="c", dialect="x", title="T", actions=actions, question=question, **more)
    pages = fit(card, SCREEN, now=0, next_blob=count(1).__next__).card.pages
    texts = [[line.text for line in page.lines] for page in pages]
    last = pages[-1]
    labels = [option.label for option in last.options] if isinstance(last, wire.ChoicePage) else []
    return texts[-1], labels, texts[0] if len(pages) > 1 else []


@pytest.mark.parametrize(
    ("buttons", "prompt_lines", "beside"),
    [
        (1, 4, True),
        (1, 5, False),
        (2, 3, True),
        (2, 4, False),
        (3, 2, True),
        (3, 3, False),
        (9, 2, True),  # three options are enough
        (9, 3, False),
    ],
)
def test_a_question_stands_above_three_options_at_least_or_on_a_page_before(
    buttons, prompt_lines, beside
):
    question = ["x" * COLS] * prompt_lines
    lines, labels, before = choices(buttons, prompt_lines)
    assert len(labels) == buttons
    assert (lines, before) == ((question, []) if beside else ([], question))


def test_twelve_options_are_shown_and_the_others_counted_where_there_is_a_line():
    assert choices(12)[:2] == ([], [f"Dish {n}" for n in range(12)])
    lines, labels, before = choices(13)
    assert (lines, len(labels), before) == (["+1 more"], 12, ["• Dish 12"])
    lines, labels, _ = choices(14, 2)
    assert (lines[2:], len(labels)) == (["+2 more"], 12)


def test_more_parts_are_the_last_option_and_no_choice_is_no_page():
    parts = Parts(current=1, total=3, has_more=True)
    assert choices(12, parts=parts)[1][11:] == ["Dish 11", "More"]
    assert choices(1, parts=Parts(current=3, total=3, has_more=False))[1] == ["Dish 0"]
    assert choices(0)[1] == []


def test_a_label_has_two_cells_less_than_a_line():
    for size, shown in ((COLS - 2, "x" * 19), (COLS - 1, "x" * 18 + "…")):
        actions = (Action(id="b", label="x" * size, kind="message"),)
        card = Card(id="c", dialect="x", title="T", actions=actions)
        page = fit(card, SCREEN, now=0, next_blob=count(1).__next__).card.pages[-1]
        assert page.options[0].label == shown


def test_a_button_whose_id_cannot_come_back_is_no_option():
    ids = ("a" * 64, "a" * 65, "\ud800", "b")
    actions = tuple(Action(id=each, label="x", kind="message") for each in ids)
    link = Action(id="l", label="x", kind="copy", text="y")
    card = Card(id="c", dialect="x", title="T", actions=(*actions, link))
    page = fit(card, SCREEN, now=0, next_blob=count(1).__next__).card.pages[-1]
    assert [option.id for option in page.options] == ["a" * 64, "b"]


@pytest.mark.parametrize(
    ("title", "prompt", "asked"),
    [
        ("Go?", "Go?", []),
        ("Go", "Go?", ["Go?"]),
    ],
)
def test_a_question_is_asked_once(title, prompt, asked):
    question = Question(kind="choice", prompt=prompt)
    actions = (Action(id="b", label="Yes", kind="message"),)
    card = Card(id="c", dialect="x", title=title, actions=actions, question=question)
    pages = fit(card, SCREEN, now=0, next_blob=count(1).__next__).card.pages
    assert [line.text for page in pages for line in page.lines] == asked
