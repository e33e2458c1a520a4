"""The simulated board: presses are seen, the panel's picture is what was written."""

import os
import time

from hal.simulator import SimulatedButton, SimulatedPanel

FOLDER = os.getenv("TMPDIR") or "/tmp"


def panel(depth):
    path = "%s/voxcard-panel-%d" % (FOLDER, time.ticks_us())
    screen = {"width": 16, "height": 4, "depth": depth, "shape": "rect", "pitch_um": 170}
    return SimulatedPanel(path, screen), path


def picture(shown, path):
    shown.save(path + ".pnm")
    with open(path + ".pnm", "rb") as file:
        data = file.read()
    for name in (path, path + ".pnm"):
        os.remove(name)
    return data


async def test_a_mono_panel_shows_lit_pixels_white():
    shown, path = panel(1)
    await shown.write(0, 1, 16, 2, b"\xf0\x01\x00\xff")
    await shown.write(8, 3, 8, 1, b"\x81")
    assert picture(shown, path) == (
        b"P4\n16 4\n" + b"\xff\xff" + b"\x0f\xfe" + b"\xff\x00" + b"\xff\x7e"
    )


async def test_a_colour_panel_shows_rgb565():
    shown, path = panel(16)
    await shown.write(0, 0, 16, 1, b"\xf8\x00" * 15 + b"\x07\xff")
    data = picture(shown, path)
    assert data[:12] == b"P6\n16 4\n255\n"
    assert data[12:15] == b"\xff\x00\x00"
    assert data[12 + 45 : 12 + 48] == b"\x00\xff\xff"
    assert data[12 + 48 :] == bytes(3 * 16 * 3)


def test_a_short_press_is_seen_by_two_late_looks_which_a_device_needs():
    button = SimulatedButton("talk")
    assert not button.pressed()
    for _ in range(2):
        button.press(0)
        assert [button.pressed() for _ in range(4)] == [True, True, False, False]


def test_a_button_let_go_before_a_look_was_down_all_the_same():
    button = SimulatedButton("talk")
    button.press(None)
    button.release()
    assert [button.pressed() for _ in range(3)] == [True, True, False]


def test_a_press_without_an_end_lasts_until_the_release():
    button = SimulatedButton("talk")
    button.press(None)
    assert button.pressed() and button.pressed()
    button.release()
    assert not button.pressed()
