"""Which boards carry the words of screens in other languages."""

import json
from pathlib import Path

import pytest
from voxcard.cable.board_parts import left_out

ROOT = Path(__file__).parents[3]
TABLES = {f"languages/{name}.py" for name in ("de", "fr", "es", "it", "nl", "ro", "ko")}


@pytest.mark.parametrize(
    ("board", "absent"),
    [("m5-cores3", set()), ("diy-esp32-oled", set()), ("m5-atom-echo", TABLES)],
)
def test_words_of_screens_are_where_there_is_a_screen(board, absent):
    source = json.loads((ROOT / "boards" / f"{board}.json").read_text("utf-8"))
    left = {name for name in left_out(source, ROOT / "firmware") if name.startswith("languages/")}
    assert left == absent
