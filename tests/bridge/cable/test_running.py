"""Whether the firmware for a board's file may go where a MicroPython runs."""

from dataclasses import replace

import pytest
from voxcard.cable import boards, running
from voxcard.cable.running import Running
from voxcard.errors import VoxcardError
from voxcard.package_files import boards as board_files

S3 = boards.read("diy-s3-oled", board_files())
C3 = boards.read("xmini-c3", board_files())
GOOD = Running(
    platform="esp32", version=(1, 28, 0), architecture="xtensawin",
    build="ESP32_GENERIC_S3-SPIRAM_OCT", heap_bytes=8 << 20,
)  # fmt: skip
FROZEN = replace(
    GOOD, architecture="rv32imc", build="VOXCARD_C3", heap_bytes=90000, firmware="0123abcd"
)


def test_what_a_board_says_of_itself_is_read():
    values = {
        "platform": "esp32", "version": [1, 28, 0], "mpy": 10 << 10 | 6 | 3 << 8,
        "build": "ESP32_GENERIC_S3-SPIRAM_OCT", "heap_bytes": 8 << 20, "firmware": "",
    }  # fmt: skip
    assert running.read(values) == GOOD


@pytest.mark.parametrize(
    ("board", "there"),
    [
        (S3, GOOD),
        (S3, replace(GOOD, build="OF_ANOTHER_PROJECT", version=(1, 30, 1))),
        (C3, FROZEN),
        (S3, Running(platform="linux", version=(1, 26, 0), architecture="x64", build="standard",
                     heap_bytes=90000)),
    ],
)  # fmt: skip
def test_the_firmware_may_go_where_it_runs(board, there):
    running.check(there, board)


@pytest.mark.parametrize(
    ("board", "there", "problem"),
    [
        (S3, replace(GOOD, architecture=""), "no native code"),
        (S3, replace(GOOD, architecture="rv32imc"), "runs rv32imc, diy-s3-oled needs xtensawin"),
        (C3, GOOD, "runs xtensawin, xmini-c3 needs rv32imc"),
        (S3, replace(GOOD, version=(1, 27, 9)), "1.27.9 runs on the board; Voxcard needs 1.28"),
        (S3, replace(GOOD, build="VOXCARD_S3"), "is VOXCARD_S3, diy-s3-oled needs ESP32_GENERIC"),
        (
            C3,
            replace(FROZEN, build="ESP32_GENERIC_C3"),
            "is ESP32_GENERIC_C3, .* needs VOXCARD_C3",
        ),
        (C3, replace(FROZEN, build="VOXCARD_S3"), "is VOXCARD_S3, xmini-c3 needs VOXCARD_C3"),
        (C3, replace(FROZEN, firmware=""), "VOXCARD_C3, has no Voxcard inside"),
        (S3, replace(GOOD, heap_bytes=(1 << 20) - 1), "does not use its PSRAM"),
    ],
)
def test_where_it_would_not_run_it_is_refused_with_what_to_do(board, there, problem):
    with pytest.raises(VoxcardError, match=problem) as refused:
        running.check(there, board)
    assert refused.value.remedy


def test_an_image_with_another_firmware_is_told_with_what_to_do():
    assert running.other_firmware(FROZEN, C3, "0123abcd") == ""
    assert running.other_firmware(GOOD, S3, "0123abcd") == ""
    note = running.other_firmware(FROZEN, C3, "ffff0000")
    assert "0123abcd" in note and "ffff0000" in note and "make image BOARD=VOXCARD_C3" in note
