"""A board carries the drivers of its own chips, those they are built on, and no simulator."""

import json

import pytest

from tools.build import board_parts
from tools.build.firmware import FIRMWARE, ROOT
from tools.checks import firmware


def board(name):
    return json.loads((ROOT / "boards" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "drivers"),
    [
        ("diy-s3-oled", ["oled", "ssd1306"]),
        ("diy-s3-lcd", ["rgb_panel", "st7789"]),
        ("freenove-s3-wroom-cam", []),
        ("m5-atoms3r-echo-base", ["es8311", "gc9107", "rgb_panel"]),
        ("esp32-s3-box-3", ["es7210", "es8311", "ili9341", "rgb_panel"]),
        ("lilygo-t-circle-s3", ["gc9d01n", "rgb_panel"]),
        ("ha-voice-pe", []),
    ],
)
def test_a_board_carries_the_drivers_of_its_chips(name, drivers):
    expected = {f"hal/drivers/{driver}.py" for driver in drivers}
    assert board_parts.drivers(board(name)) == expected
    absent = board_parts.left_out(board(name))
    assert not absent & expected
    assert {"hal/simulator.py", "hal/simulated_audio.py"} <= absent
    assert all((FIRMWARE / path).exists() for path in absent)


def test_every_driver_is_some_boards_or_for_a_panel_that_a_breadboard_may_have():
    used = set().union(*(board_parts.drivers(each) for each in firmware.boards()))
    every = {f"hal/drivers/{path.name}" for path in (FIRMWARE / "hal" / "drivers").glob("*.py")}
    assert every - used == {"hal/drivers/sh1106.py"}  # diy-s3-oled's `alternatives`


def test_the_size_of_a_board_leaves_out_what_it_does_not_carry(tmp_path):
    for name in ("app.mpy", "hal/simulator.mpy", "hal/drivers/st7789.mpy", "hal/drivers/oled.mpy"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(100))
    assert firmware.size_of(board("diy-s3-oled"), tmp_path) == 200
    assert firmware.size_of(board("ha-voice-pe"), tmp_path) == 100
