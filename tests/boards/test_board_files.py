"""The boards' files: each is what the schema says, and has a screen a card can be fitted to."""

import json
from pathlib import Path

import jsonschema
import pytest
from voxcard.cards.preview import screens
from voxcard.errors import VoxcardError

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "boards"
FONTS = ROOT / "firmware" / "fonts"
FILES = sorted(path for path in BOARDS.glob("*.json") if path.name != "schema.json")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(read(BOARDS / "schema.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_board_file_is_what_the_schema_says(path):
    board = read(path)
    jsonschema.validate(board, read(BOARDS / "schema.json"), jsonschema.Draft202012Validator)
    assert board["id"] == path.stem


@pytest.mark.parametrize("board", screens.with_screens(BOARDS))
def test_a_board_with_a_panel_gives_a_screen(board):
    screen = screens.named(f"board:{board}", BOARDS, FONTS)
    assert screen.depth == (1 if screen.height == 64 else 16)
    assert screen.cell == ((6, 12) if min(screen.width, screen.height) <= 128 else (8, 16))
    assert screen.pitch_um == 0 or 90 <= screen.pitch_um <= 250


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("ha-voice-pe", "has no screen"),
        ("freenove-s3-wroom-cam", "has no screen"),
        ("../boards/m5-cores3", "There is no board"),
        ("schema", "There is no board"),
        ("toaster", "m5-cores3"),
    ],
)
def test_a_board_that_cannot_show_a_card_is_refused(board, said):
    with pytest.raises(VoxcardError, match=said):
        screens.named(f"board:{board}", BOARDS, FONTS)
