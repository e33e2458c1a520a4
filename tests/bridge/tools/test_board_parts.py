"""A board carries the drivers and tables of its own chips, and no simulator."""

import json

import pytest
from voxcard.cable import board_parts

from tools.build.firmware import FIRMWARE, ROOT
from tools.checks import firmware


def board(name):
    return json.loads((ROOT / "boards" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "drivers"),
    [
        ("diy-s3-oled", ["drivers/oled", "drivers/ssd1306"]),
        ("diy-s3-lcd", ["drivers/rgb_panel"]),
        ("freenove-s3-wroom-cam", []),
        (
            "m5-atoms3r-echo-base",
            ["drivers/rgb_panel", "tables/es8311_bclk", "tables/gc9107_atoms3"],
        ),
        (
            "esp32-s3-box-3",
            [
                "drivers/rgb_panel",
                *("tables/es7210_std", "tables/es8311_bclk", "tables/ili9342c_box"),
            ],
        ),
        ("lilygo-t-circle-s3", ["drivers/rgb_panel", "tables/gc9d01n"]),
        ("xiao-s3-sense-round", ["drivers/rgb_panel", "tables/gc9a01"]),
        ("ha-voice-pe", []),
    ],
)
def test_a_board_carries_the_drivers_of_its_chips(name, drivers):
    expected = {f"hal/{driver}.py" for driver in drivers}
    assert board_parts.drivers(board(name), FIRMWARE) == expected
    absent = board_parts.left_out(board(name), FIRMWARE)
    assert not absent & expected
    assert {"hal/simulator.py", "hal/simulated_audio.py"} <= absent
    assert all((FIRMWARE / path).exists() for path in absent)


def test_every_driver_is_some_boards_or_for_a_panel_that_a_breadboard_may_have():
    used = set().union(*(board_parts.drivers(each, FIRMWARE) for each in firmware.boards()))
    hal = FIRMWARE / "hal"
    sources = (*hal.glob("drivers/*.py"), *hal.glob("tables/*.py"))
    every = {path.relative_to(FIRMWARE).as_posix() for path in sources}
    # Of diy-s3-oled's `alternatives`; and for an ES8311 whose master clock is wired.
    assert every - used == {"hal/drivers/sh1106.py", "hal/tables/es8311_mclk256.py"}


def test_the_size_of_a_board_leaves_out_what_it_does_not_carry(tmp_path):
    for name in (
        "app.mpy",
        "hal/simulator.mpy",
        "hal/drivers/rgb_panel.mpy",
        "hal/drivers/oled.mpy",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(100))
    assert firmware.size_of(board("diy-s3-oled"), tmp_path) == 200
    assert firmware.size_of(board("ha-voice-pe"), tmp_path) == 100


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("diy-s3-oled", {"light"}),
        ("diy-esp32-oled", {"pin_light"}),
        ("esp32-s3-box-lite", {"backlight", "codec", "keys", "stretch"}),
        ("freenove-s3-wroom-cam", {"camera", "light"}),
        ("lilygo-t-circle-s3", {"apa102", "backlight", "light", "touch"}),
        ("lilygo-t-cameraplus-s3", {"backlight", "battery", "camera", "power_chip", "touch"}),
        (
            "m5-cores3",
            {"battery", "camera", "chip_backlight", "codec", "power_chip", "stretch", "touch"},
        ),
        ("waveshare-s3-audio-board", {"backlight", "camera", "codec", "keys", "light", "stretch"}),
        ("xmini-c3-v3", {"battery", "codec", "light"}),
    ],
)
def test_a_board_carries_the_rare_parts_of_its_file_alone(name, parts):
    rare = {"apa102", "battery", "keys", "power_chip", "stretch", "touch", "camera", "codec"}
    rare |= {"backlight", "chip_backlight", "light", "pin_light"}
    absent = board_parts.left_out(board(name), FIRMWARE)
    folders = {each: "sound" if each in ("codec", "stretch") else "parts" for each in rare}
    carried = {each for each in rare if f"hal/{folders[each]}/{each}.py" not in absent}
    assert carried == parts
    assert ("hal/parts/low_battery.py" in absent) is ("battery" not in parts)
    assert ("toolbox/camera.py" in absent) is ("camera" not in parts)
