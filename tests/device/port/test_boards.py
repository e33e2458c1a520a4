"""Every first-class board, from its own file on the port's fakes: it boots, talks, shows, sees."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import asyncio
import json
import os
import sys

import hal.esp32
import log
import neopixel
from fakes.port.boards import ROOT, Bench
from fakes.port.device import FRAMES, Device, converse, talk
from fakes.port.buses import SPI
from fakes.port.i2s import I2S
from fakes.port.pins import ADC, PWM, Pin
from hal.esp32 import Esp32Board
from no_screen import NoScreen


async def test_diy_s3_oled_talks_with_both_units_and_shows_a_card():
    device, changes = await converse("diy-s3-oled")
    assert device.hello["sound"]["duplex"] == "full"
    assert device.hello["screen"]["depth"] == 1
    assert ("i2s", 1, "rx", 32, 16000) in changes and ("i2s", 0, "tx", 16, 16000) in changes


async def test_diy_s3_lcd_talks_and_shows_a_card():
    device, _ = await converse("diy-s3-lcd")
    assert device.hello["screen"]["width"] == 240 and device.hello["screen"]["height"] == 320


async def test_freenove_s3_wroom_cam_talks_without_screen_and_camera():
    device, _ = await converse("freenove-s3-wroom-cam")
    assert "screen" not in device.hello
    assert device.hello["camera"] is False


async def test_freenove_s3_wroom_cam_takes_a_photo_with_an_image_that_can():
    folder = clock.__file__[: clock.__file__.rindex("/")] + "/camera_image"
    sys.path.insert(0, folder)
    try:
        async with Device("freenove-s3-wroom-cam") as device:
            assert device.hello["camera"] is True
            device.home.say("mcp", payload={
                "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                    "name": "self.camera.take_photo", "arguments": {},
                    "_meta": {"voxcard/scope": "user"}},
            })  # fmt: skip
            image = sys.modules["camera"]
            assert await device.home.picture() == image.JPEG
            result = (await device.home.heard(type="mcp"))["payload"]["result"]
            assert result["isError"] is False
            assert image.Camera.running is None
    finally:
        sys.path.remove(folder)
        sys.modules.pop("camera", None)


async def test_m5_atoms3r_echo_base_takes_turns_on_its_one_codec():
    device, changes = await converse("m5-atoms3r-echo-base")
    assert device.hello["sound"]["duplex"] == "half"
    steps = [each for each in changes if each[0] == "i2s"]
    assert steps[:4] == [
        ("i2s", 0, "rx", 32, 16000), ("i2s", 0, "off"), ("i2s", 0, "tx", 16, 16000),
        ("i2s", 0, "off"),
    ]  # fmt: skip
    codec = device.bench.chips["base", 24].writes
    # The clock's multiplier by direction, and mute before the I2S stops.
    assert [each for each in codec if each[0] == 0x02] == [(2, 0x10), (2, 0x10), (2, 0x18)]
    assert [each for each in codec if each[0] == 0x31] == [(0x31, 0), (0x31, 0x60)]
    # The amplifier's expander by the file's power list, the panel's light by its own driver.
    expander = device.bench.chips["base", 67].writes
    assert expander[:4] == [(3, 255), (5, 255), (7, 0), (11, 0)]
    if "on" in device.bench.file["audio"]["out"]["amp_enable"]:
        assert expander[4:] == [(5, 0), (5, 255), (5, 0)]
    assert device.bench.chips["internal", 48].registers[14] == 75 * 255 // 100


async def test_esp32_s3_box_3_clocks_its_microphones_and_switches_its_amplifier():
    _, changes = await converse("esp32-s3-box-3")
    # 256 times 15625 Hz is 4 MHz, which the LED timer makes exactly; 16000 would be 0.16 % off.
    assert PWM.running[2] == (4000000, 32768)
    order = [each for each in changes if each[0] == "i2s" or each[:2] == ("pin", 46)]
    assert order[-6:] == [
        ("i2s", 0, "rx", 32, 15625), ("i2s", 0, "off"), ("i2s", 0, "tx", 16, 16000),
        ("pin", 46, 1), ("pin", 46, 0), ("i2s", 0, "off"),
    ]  # fmt: skip


async def test_a_slow_clock_is_heard_at_its_own_pitch():
    async with Device("esp32-s3-box-3") as device:
        I2S.source = lambda frame: (1000 << 16 if frame // 125 % 2 else -1000 << 16, 0)
        await device.press()
        listen = await device.home.heard(type="listen", state="start")
        device.home.say("turn", id=listen["id"], state="accepted")
        pcm = []
        for _ in range(FRAMES):
            pcm += device.home.samples(await device.home.next("mic"))
        edges = [at for at in range(1, len(pcm)) if (pcm[at - 1] < 0) != (pcm[at] < 0)]
        # 125 samples of the wire are 128 of 16000 Hz.
        assert abs(edges[-1] - edges[-51] - 50 * 128) <= 1, edges


async def test_ha_voice_pe_does_what_its_known_parts_can_and_says_what_they_cannot():
    async with Device("ha-voice-pe") as device:
        assert "screen" not in device.hello
        assert len(neopixel.NeoPixel.shown[21]) == 12 and Pin.levels[45] == 1
        await device.press()
        await asyncio.sleep_ms(500)
        assert device.app._voice.state == "idle"
        try:
            device.board.microphone.start()
        except OSError as error:
            text = "This board's microphone (i2s_slave) cannot be used by MicroPython's I2S."
            assert str(error) == text


async def test_the_lamp_shows_the_state_of_the_session():
    async with Device("diy-s3-oled") as device:
        assert neopixel.NeoPixel.shown[48] == [(0, 0, 0)]
        await device.press()
        assert neopixel.NeoPixel.shown[48] == [(0, 16, 0)]


async def test_the_clock_is_right_from_the_bridges_hello_on_and_the_uptime_does_not_jump():
    async with Device("diy-s3-oled") as device:
        # 1796032800 seconds after 1970, as the port counts from 2000.
        assert 0 <= clock.time() - (1796032800 - 946684800) <= 1
        result = await device.home.call(1, "self.get_system_info")
        assert result["structuredContent"]["uptime_s"] < 60


async def test_free_memory_is_reported_without_the_networks():
    async with Device("diy-s3-oled") as device:
        info = (await device.home.call(1, "self.get_system_info"))["structuredContent"]
        assert info["system_free_bytes"] == 98000
        assert info["system_largest_bytes"] == 53248
        assert 0 < info["free_bytes"] <= info["used_bytes"] * 100


async def test_a_board_whose_screen_is_not_wired_talks_all_the_same():
    async with Device("diy-s3-oled", missing=("display", 60)) as device:
        assert "screen" not in device.hello
        await talk(device)


def board_names():
    names = [name[:-5] for name in os.listdir(ROOT + "boards") if name.endswith(".json")]
    return sorted(name for name in names if name != "schema")


def test_every_boards_file_is_built_and_has_a_button_to_talk_by():
    names = board_names()
    assert len(names) >= 25
    for name in names:
        bench = Bench(name)
        board = Esp32Board(bench.file, "/nowhere")
        assert board.id == name
        assert board.microphone.rate_hz == 16000 and board.speaker.rates_hz
        # A CoreS3 has no key but its touch panel.
        names = [each.name for each in board.buttons]
        assert ("touch" if name == "m5-cores3" else "talk") in names, name


PARTS = {  # of boards that have more than pins: keys and panel, battery, module of the light
    "esp32-s3-box": (("touch",), None),
    "esp32-s3-box-3": (("touch",), None),
    "esp32-s3-box-lite": (("prev", "enter", "next"), None),
    "freenove-s3-display-2.8": (("touch",), "AdcBattery"),
    "lilygo-t-cameraplus-s3": (("touch",), "Sy6970"),
    "lilygo-t-circle-s3": (("touch",), None),
    "lilygo-t-display-s3": ((), "AdcBattery"),
    "m5-cores3": (("touch",), "Axp2101"),
    "waveshare-s3-audio-board": (("vol_up", "key2", "vol_down"), None),
    "waveshare-s3-touch-lcd-1.54": (("touch",), "AdcBattery"),
    "xiao-s3-sense-round": (("touch",), "AdcBattery"),
    "xmini-c3-v3": ((), "AdcBattery"),
}


def test_boards_have_the_keys_panels_and_batteries_of_their_files_and_no_others():
    for name in board_names():
        board = Esp32Board(Bench(name).file, "/nowhere")
        keys, battery = PARTS.get(name, ((), None))
        names = [each.name for each in board.buttons if not hasattr(each, "_pin")]
        assert tuple(names) == keys, name
        kind = None if board.battery is None else type(board.battery).__name__
        assert kind == battery, name


async def tapped(name, press):
    """What a person gets from a key that is not a pin: a turn, or the next page."""
    async with Device(name) as device:
        await press(device, True)
        await asyncio.sleep_ms(150)
        await press(device, False)
        await device.home.heard(type="listen", state="start")


async def test_a_tap_on_the_panel_talks_on_every_board_that_has_one():
    async def touch(device, down):
        device.bench.touch.touch(1 if down else 0)

    for name in sorted(PARTS):
        if PARTS[name][0] == ("touch",) and name != "xiao-s3-sense-round":
            await tapped(name, touch)


async def test_the_middle_key_of_a_ladder_talks():
    async def enter(device, down):
        ADC.microvolts[1] = 2000000 if down else 3100000

    await tapped("esp32-s3-box-lite", enter)


async def test_keys_of_an_expander_turn_pages_and_change_the_volume():
    done, nothing = [], NoScreen.next_page
    NoScreen.next_page = lambda view: done.append("next")
    try:
        async with Device("waveshare-s3-audio-board") as device:
            port = device.bench.chips["main", 32].registers
            heard = []
            for mask in (2, 2, 4, 8):
                port[1] = 0xFF & ~mask
                await asyncio.sleep_ms(100)
                port[1] = 0xFF
                await asyncio.sleep_ms(100)
                heard.append(device.app._playback.volume_percent)
            assert heard == [80, 90, 90, 80]
            assert "screen" not in device.hello, "its screen is optional"
    finally:
        NoScreen.next_page = nothing
    assert done == ["next"]


async def test_a_low_battery_is_told_once_to_the_bridge_and_on_the_screen():
    from hal.parts import low_battery  # a board without a battery must not have it

    low_battery.LOOK_MS = 100
    async with Device("m5-cores3") as device:
        chip = device.bench.chips["main", 52].registers
        shown = []
        device.app._view.alert = lambda title, text: shown.append((title, text))
        chip[0x00], chip[0xA4] = 0x08, 12
        status = (await device.home.call(1, "self.get_device_status"))["structuredContent"]
        assert status["battery"] == {"level": 12, "charging": False}
        told = await device.home.heard(type="event", name="battery")
        assert told["text"] == "12 % are left: charge the device."
        assert shown == [("Battery low", told["text"])]
        await asyncio.sleep_ms(2000)
        assert len(shown) == 1


async def test_a_touch_panel_that_is_not_there_costs_itself_alone():
    async with Device("esp32-s3-box", missing=("main", 0x24)) as device:
        assert [each.name for each in device.board.buttons] == ["talk"]
        await talk(device)


async def test_the_light_of_a_t_circle_follows_the_session():
    async with Device("lilygo-t-circle-s3") as device:
        assert SPI.sent[39][4:8] == b"\xff\0\0\0"
        await device.press()
        assert SPI.sent[39][4:8] == b"\xff\x00\x10\x00"


def test_what_builds_a_board_leaves_the_heap_when_it_is_built():
    Esp32Board(Bench("diy-s3-oled").file, "/nowhere")
    for name in ("builder", "audio_parts", "credentials"):
        assert "hal." + name not in sys.modules and not hasattr(hal, name)
    # What this board has no use for was not even read.
    absent = (
        "camera",
        "battery",
        "backlight",
        "keys",
        "touch",
        "apa102",
        "power_chip",
    )
    absent = ["hal.parts." + name for name in absent] + ["hal.sound.no_sound"]
    for name in absent:
        sys.modules.pop(name, None)
    Esp32Board(Bench("diy-s3-oled").file, "/nowhere")
    for name in absent:
        assert name not in sys.modules, name


def test_the_board_is_the_one_whose_file_was_put_on_it():
    folder = os.getenv("TMPDIR") or "/tmp"
    path, hal.esp32.PATH = hal.esp32.PATH, folder + "/board-%d.json" % clock.ticks_us()
    stream = log.stream[0]
    try:
        try:
            hal.esp32.board()
        except OSError as error:
            text = "%s cannot be read ([Errno 2] ENOENT): deploy the device again"
            assert str(error) == text % hal.esp32.PATH
        else:
            raise AssertionError("there is no file")
        with open(hal.esp32.PATH, "w") as file:
            json.dump(Bench("diy-s3-oled").file, file)
        board = hal.esp32.board()
        assert (board.id, board.root) == ("diy-s3-oled", "")
        # The log waits for the board's own task instead of blocking.
        assert log.stream[0] is board.console
    finally:
        hal.esp32.PATH, log.stream[0] = path, stream
