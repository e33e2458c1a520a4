"""The firmware fits the flash of every board: two slots of it, beside its fonts and its files."""

import pytest
from voxcard.board_panels import faces

from tools.boards import files
from tools.checks.firmware import boards, bytes_max, in_files, size_of, verdict

KB = 1024
SMALL = {"id": "small", "flash_mb": 4}
LARGE = {"id": "large", "flash_mb": 16}


@pytest.mark.parametrize(("flash_mb", "limit_kb"), [(4, 416), (8, 1440), (16, 3488), (32, 7584)])
def test_a_slot_is_a_quarter_of_what_the_image_leaves_less_its_fonts(flash_mb, limit_kb):
    assert bytes_max({"flash_mb": flash_mb}) == limit_kb * KB


def test_every_board_has_a_limit_by_its_own_flash_less_the_faces_of_its_panel():
    limits = {board["id"]: bytes_max(board) // KB for board in boards()}
    for name, board in files.every().items():
        room = {4: 416, 8: 1440, 16: 3488}[board["flash_mb"]]
        assert (limits[name] < room) == bool(faces(board)), name
    assert limits["diy-s3-oled"] == limits["ha-voice-pe"] == 3488
    assert 300 < limits["xiao-s3-sense-round"] < 1440


def test_boards_without_psram_carry_it_in_their_image():
    named = {name: board["firmware"].get("image") for name, board in files.every().items()}
    in_image = {board["id"] for board in boards() if not in_files(board)}
    assert in_image == {name for name, board in files.every().items() if "psram" not in board}
    assert all(named[name] for name in in_image)


def test_the_tightest_is_named_and_need_not_be_the_largest():
    lines, fits = verdict([(LARGE, 500 * KB), (SMALL, 416 * KB - 7)])
    assert fits
    assert lines == [
        f"{416 * KB - 7} bytes of .mpy on small with 4 MB of flash, the tightest: 7 to spare"
    ]


def test_a_slot_may_be_full_to_its_last_byte():
    assert verdict([(SMALL, 416 * KB)])[1]
    assert not verdict([(SMALL, 416 * KB + 1)])[1]


def test_every_board_that_carries_too_much_is_named():
    other = {"id": "other", "flash_mb": 4}
    lines, fits = verdict([(SMALL, 416 * KB + 1), (LARGE, 0), (other, 417 * KB)])
    assert not fits
    assert lines == [
        f"{417 * KB} bytes of .mpy on other with 4 MB of flash, 1024 too many",
        f"{416 * KB + 1} bytes of .mpy on small with 4 MB of flash, 1 too many",
    ]


def test_a_board_carries_what_it_has_and_no_more(tmp_path):
    for name, size in (
        ("app.mpy", 100),
        ("toolbox/camera.mpy", 30),
        ("hal/simulator.mpy", 5),
        ("hal/drivers/ssd1306.mpy", 2),
        ("hal/drivers/sh1106.mpy", 1),
        ("board.json", 1000),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    by_id = files.every()
    assert size_of(by_id["diy-esp32-oled"], tmp_path) == 102
    assert size_of(by_id["m5-cores3"], tmp_path) == 130
