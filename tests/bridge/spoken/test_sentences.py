"""Where sentences end in a text that still comes in, and where its first clause does."""

import pytest
from voxcard.assistants.spoken.sentences import PIECE_MAX, Splitter


def pieces(text, **options):
    splitter = Splitter(**options)
    return [*splitter.feed(text), *splitter.end()]


@pytest.mark.parametrize(
    "text",
    [
        "Open from 9 a.m. to 5 p.m. on weekdays.",
        "It is 3.5 or 22,1 in version 1.2.3 of it.",
        "Ask Dr. Smith on St. Mary's Road.",
        "Take fruit, e.g. this or i.e. that.",
        "J. R. R. Tolkien wrote it.",
        "Wait... what is it?",
        "Wait… what is it?",
        "See example.com for No. 5 and p. 12.",
        "It costs approx. 5 dollars vs. ten.",
        "On Jan. 5 we meet.",
    ],
)
def test_no_sentence_ends_there(text):
    assert pieces(text) == [text]
    assert pieces(text + " Next.") == [text + " ", "Next."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One. ", "Two! ", "Three? ", "Four"]),
        ('He said "Go." She left. (Yes.) So.', ['He said "Go." ', "She left. ", "(Yes.) ", "So."]),
        ("We close at 5 p.m. Then we go.", ["We close at 5 p.m. ", "Then we go."]),
        ("So he said no. She left.", ["So he said no. ", "She left."]),
        ("Well... Then go.", ["Well... ", "Then go."]),
        ("今日は晴れです。明日は雨です。", ["今日は晴れです。", "明日は雨です。"]),
        ("「はい。」次です！そう？", ["「はい。」", "次です！", "そう？"]),
        ("यह एक है। यह दो है॥ तीन", ["यह एक है।", " यह दो है॥", " तीन"]),
        ("**Done.** Next.", ["**Done.** ", "Next."]),
        ("- one\n- two\n\nEnd", ["- one\n", "- two\n", "\nEnd"]),
        ("One.  Two.", ["One. ", " Two."]),
        ("Look:\n```py\na. B\n```\nSo.", ["Look:\n", "```py\na. B\n```", "\nSo."]),
        ("a `b` and c`d`. D", ["a `b` and c`d`. ", "D"]),
        ("", []),
        ("  ", ["  "]),
    ],
)
def test_where_a_piece_ends(text, expected):
    assert pieces(text) == expected
    assert pieces(text) == [piece for piece in pieces(text) if piece]


def test_a_sentence_is_there_as_soon_as_it_has_ended():
    splitter = Splitter()
    assert splitter.feed("It is on") == []
    assert splitter.feed(".") == []  # "on.example" may come
    assert splitter.feed(" ") == ["It is on. "]
    assert splitter.feed("Open till 5 p.m. ") == []  # "today" may come
    assert splitter.feed("Then") == ["Open till 5 p.m. "]
    assert splitter.feed(" close!") == []
    assert splitter.end() == ["Then close!"]
    assert splitter.end() == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Your lamp is on its way, and it comes soon.", "Your lamp is on its way, "),
        ("Yes, your lamp is on its way, and it comes.", "Yes, your lamp is on its way, "),
        ("Your lamp is on its way — it comes soon.", "Your lamp is on its way — "),
        ("Your lamp is on its way—it comes soon.", "Your lamp is on its way—"),
        ("Here is what I have found: one lamp.", "Here is what I have found: "),
        ("It was bought on May 12, 2026 by you.", "It was bought on May 12, 2026 by you."),
        ("It has cost us about 1,299 dollars.", "It has cost us about 1,299 dollars."),
        ("It begins as we said at 10:30 today.", "It begins as we said at 10:30 today."),
        ("He said to me “go home now, please” then.", "He said to me “go home now, please” then."),
        ('He said to me "go home now, please" then.', 'He said to me "go home now, please" then.'),
        ("It is there (on the left, I think) now.", "It is there (on the left, I think) now."),
    ],
)
def test_a_first_clause_starts_early_but_in_no_number_or_quotation(text, first):
    assert pieces(text, clause_words=4)[0] == first
    assert pieces(text)[0] == text


def test_only_the_first_piece_is_a_clause():
    text = "Your lamp is on its way, and it comes. It is red, and it is new, and good."
    assert pieces(text, clause_words=4) == [
        "Your lamp is on its way, ",
        "and it comes. ",
        "It is red, and it is new, and good.",
    ]


def test_a_sentence_without_an_end_is_cut_at_a_blank():
    text = "word " * 500
    assert max(map(len, pieces(text))) <= PIECE_MAX
    assert "".join(pieces(text)) == text
    assert [len(piece) for piece in pieces("x" * 2500)] == [1000, 1000, 500]
