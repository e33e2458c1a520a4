"""Every board from its own file on the port's fakes: a turn, and a card where it has a screen.

A file says `"tested": ["simulated port"]` where that goes well; this is where it is looked at.
"""

from fakes.port import clock  # noqa: F401, I001  the port's clock goes before all else
import asyncio
import gc
import os

from fakes.port.boards import ROOT, read
from fakes.port.buses import SPI
from fakes.port.device import converse

HEARD, SAID = ("i2s_std", "codec"), ("i2s_amp", "codec")
BUSES = ("i2c", "spi")


def files():
    names = [name[:-5] for name in os.listdir(ROOT + "boards") if name.endswith(".json")]
    return [read(name) for name in sorted(names) if name != "schema"]


def cannot(board):
    """What of a board its file and MicroPython leave without a driver."""
    audio, display = board["audio"], board.get("display") or {}
    parts = []
    if audio["in"]["kind"] not in HEARD:
        parts.append("microphone")
    if audio["out"]["kind"] not in SAID:
        parts.append("speaker")
    if "bus" in display and display["bus"] not in BUSES:
        parts.append("screen")
    return parts


def test_boards_say_that_they_talk_here_where_they_can_and_why_not_where_they_cannot():
    tested = [board["id"] for board in files() if "simulated port" in board["tested"]]
    assert len(tested) >= 20
    for board in files():
        assert (board["id"] in tested) is (not cannot(board)), (board["id"], cannot(board))
        if cannot(board):
            assert board["stock"]["blockers"], board["id"]


async def hold(*beginnings):
    """A conversation with each board whose id begins so, if its file says that it talks here."""
    for board in files():
        if "simulated port" in board["tested"] and board["id"].startswith(beginnings):
            # One heap has no room for the pixels of two large panels.
            SPI.panel = None
            await asyncio.sleep_ms(1000)
            gc.collect()
            try:
                device, _ = await converse(board["id"])
            except AssertionError as error:
                raise AssertionError("%s: %s" % (board["id"], error))
            display = board.get("display") or {}
            has_screen = "driver" in display and not display.get("optional")
            assert ("screen" in device.hello) is has_screen, board["id"]
            if has_screen:
                width, height = display["width"], display["height"]
                large = board["class"] == 1 and display["driver"] != "ssd1306"
                picture_bytes = width * height * 2 if large else 0
                assert device.hello["screen"].get("picture_bytes", 0) == picture_bytes, board["id"]
            if board["class"] == 2:
                sound = device.hello["sound"]
                assert (sound["formats"], sound["down_rates_hz"]) == (["ima-adpcm"], [16000])
                assert sound["duplex"] == "half"
            device = None


GROUPS = (("diy", "freenove"), ("esp32",), ("lilygo", "waveshare"), ("m5",), ("xmini",))


def test_no_board_is_left_out():
    for board in files():
        if "simulated port" in board["tested"]:
            assert any(board["id"].startswith(group) for group in GROUPS), board["id"]


async def test_breadboards_and_freenove_boards_talk():
    await hold(*GROUPS[0])


async def test_boxes_talk():
    await hold(*GROUPS[1])


async def test_boards_of_lilygo_and_waveshare_talk():
    await hold(*GROUPS[2])


async def test_boards_of_m5stack_talk():
    await hold(*GROUPS[3])


async def test_xminis_talk():
    await hold(*GROUPS[4])
