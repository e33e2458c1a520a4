"""Wiring tables and pictures say what the boards' files say."""

import xml.etree.ElementTree as ElementTree

import pytest

from tools.boards import files, pages, pictures, wiring

BOARDS = files.every()
SVG = "{http://www.w3.org/2000/svg}"


def drawn(board):
    """(texts, wires) of a picture: wires as (y, left x, right x)."""
    root = ElementTree.fromstring(pictures.picture(board, board["id"]))
    texts = [
        (int(text.get("x")), int(text.get("y")), text.text) for text in root.iter(f"{SVG}text")
    ]
    wires = []
    for path in root.iter(f"{SVG}path"):
        start, _, end = path.get("d").partition("H")
        x, y = start.removeprefix("M").split()
        wires.append((int(y), int(x), int(end)))
    return root, texts, wires


def test_a_breadboard_has_its_supply_and_every_pin_of_its_file():
    rows = [row[1:] for row in wiring.rows(BOARDS["diy-s3-oled"])]
    assert rows == [
        ("SCK", "GPIO5"), ("WS", "GPIO4"), ("SD", "GPIO6"),
        ("VDD", "3V3"), ("GND", "GND"), ("L/R", "GND"),
        ("BCLK", "GPIO15"), ("LRC", "GPIO16"), ("DIN", "GPIO7"), ("VIN", "5V"), ("GND", "GND"),
        ("SDA", "GPIO41"), ("SCL", "GPIO42"), ("VCC", "3V3"), ("GND", "GND"),
        ("talk", "GPIO47"), ("vol_up", "GPIO40"), ("vol_down", "GPIO39"), ("other side", "GND"),
        ("boot", "GPIO0"), ("data", "GPIO48"),
    ]  # fmt: skip


def test_a_microphone_of_the_right_channel_is_strapped_high():
    board = BOARDS["diy-s3-oled"]
    audio = {**board["audio"], "in": {**board["audio"]["in"], "channel": "right"}}
    assert ("", "L/R", "3V3") in wiring.rows({**board, "audio": audio})


def test_a_closed_board_shows_its_codec_its_clock_and_what_is_behind_a_chip():
    box = wiring.rows(BOARDS["esp32-s3-box-3"])
    assert ("ES7210 (microphone), I2C 0x40", "BCLK", "GPIO17") in box
    assert ("", "MCLK", "GPIO2") in box
    base = wiring.rows(BOARDS["m5-atoms3r-echo-base"])
    assert ("", "amplifier on", "PI4IOE5V6408") in base


@pytest.mark.parametrize("board", BOARDS)
def test_every_wire_goes_to_a_pin_that_the_file_names(board):
    known = {f"GPIO{use.gpio}" for use in files.uses(BOARDS[board])}
    wires = [to for _, _, to in wiring.rows(BOARDS[board])]
    assert {to for to in wires if to.startswith("GPIO")} <= known
    assert "unknown" not in wires


@pytest.mark.parametrize("board", pages.FIRST)
def test_a_picture_has_every_wire_once_and_nothing_outside_it(board):
    root, texts, wires = drawn(BOARDS[board])
    width, height = int(root.get("width")), int(root.get("height"))
    assert all(0 <= x <= width and 0 <= y <= height for x, y, _ in texts)
    assert all(0 <= x1 < x2 <= width and y <= height for y, x1, x2 in wires)
    parts = wiring.parts(BOARDS[board])
    shown = [part for part in parts if part.by_hand] or parts
    expected = sorted((wire.pin, wire.to) for part in shown for wire in part.wires)
    words = {(x, y): text for x, y, text in texts}
    ends = []
    for y, x1, x2 in wires:
        left, right = words[x1 - 8, y + 4], words[x2 + 8, y + 4]
        ends.append((left, right) if x1 < width / 2 else (right, left))
    assert sorted(ends) == expected


@pytest.mark.parametrize("board", pages.FIRST)
def test_the_wires_of_a_picture_do_not_touch(board):
    _, _, wires = drawn(BOARDS[board])
    assert len({(y, x1) for y, x1, _ in wires}) == len(wires)


def test_the_guide_says_honestly_what_a_board_was_tested_on():
    board = BOARDS["diy-s3-oled"]
    said = "tested on hardware: **{}** · on the simulated port: {}"
    assert said.format("no", "no") in pages.section({**board, "tested": []})
    assert said.format("no", "yes") in pages.section({**board, "tested": ["simulated port"]})
    assert said.format("yes", "no") in pages.section({**board, "tested": ["hardware"]})
    assert "the XMOS chip is I2S master" in pages.section(BOARDS["ha-voice-pe"])


def test_every_picture_and_page_is_what_the_files_say():
    for path, text in pages.files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run make boards"
