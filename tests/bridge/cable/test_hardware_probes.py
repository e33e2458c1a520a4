"""Chips, slots, camera, touch panel and battery are tried on boards made of the port's fakes."""

import json
import re
import shutil

import pytest
from fakes.cable.virtual_board import VirtualBoard
from fakes.command_line import Command
from voxcard import package_files
from voxcard.cable import deploy
from voxcard.cable.hardware import chips
from voxcard.errors import VoxcardError

# What the chips of a BOX-3 say they are, and a microphone that hears.
BOX_3 = """
bench.chips['main', 0x18].registers.update({0xFD: 0x83, 0xFE: 0x11})
bench.chips['main', 0x40].registers.update({0x3D: 0x72, 0x3E: 0x10})
"""
HEARS = """
from fakes.port.i2s import I2S
I2S.source = lambda frame: ((frame % 64 - 32) << 22, 0)
"""
WIFI = """
import network
from esp32 import NVS
NVS.stored['voxcard', 'wifi'] = b'{"ssid": "home", "password": "correct horse"}'
network.WLAN.air = {'home': 'correct horse'}
"""
# A finger or a key each 400 ms of the board's time.
TOUCHES = "bench.touch.play = lambda: clock.now_us() // 200000 % 2\n"


@pytest.fixture
def voxcard(monkeypatch, capsys, tmp_path):
    return Command(monkeypatch, capsys, tmp_path)


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """Folders of boards with the firmware on them, by their ids."""
    return tmp_path_factory.mktemp("boards")


@pytest.fixture
def tried(voxcard, deployed, tmp_path, monkeypatch):
    """The rows of a report by part, and its text; a person says yes to everything."""
    monkeypatch.setattr("typer.confirm", lambda question, default: True)

    def deployed_to(board_id):
        with VirtualBoard(deployed / board_id) as board:
            file = tmp_path / "settings.json"
            file.write_text('{"id": "hall", "host": "127.0.0.1", "password": "pa55phrase"}')
            words = ("--settings", str(file), "--board", board_id, "--port", board.port)
            code, _, err = voxcard("device", "deploy", *words)
            assert code == 0, err

    def run(board_id, bench):
        if not (deployed / board_id).exists():
            deployed_to(board_id)
        shutil.copytree(deployed / board_id, tmp_path / board_id, dirs_exist_ok=True)
        report = tmp_path / "report.txt"
        with VirtualBoard(tmp_path / board_id, bench=bench, heap="8M") as board:
            words = ("--port", board.port, "--report", str(report), "--press", "2")
            _, out, err = voxcard("device", "test-hardware", *words)
        assert report.exists(), out + err
        text = report.read_text()
        rows = re.findall(r"(?m)^(ok|failed|absent) +((?:button )?.+?)  +(.*)$", text)
        return {part: (verdict, said) for verdict, part, said in rows}, text

    return run


def test_a_whole_box_3_is_in_order_and_the_report_holds_no_secret(tried):
    rows, text = tried("esp32-s3-box-3", BOX_3 + HEARS + WIFI + TOUCHES)
    assert rows["ES8311"] == ("ok", "At 0x18 of main, number 8311.")
    assert rows["ES7210"] == ("ok", "At 0x40 of main, number 7210.")
    assert rows["GT911"] == ("ok", "At 0x5d of main, number 393131.")
    spare = "TT21100 expected at 0x24 of main: not there; the board has another one."
    assert rows["TT21100"] == ("absent", spare)
    assert rows["I2S"] == ("ok", "left slot from -524288 to 507904 of 8388608, mean -8192.")
    verdict, said = rows["microphone"]
    assert verdict == "ok", said
    assert re.match(r"1(59|60)\d\d samples a second, loudness ", said)
    assert rows["screen"][0] == rows["speaker"][0] == rows["network"][0] == "ok"
    assert rows["button touch"] == ("ok", "It was pressed and let go.")
    assert rows["camera"][0] == rows["battery"][0] == "absent"
    assert "pa55phrase" not in text and "correct horse" not in text


def test_chips_that_are_not_there_are_named_with_what_to_check(tried):
    harm = "from fakes.port.buses import I2C\ndel I2C.devices[8][0x18], I2C.devices[8][0x5D]\n"
    rows, _ = tried("esp32-s3-box-3", BOX_3 + harm)
    assert rows["ES8311"] == (
        "failed",
        "ES8311 expected at 0x18 of main: not there: check its supply and its address;"
        " 0x40 answer. The speaker needs it.",
    )
    assert rows["GT911"][0] == rows["TT21100"][0] == "failed"
    assert rows["ES7210"][0] == "ok"
    assert "speaker" in rows["speaker"][1] and rows["speaker"][0] == "failed"
    assert "button touch" not in rows


