"""`key=value` words become arguments by the tool's schema."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cli import arguments
from voxcard.errors import VoxcardError

SCHEMA = {
    "properties": {
        "volume": {"type": "integer"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "name": {"type": "string"},
        "list": {"type": "array"},
        "odd": 5,
    }
}
READ = [
    ("volume=60", {"volume": 60}),
    ("volume=-1", {"volume": -1}),
    ("ratio=0.5", {"ratio": 0.5}),
    ("on=yes", {"on": True}),
    ("on=OFF", {"on": False}),
    ("name=60", {"name": "60"}),
    ("name=a=b", {"name": "a=b"}),
    ("name=", {"name": ""}),
    ("list=[1, 2]", {"list": [1, 2]}),
    ("odd=true", {"odd": True}),
    ("other=12", {"other": 12}),
    ("other=hello", {"other": "hello"}),
]


@pytest.mark.parametrize(("word", "read"), READ)
def test_a_word_is_read_by_the_kind_the_tool_wants(word, read):
    assert arguments.parse(SCHEMA, [word]) == read


REFUSED = [
    (["volume"], "volume is not key=value. Write it like volume=60."),
    (["=5"], "=5 is not key=value. Write it like volume=60."),
    (["volume=loud"], "volume must be a whole number, not loud. Correct it."),
    (["volume=1.5"], "volume must be a whole number, not 1.5. Correct it."),
    (["ratio=x"], "ratio must be a number, not x. Correct it."),
    (["on=maybe"], "on must be true or false, not maybe. Correct it."),
    (["list=1,2"], "list must be JSON, not 1,2. Correct it."),
    (["on=yes", "on=no"], "on is given twice. Give it once."),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_a_word_that_cannot_be_read_is_named(words, sentence):
    with pytest.raises(VoxcardError) as caught:
        arguments.parse(SCHEMA, words)
    assert str(caught.value) == sentence


@given(st.lists(st.text(max_size=12)))
def test_any_words_are_arguments_or_the_one_error(words):
    try:
        read = arguments.parse(SCHEMA, words)
    except VoxcardError:
        return
    assert len(read) == len(words)
