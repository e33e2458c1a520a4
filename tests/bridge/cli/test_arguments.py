"""`key=value` words become arguments by the tool's schema."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cli import arguments
from voxcard.errors import VoxcardError
from voxcard.toolhub.schema import reader

SCHEMA = {
    "properties": {
        "volume": {"type": "integer", "minimum": 0, "maximum": 100},
        "minutes": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "heater": {"type": ["boolean", "null"]},
        "name": {"type": "string"},
        "theme": {"$ref": "#/$defs/Theme"},
        "speed": {"enum": [1, 2, "auto", True]},
        "list": {"type": "array", "items": {"type": "integer"}},
        "where": {"type": "object"},
        "odd": 5,
    },
    "$defs": {"Theme": {"type": "string", "enum": ["dark", "light"]}},
    "required": ["volume"],
}
ARGUMENTS = reader.read(SCHEMA).arguments
READ = [
    ("volume=60", {"volume": 60}),
    ("volume=-1", {"volume": -1}),
    ("minutes=5", {"minutes": 5}),
    ("minutes=null", {"minutes": None}),
    ("ratio=0.5", {"ratio": 0.5}),
    ("ratio=1e3", {"ratio": 1000.0}),
    ("on=yes", {"on": True}),
    ("on=OFF", {"on": False}),
    ("heater=on", {"heater": True}),
    ("heater=null", {"heater": None}),
    ("name=60", {"name": "60"}),
    ("name=null", {"name": "null"}),
    ("name=a=b", {"name": "a=b"}),
    ("name=", {"name": ""}),
    ("theme=dark", {"theme": "dark"}),
    ("speed=2", {"speed": 2}),
    ("speed=auto", {"speed": "auto"}),
    ("speed=true", {"speed": True}),
    ("list=[1, 2]", {"list": [1, 2]}),
    ('where={"room": "hall"}', {"where": {"room": "hall"}}),
    ("odd=true", {"odd": True}),
    ("other=12", {"other": 12}),
    ("other=hello", {"other": "hello"}),
    ("other=NaN", {"other": "NaN"}),
    ("other=1e999", {"other": "1e999"}),
]


@pytest.mark.parametrize(("word", "read"), READ)
def test_a_word_is_read_by_the_kind_the_tool_wants(word, read):
    assert arguments.parse(ARGUMENTS, [word]) == read


RANGE = "volume must be a whole number from 0 to 100, not "
LIST = "Write it as JSON: 'list=[1, 2]'."
REFUSED = [
    (["volume"], "volume is not key=value. Write it like volume=60."),
    (["=5"], "=5 is not key=value. Write it like volume=60."),
    (["volume=loud"], RANGE + "loud. Correct it."),
    (["volume=1.5"], RANGE + "1.5. Correct it."),
    (["volume=1_0"], RANGE + "1_0. Correct it."),
    (["volume=null"], RANGE + "null. Correct it."),
    (["minutes=five"], "minutes must be a whole number, not five. Correct it."),
    (["ratio=x"], "ratio must be a number, not x. Correct it."),
    (["ratio=nan"], "ratio must be a number, not nan. Correct it."),
    (["ratio=1e999"], "ratio must be a number, not 1e999. Correct it."),
    (["on=maybe"], "on must be true or false, not maybe. Correct it."),
    (["theme=blue"], "theme must be one of dark, light, not blue. Correct it."),
    (["speed=3"], "speed must be one of 1, 2, auto, true, not 3. Correct it."),
    (["list=1,2"], f"list must be a list of whole numbers, not 1,2. {LIST}"),
    (["list=7"], f"list must be a list of whole numbers, not 7. {LIST}"),
    (["where=[]"], "where must be an object, not []. Write it as JSON: 'where={\"name\": 1}'."),
    (["on=yes", "on=no"], "on is given twice. Give it once."),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_a_word_that_cannot_be_read_is_named(words, sentence):
    with pytest.raises(VoxcardError) as caught:
        arguments.parse(ARGUMENTS, words)
    assert str(caught.value) == sentence


@given(st.lists(st.text(max_size=12)))
def test_any_words_are_arguments_or_the_one_error(words):
    try:
        read = arguments.parse(ARGUMENTS, words)
    except VoxcardError:
        return
    assert len(read) == len(words)


def test_what_a_tool_takes_is_told_line_by_line():
    schema = {
        "properties": {
            "volume": {"type": "integer", "minimum": 0, "maximum": 100, "description": "percent"},
            "room": {"anyOf": [{"enum": ["hall", "attic"]}, {"type": "null"}], "default": "hall"},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "title": "Ratio"},
            "odd": {"type": "integer", "minimum": "low"},
            "\x1b[2J": {"type": "string"},
            "never": False,
        },
        "required": ["volume"],
    }
    assert list(arguments.described(reader.read(schema))) == [
        "volume: a whole number from 0 to 100, required (percent)",
        'room: one of hall, attic, optional, else "hall"',
        "ratio: a number above 0, optional (Ratio)",
        "odd: not understood: minimum is no number",
        '"\\u001b[2J": not understood: such a name cannot be used',
    ]
