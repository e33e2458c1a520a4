"""The files of boards/: all are possible, and their lists of steps can be run."""

import pytest

from tools.boards import files, generated, rules, table
from tools.checks import boards as check

BOARDS = files.every()
PARTS = files.parts()
STEPS = {"w8": 3, "w16": 3, "set": 3, "clr": 3, "ms": 2, "cmd": 3}


@pytest.mark.parametrize("board", BOARDS)
def test_no_board_is_impossible(board):
    assert check.faults(files.BOARDS / f"{board}.json", PARTS) == []


def test_no_board_claims_hardware_nobody_has_run():
    assert [name for name, board in BOARDS.items() if "hardware" in board["tested"]] == []


def test_the_classes_are_those_of_the_chips_memory():
    second = [name for name, board in BOARDS.items() if board["class"] == 2]
    assert sorted(second) == [
        "diy-esp32-oled",
        "m5-atom-echo",
        "m5-atom-lite-echo-base",
        "m5-atoms3-echo-base",
        "xmini-c3",
        "xmini-c3-v3",
    ]
    assert len(BOARDS) == 25


@pytest.mark.parametrize("part", PARTS)
def test_a_list_of_steps_can_be_run_and_says_where_it_is_from(part):
    content = PARTS[part]
    assert content["kind"] in ("codec", "panel") and content["about"] and content["source"]
    for step in content["init"]:
        assert len(step) == STEPS[step[0]], step
        numbers = step[2] if step[0] == "cmd" else [step[-1]]
        limit = 0x10000 if step[0] == "w16" else 0x100
        assert all(0 <= number < limit for number in numbers), step


def test_every_list_of_steps_is_used_or_is_an_alternative_clock():
    used = {
        stream["codec"]["init"]
        for board in BOARDS.values()
        for stream in (board["audio"]["in"], board["audio"]["out"])
        if "init" in stream.get("codec", {})
    }
    used |= {(board.get("display") or {}).get("init") for board in BOARDS.values()}
    assert set(PARTS) - used == {"es8311_mclk256"}


def test_the_amplifier_behind_a_chip_is_a_switch():
    base = BOARDS["m5-atoms3r-echo-base"]["audio"]["out"]["amp_enable"]
    assert base["on"] == [["w8", "base", 67, 5, 255]] and base["off"] == [["w8", "base", 67, 5, 0]]


def test_the_table_is_written_between_its_marks():
    page = "# A\n<!-- generated: table -->\nold\n<!-- end -->\nrest\n"
    new = generated.filled(page, {"table": "| x |"})
    assert new == "# A\n<!-- generated: table -->\n\n| x |\n\n<!-- end -->\nrest\n"
    assert generated.filled(new, {"table": "| x |"}) == new
    with pytest.raises(ValueError, match="the page has the parts"):
        generated.filled(page, {"other": ""})


def test_a_row_says_class_image_and_where_it_was_tried():
    rows = {row[0]: row for row in table.rows({"diy-esp32-oled": BOARDS["diy-esp32-oled"]})}
    assert rows["[diy-esp32-oled](diy-esp32-oled.json)"][1:] == (
        "2", "ESP32", "none", "`VOXCARD_ESP32`", "in turns", "128×64, ssd1306", "–",
        "everything", "hardware: no, simulated port: yes",
    )  # fmt: skip


def test_the_steps_of_boards_name_registers_of_eight_bits():
    for board in BOARDS.values():
        for path, steps in rules.register_lists(board):
            for step in steps:
                if step[0] in ("w8", "set", "clr"):
                    assert all(0 <= number <= 255 for number in step[2:]), (board["id"], path)
