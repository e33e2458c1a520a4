"""Where a sentence ends, what of a line is language, and how much of a text is said."""

import pytest
from voxcard.assistants.spoken.markup import Line, lines
from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import clauses, shortened


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a\n* b\n• c", [Line("a.", True), Line("b.", True), Line("c.", True)]),
        ("1. a\n2. b", [Line("a.", True), Line("b.", True)]),
        ("1) a\n1) b", [Line("a.", True), Line("b.", True)]),
        ("1. a\n\nx\n2. b", [Line("a.", True), Line("x."), Line("b.", True)]),
        ("42. It is", [Line("42. It is.")]),
        ("4. a\n9. b", [Line("4. a."), Line("9. b.")]),
        ("5. a\n4. b", [Line("5. a."), Line("4. b.")]),
        ("## Head", [Line("Head.")]),
        ("> said", [Line("said.")]),
        ("| a | | b |\n|---|---|---|", [Line("a, b.", True)]),
        ("---\n***\n===", []),
        ("a:", [Line("a:")]),
        ("a;", [Line("a.")]),
        ("a,", [Line("a.")]),
        ("a!)", [Line("a!)")]),
        ('"a."', [Line('"a."')]),
        ("a …", [Line("a…")]),
        ("a\n```\nb\n```\nc", [Line("a."), Line("c.")]),
        ("~~~\nb", []),
        ("x -> y {z} [w] f()", [Line("x to y z w f.")]),
        ("a[12] b", [Line("a b.")]),
        ("a &amp; b&nbsp;c", [Line("a & b c.")]),
        ("F# and #5 and 2*3", [Line("F sharp and number 5 and 2 times 3.")]),
        ("a ☀ → b 🌊 ≥ 5", [Line("a b ≥ 5.")]),
        ("\U0001f000\U0001faffa", [Line("a.")]),
        ("\U0001efffa\U0001fb00", [Line("a\U0001fb00.")]),
        ("\ufe0fa\ufe00", [Line("a.")]),
        ("\u2190a\u2fff", [Line("a.")]),
        ("。", []),
        ("x\x00\ty", [Line("x y.")]),
    ],
)
def test_what_of_a_line_is_language(text, said):
    assert lines(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('a {"b": 1} c', ["a c."]),
        ('a {"b": 1', ["a."]),
        ("a {b} c", ["a b c."]),
        ("a [1] c", ["a 1 c."]),
        ("a [1, 2] c", ["a c."]),
        ('a [1, "', ['a 1, ".']),
        ('a ["b', ["a."]),
        ('a [ {"b', ["a."]),
        ("a [[1] c", ["a 1 c."]),
        ("a {} c", ["a c."]),
        ("a [] c", ["a c."]),
        ("true", []),
        ("true story", ["true story."]),
        ('["x"]' * 12 + "b", ["b."]),
        ('["x"] ' * 13 + "b", ['"x" b.']),
        ("y" * 7999 + "abc", ["y" * 7999 + "a."]),
    ],
)
def test_data_in_a_text_is_left_out(text, said):
    assert [line.text for line in lines(text)] == said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Go at 5 p.m. then rest.", ["Go at 5 p.m. then rest."]),
        ("Go at 5 p.m. Then rest.", ["Go at 5 p.m.", "Then rest."]),
        ("See fig. A now.", ["See fig. A now."]),
        ("So did I. He too.", ["So did I.", "He too."]),
        ("By J. Doe.", ["By J. Doe."]),
        ("Plan 9. Go.", ["Plan 9.", "Go."]),
        ('"Go." he said', ['"Go."', "he said"]),
        ("(e.g. this) one", ["(e.g. this) one"]),
        ("a.) b", ["a.) b"]),
        ("What?! No… Yes", ["What?!", "No…", "Yes"]),
        ("…", []),
    ],
)
def test_where_a_sentence_ends(text, expected):
    assert sentences(text) == expected


def test_three_sentences_within_320_letters_are_said():
    assert shortened("Ab cd. " * 3) == ["Ab cd."] * 3
    assert shortened("Ab cd. " * 4) == ["Ab cd."] * 3
    half = "a" * 158 + "."  # with another, and a blank, 319
    assert len(shortened(f"{half} {half} Bb.")) == 2
    assert len(shortened(f"{half} {half[2:]} Bb.")) == 3
    assert shortened("x" * 400) == ["x" * 320 + "."]
    assert shortened("x " * 200) == [("x " * 160).strip() + "."]


def test_of_a_list_two_items_or_more_are_counted():
    assert shortened("a:\n- b\n- c\n- d") == ["a:", "b.", "c."]
    assert shortened("a:\n- b\n- c\n- d\n- e") == ["a:", "b.", "c.", "And 2 more."]


@pytest.mark.parametrize(
    ("sentence", "pieces"),
    [
        ("a" * 20 + ", " + "b" * 38, 1),  # sixty letters
        ("a" * 20 + ", " + "b" * 39, 2),
        ("a" * 19 + ", " + "b" * 60, 1),
        ("a" * 60 + ", " + "b" * 18, 2),
        ("a" * 60 + ", " + "b" * 17, 1),
        ("a" * 200, 1),
        ("a" * 201, 2),
        ("a " * 100 + "b", 2),
    ],
)
def test_a_long_sentence_is_said_in_pieces(sentence, pieces):
    parts = clauses(sentence)
    assert len(parts) == pieces and max(map(len, parts)) <= 200
    assert " ".join(parts).replace(" ", "") == sentence.replace(" ", "")
