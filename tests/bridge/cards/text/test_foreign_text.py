"""A tool's text read for what it is: words, Markdown, or JSON in a text block."""

import json

import pytest
from voxcard.cards.text.data.foreign_text import Data, in_words, pieces
from voxcard.cards.text.data.key_values import key_values, scalar
from voxcard.cards.text.markdown.document import READ_MAX

ROWS = [{"name": "Ana", "age": 3}, {"name": "Ion", "age": 5}]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"a": 1}', [Data(value={"a": 1})]),
        ("  [1, 2]\n", [Data(value=[1, 2])]),
        (json.dumps(ROWS, indent=2), [Data(value=ROWS)]),
        ('```json\n{"a": 1}\n```', [Data(value={"a": 1})]),
        ('{"a": 1}\n{"a": 2}', [Data(value=[{"a": 1}, {"a": 2}])]),
        ('"said \\"so\\""', ['said "so"']),
        ('Result: {"ok": true}', ["Result:", Data(value={"ok": True})]),
        ('So:\n```json\n{"a": 1}\n```\nend', ["So:", Data(value={"a": 1}), "end"]),
        ('One\n{\n "a": 1\n}\nTwo', ["One", Data(value={"a": 1}), "Two"]),
        ('```py\n{"a": 1}\n```', ['```py\n{"a": 1}\n```']),
        ("[1] a note", ["[1] a note"]),
        ("[a](https://a.example)", ["[a](https://a.example)"]),
        ('x {"a": 1} y', ['x {"a": 1} y']),
        ("{}", ["{}"]),
        ("{broken", ["{broken"]),
        ("[" * 5000, ["[" * 5000]),
        ("\x1b[32mok\x1b[0m", ["ok"]),
        ("", []),
    ],
)
def test_a_text_is_its_pieces(text, parts):
    assert list(pieces(text)) == parts


def test_words_of_a_piece_hold_no_marks():
    assert in_words(Data(value={"a": [1, 2], "b": None})) == "a: 1, 2\nb: none"
    assert in_words("**a** <b>b</b>") == "a b"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"on": True, "off": False, "n": 1.50}, "on: yes\noff: no\nn: 1.5"),
        (ROWS, "name Ana, age 3\nname Ion, age 5"),
        (["salt", "oil"], "salt, oil"),
        ({"a": {"b": {"c": [{"d": 1}, {"d": 2}]}}}, "a: b c d 1; d 2"),
        ({"a": list(range(12))}, "a: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, +2 more"),
        ({f"k{n}": n for n in range(32)}, None),
        (33, "33"),
        (None, ""),
    ],
)
def test_data_is_said_as_keys_and_values(data, words):
    said = key_values(data)
    assert said == words if words is not None else said.endswith("k29: 29\n+2 more")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (10**400, "…"),
        (float("nan"), "none"),
        ("A" * 200, "…"),
        ("data:image/png;base64,AAAA", "…"),
        ("*now*", "now"),
        ("\ud800", "\ufffd"),
        ("https://a.example/" + "a" * 120, "https://a.example/" + "a" * 120),
    ],
)
def test_a_value_nobody_can_read_is_a_dot_row(value, words):
    assert scalar(value) == words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x" * 39 + '{"a": 1}', ["x" * 39, Data(value={"a": 1})]),
        ("x" * 40 + '{"a": 1}', ["x" * 40 + '{"a": 1}']),
        ('A: {"a": 1};\nB', ["A:", Data(value={"a": 1}), "B"]),
        ('A: {"a": 1} B\nC: [2]', ['A: {"a": 1} B\nC:', Data(value=[2])]),
        ('~~~\n[1]\n~~~\nend', [Data(value=[1]), "end"]),
        ('So:\n~~~ json5\n[1]\n~~~', ["So:", Data(value=[1])]),
        ('So:\n```json\n[1]', ["So:\n```json\n[1]"]),
        ('So:\n```json\n"a"\n```', ['So:\n```json\n"a"\n```']),
        ('So:\n```py\n[1]\n```\n[2]', ["So:\n```py\n[1]\n```", Data(value=[2])]),
        ('{"a": 1}\n\n{"a": 2}\n', [Data(value=[{"a": 1}, {"a": 2}])]),
        ('{"a": 1}\nend', [Data(value={"a": 1}), "end"]),
        ("+---+---+\n| A | B |\n+===+===+\n| 1 | 2 |\n+---+---+",
         ["| A | B |\n|---|---|\n| 1 | 2 |"]),
        ("+---+\n+---+", ["+---+\n+---+"]),
        ("a [1mb[0m c", ["a b c"]),
        ("a [1mb c", ["a [1mb c"]),
        ("\\u001b[31mred", ["red"]),
        ("<b>x</b>", ["<b>x</b>"]),
    ],
)  # fmt: skip
def test_where_data_begins_and_ends_in_a_text(text, parts):
    assert [part.strip("\n") if isinstance(part, str) else part for part in pieces(text)] == parts


def test_twenty_places_of_a_text_are_tried_for_data():
    for places, found in ((19, True), (20, False)):
        parts = list(pieces("[x\n" * places + "end:\n[1]"))
        assert (parts[-1] == Data(value=[1])) is found


def test_data_is_looked_for_as_far_as_a_text_is_read():
    rest = "y" * 10
    parts = list(pieces("A: [1]\n" + "x" * (READ_MAX - 7) + rest))
    assert parts == ["A:", Data(value=[1]), "x" * (READ_MAX - 7), rest]
    assert len(list(pieces("A: [1]\n" + "x" * (READ_MAX - 7)))) == 3
    assert len("".join(pieces("a" * ((1 << 20) + 5)))) == 1 << 20
    long = "!" + "x" * READ_MAX
    assert list(pieces(long)) == [long]