def test_a_bus_without_an_answer_names_its_pins_and_another_chip_is_told(tried):
    harm = "from fakes.port.buses import I2C\nI2C.devices[8].clear()\n"
    rows, _ = tried("esp32-s3-box-3", harm)
    assert "nothing answers there; check SDA (GPIO8) and SCL (GPIO18)" in rows["ES7210"][1]
    rows, _ = tried("esp32-s3-box-3", BOX_3 + "bench.chips['main', 0x18].registers[0xFE] = 0x88\n")
    said = "At 0x18 of main a chip says 8388, not 8311: it is another."
    assert rows["ES8311"] == ("failed", said)


def test_a_core_s3_says_its_battery_and_its_power_chips(tried):
    code = """
bench.chips['main', 0x34].registers.update({0x00: 0x08, 0x01: 0x20, 0x03: 0x4A, 0xA4: 64})
bench.chips['main', 0x58].registers.update({0x10: 0x23})
"""
    rows, _ = tried("m5-cores3", code)
    assert rows["battery"] == ("ok", "64 %, being charged.")
    assert rows["AXP2101"] == ("ok", "At 0x34 of main, number 4a.")
    assert rows["AW9523"] == ("ok", "At 0x58 of main, number 23.")
    assert rows["AW88298"] == ("ok", "At 0x36 of main.")
    missing = "BM8563 expected at 0x51 of main: not there; nothing needs it."
    assert rows["BM8563"] == ("absent", missing)
    assert rows["button touch"] == ("failed", "No press was seen.")


@pytest.mark.parametrize(
    ("source", "verdict", "said"),
    [
        ("(0, 0)", "failed", "no clock gets there, or no data back; check `sck` (GPIO5)"),
        ("(-1, -1)", "failed", "all bits are alike (-1): `sd` (GPIO6) is not connected"),
        ("(0, (frame % 64 - 32) << 20)", "failed", "speaks in the right slot; tie L/R to GND"),
        ("(0x7FFFFFFF if frame % 2 else -0x80000000, 0)", "failed", "clipped both ways: noise"),
        ("(0x40000000 + (frame % 9 << 12), 0)", "failed", "the bits are shifted"),
        ("((frame % 64 - 32) << 20, 0)", "ok", "left slot from -131072 to 126976"),
    ],
)
def test_what_the_slots_of_a_breadboards_microphone_hold_says_what_is_wrong(
    tried, source, verdict, said
):
    code = f"from fakes.port.i2s import I2S\nI2S.source = lambda frame: {source}\n"
    rows, _ = tried("diy-s3-oled", code)
    assert rows["I2S"][0] == verdict and said in rows["I2S"][1], rows["I2S"]
    assert rows["SSD1306"] == ("ok", "At 0x3c of display.")


def test_a_camera_takes_one_photo_where_the_image_can(tried):
    rows, _ = tried("freenove-s3-wroom-cam", "")
    assert rows["camera"][0] == "absent" and "no driver" in rows["camera"][1]
    rows, _ = tried(
        "freenove-s3-wroom-cam", "sys.path.append('/host/tests/fakes/port/camera_image')"
    )
    verdict, said = rows["camera"]
    assert verdict == "ok" and re.fullmatch(r"A photo of 8004 bytes in \d+ ms\.", said)


def test_what_is_read_of_chips_are_the_chips_of_the_boards_files():
    names = {}
    for file in sorted(package_files.boards().glob("*.json")):
        if file.stem != "schema":
            board = json.loads(file.read_text())
            names[file.stem] = {chip.name: chip.part for chip in chips.expected(board)}
    assert names["diy-s3-lcd"] == {}
    assert names["waveshare-s3-audio-board"] == {
        "ES8311": "speaker", "ES7210": "microphone", "TCA9555": "power supply",
    }  # fmt: skip
    assert names["lilygo-t-cameraplus-s3"]["SY6970"] == "battery"
    assert names["xmini-c3"] == {"ES8311": "microphone", "SSD1306": "screen"}


@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b"null", b"\xff", b'"id"'])
def test_a_damaged_file_of_a_board_is_a_sentence(data):
    class Board:
        def read(self, path):
            return data

    with pytest.raises(VoxcardError, match=r"damaged.*voxcard device deploy --board"):
        deploy.board_file(Board())
