"""What the checker refuses: a right board is made wrong in one place, and that place is named."""

import copy
import json

import pytest

from tools.boards import chips, files, new, rules
from tools.checks import boards as check

PARTS = files.parts()
RIGHT = {
    "id": "bench",
    "name": "A bench",
    "chip": "esp32s3",
    "class": 1,
    "tested": [],
    "flash_mb": 16,
    "psram": {"mb": 8, "bus": "octal"},
    "firmware": {"board": "ESP32_GENERIC_S3", "build": "ESP32_GENERIC_S3-SPIRAM_OCT",
                 "offset": "0x0"},
    "i2c": {"main": {"sda": 11, "scl": 12}},
    "audio": {
        "duplex": "full",
        "in": {"kind": "i2s_std", "i2s_id": 1, "sck": 5, "ws": 4, "sd": 6, "bits": 32,
               "channel": "left", "rates": [16000]},
        "out": {"kind": "i2s_amp", "i2s_id": 0, "sck": 15, "ws": 16, "sd": 7, "bits": 16,
                "rates": [16000]},
    },
    "buttons": [{"name": "boot", "gpio": 0, "active": "low"}],
    "stock": {"status": "full"},
}  # fmt: skip
CODEC = {"chip": "ES8311", "addr": 24, "bus": "main", "clock": "bclk", "init": "es8311_bclk"}
CAMERA = {"sensor": "OV2640", "data": [1, 2, 8, 9, 10, 13, 14, 17], "vsync": 18, "href": 21,
          "pclk": 38, "sda": 11, "scl": 12, "xclk_hz": 20000000}  # fmt: skip


def changed(**changes):
    """The right board with values at other paths: `a__b=1` is board["a"]["b"] = 1."""
    board = copy.deepcopy(RIGHT)
    for path, value in changes.items():
        *above, last = path.split("__")
        place = board
        for name in above:
            place = place[name]
        if value is None:
            del place[last]
        else:
            place[last] = value
    return board


def plain(chip, **changes):
    """A board without PSRAM, whose pins exist on every chip."""
    image = rules.IMAGES[chip]
    build = {
        "esp32": "ESP32_GENERIC",
        "esp32c3": "ESP32_GENERIC_C3",
        "esp32s3": "ESP32_GENERIC_S3",
    }
    firmware = {"board": image, "build": build[chip], "image": image,
                "offset": "0x1000" if chip == "esp32" else "0x0"}  # fmt: skip
    where = {"sck": 5, "ws": 4, "sd": 2}
    if chip == "esp32":
        where = {"sck": 26, "ws": 25, "sd": 32}
    audio = {"duplex": "half", "in": {**RIGHT["audio"]["in"], **where, "i2s_id": 0},
             "out": {**RIGHT["audio"]["out"], **where, "sd": 21, "i2s_id": 0}}  # fmt: skip
    settings = {"chip": chip, "class": 2, "psram": None, "firmware": firmware, "audio": audio}
    settings["i2c"] = {
        "main": {"sda": 18 if chip == "esp32" else 1, "scl": 19 if chip == "esp32" else 3}
    }
    return changed(**{**settings, **changes})


def test_the_right_boards_are_right():
    for board in (RIGHT, *(plain(chip) for chip in chips.CHIPS)):
        assert rules.faults(board, PARTS) == [], board["chip"]


WRONG = [
    # A pin that is none, or is not free.
    (changed(i2c__main__sda=22), "i2c.main.sda: GPIO22 is no pin of an ESP32-S3 module"),
    (plain("esp32", i2c__main__sda=24), "i2c.main.sda: GPIO24 is no pin of an ESP32 module"),
    (plain("esp32", i2c__main__scl=37), "i2c.main.scl: GPIO37 is no pin of an ESP32 module"),
    (plain("esp32c3", i2c__main__scl=22), "i2c.main.scl: GPIO22 is no pin of an ESP32-C3 module"),
    (changed(i2c__main__sda=30), "i2c.main.sda: GPIO30 belongs to the module's flash"),
    (plain("esp32", i2c__main__sda=9), "i2c.main.sda: GPIO9 belongs to the module's flash"),
    (plain("esp32c3", i2c__main__sda=16), "i2c.main.sda: GPIO16 belongs to the module's flash"),
    (changed(i2c__main__sda=19), "i2c.main.sda: GPIO19 belongs to the chip's USB"),
    (plain("esp32c3", i2c__main__sda=18), "i2c.main.sda: GPIO18 belongs to the chip's USB"),
    (changed(i2c__main__scl=35), "i2c.main.scl: GPIO35 belongs to the module's octal PSRAM"),
    (changed(i2c__main__scl=26), "i2c.main.scl: GPIO26 belongs to the module's octal PSRAM"),
    (
        plain("esp32", module="ESP32-PICO-D4", i2c__main__sda=17),
        "i2c.main.sda: GPIO17 belongs to the flash inside the PICO-D4",
    ),
    (
        plain("esp32c3", i2c__main__sda=11),
        "i2c.main.sda: GPIO11 belongs to VDD_SPI, the flash's supply, until an eFuse is burned;"
        " say why it is free under accepted",
    ),
    (changed(reserved=[12]),
"i2c.main.scl: GPIO12 is one of the pins that the file calls reserved",
),
    # A pin that cannot do it.
    (plain("esp32", audio__out__sd=34), "audio.out.data_out: GPIO34 is input only"),
    (plain("esp32", leds=[{"type": "ws2812", "gpio": 39}]), "leds.gpio: GPIO39 is input only"),
    (plain("esp32", i2c__main__sda=36), "i2c.main.sda: GPIO36 is input only"),
    (
        changed(battery={"adc_gpio": 13}),
        "battery.adc_gpio: GPIO13 cannot be measured beside Wi-Fi: it is not on ADC1",
    ),
    # Two parts at one pin.
    (changed(i2c__main__sda=6), "i2c.main.sda and audio.in.sd both use GPIO6"),
    (changed(leds=[{"type": "gpio", "gpio": 0}]), "buttons.boot and leds.gpio both use GPIO0"),
    (changed(extra={"sd": {"cs": 16}}), "audio.out.ws and extra.sd.cs both use GPIO16"),
    (changed(audio__out__sck=5), "audio.in.sck and audio.out.sck both use GPIO5"),
    (changed(camera={**CAMERA, "href": 4}), "audio.in.ws and camera.href both use GPIO4"),
    (changed(camera={**CAMERA, "sda": 12, "scl": 39}),
"i2c.main.scl and camera.sda both use GPIO12"),
    (changed(accepted={"21": "because it is so"}),
"accepted: nothing is wrong with GPIO21; remove it"),
    # What the heap and the image need.
    (changed(**{"class": 2}), "class: 8 MB of PSRAM make it 1, the file says 2"),
    (plain("esp32", **{"class": 1}), "class: 0 MB of PSRAM make it 2, the file says 1"),
    (
        plain("esp32", firmware__image=None),
        "firmware.image: a board of class 2 needs the image VOXCARD_ESP32",
    ),
    (
        changed(firmware__image="VOXCARD_S3"),
        "firmware.image: a board of class 1 runs a stock image; remove image",
    ),
    (
        changed(firmware__build="ESP32_GENERIC_S3"),
        "firmware.build: ESP32_GENERIC_S3 is not for octal PSRAM",
    ),
    (changed(firmware__offset="0x1000"), "firmware.offset: 0x1000 is not that of an ESP32-S3"),
    (plain("esp32c3", psram={"mb": 1, "bus": "quad"}),
"psram: there is no quad PSRAM for an ESP32-C3"),
    # Sound that the port cannot make.
    (plain("esp32c3", audio__in__i2s_id=1), "audio: an ESP32-C3 has no I2S unit 1"),
    (
        changed(audio__in__i2s_id=0),
        "audio.duplex: full needs two I2S units, and in and out name the same",
    ),
    (
        changed(audio__out__codec={**CODEC, "clock": "mclk_pwm"}),
        "audio.out.codec: its clock is mclk_pwm, and audio.mclk names no pin",
    ),
    (
        changed(audio__out__codec={**CODEC, "bus": "other"}),
        "audio.out.codec: the board has no I2C bus other",
    ),
    (
        changed(audio__out__codec={**CODEC, "init": "es9999"}),
        "audio.out.codec: there is no boards/parts/es9999.json",
    ),
    (
        changed(audio__out__codec={**CODEC, "init": "es8156"}),
        "audio.out.codec: es8156 is for ES8156",
    ),
    (changed(display={"init": "none"}), "display: there is no boards/parts/none.json"),
    (
        changed(i2c__main__devices={"ES8311": 24, "BMI270": "unknown", "GT911": [93, 24]}),
        "i2c.main: ES8311 and GT911 both have 0x18",
    ),
    # Steps that cannot be run.
    (changed(power=[["w8", "main", 1, 2]]),
"power: ['w8', 'main', 1, 2] is no step; see boards/README.md"),
    (
        changed(power=[["w8", "away", 1, 2, 3]]),
        "power: ['w8', 'away', 1, 2, 3] names no I2C bus of the board",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("board", "said"), WRONG, ids=[said for _, said in WRONG])
def test_one_wrong_thing_is_one_fault(board, said):
    assert rules.faults(board, PARTS) == [said]


@pytest.mark.parametrize(
    "board",
    [
        changed(audio__duplex="half", audio__out={**RIGHT["audio"]["in"], "sd": 7, "i2s_id": 1}),
        changed(camera=CAMERA),  # its sensor is on the bus
        changed(camera={**CAMERA, "href": 4, "instead_of": ["audio.in"]}),
        changed(buttons=[{"name": "a", "adc_gpio": 1}, {"name": "b", "adc_gpio": 1}]),
        changed(battery={"adc_gpio": 1, "enable_gpio": 2}, power=[["pin", 2, 1]]),
        changed(i2c__main__sda=6, accepted={"6": "the tester is wired like that"}),
        plain("esp32c3", i2c__main__sda=12, accepted={"12": "the flash runs in DIO mode"}),
        plain("esp32s3", i2c__main__scl=35),  # no PSRAM takes it
        plain("esp32", buttons=[{"name": "talk", "gpio": 39}]),  # it is only read
    ],
)
def test_what_looks_wrong_and_is_not_is_let_through(board):
    assert rules.faults(board, PARTS) == []


def test_every_pin_of_flash_psram_and_usb_is_refused_on_every_chip():
    for chip, bus in [("esp32", None), ("esp32", "quad"), ("esp32s3", "quad"),
                      ("esp32s3", "octal"), ("esp32c3", None)]:  # fmt: skip
        for gpio, owner in chips.taken(chip, bus, None).items():
            board = plain(chip, i2c__main__sda=gpio)
            if bus:
                board["psram"] = {"mb": 8, "bus": bus}
            assert f"i2c.main.sda: GPIO{gpio} belongs to {owner}" in rules.faults(board, PARTS)


def test_strapping_pins_the_console_and_unknowns_are_warnings():
    board = changed(i2c__main__sda=45, i2c__main__scl=44, audio__in__channel="unknown")
    assert rules.faults(board, PARTS) == []
    assert rules.warnings(board) == [
        "i2c.main.sda: GPIO45 is a strapping pin, read at reset",
        "i2c.main.scl: GPIO44 is the console's",
        "buttons.boot: GPIO0 is a strapping pin, read at reset",
        "audio.in.channel is unknown",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is no JSON: "),
        (json.dumps(changed(id="other")), "id: the file is bench.json, the id is other"),
        (json.dumps(changed(buttons=None)), "the file: 'buttons' is a required property"),
        (json.dumps(changed(pins={})), "the file: Additional properties are not allowed"),
        (
            json.dumps(changed(i2c__main__sda="unknown")),
            "i2c.main.sda is unknown: look it up and fill it in",
        ),
        (
            json.dumps(changed(display={"sck": "unknown"})),
            "display.sck is unknown: look it up and fill it in",
        ),
    ],
)
def test_a_file_that_is_no_board_is_refused_in_a_sentence(tmp_path, text, said):
    path = tmp_path / "bench.json"
    path.write_text(text)
    faults = check.faults(path, PARTS)
    assert faults[0].startswith(said), faults


@pytest.mark.parametrize("chip", sorted(chips.CHIPS))
def test_a_new_board_knows_no_pin_and_is_refused_until_it_does(tmp_path, chip):
    path = new.write(tmp_path, "my-board", chip)
    faults = check.faults(path, PARTS)
    pins = ("i2c.display.sda", "audio.in.sck", "audio.out.sd", "buttons.0.gpio", "flash_mb")
    for pin in pins:
        assert f"{pin} is unknown: look it up and fill it in" in faults
    assert all("is unknown" in fault for fault in faults)


def test_a_new_board_that_is_filled_in_is_right(tmp_path):
    path = new.write(tmp_path, "my-board", "esp32s3")
    board = files.read(path)
    board["i2c"]["display"].update(sda=41, scl=42)
    board["audio"]["in"].update(RIGHT["audio"]["in"])
    board["audio"]["out"].update(RIGHT["audio"]["out"])
    board["buttons"][0]["gpio"] = 47
    board.update(flash_mb=16, psram={"mb": 8, "bus": "octal"})
    path.write_text(files.written(board))
    assert check.faults(path, PARTS) == []


def test_a_new_board_replaces_none_and_has_a_proper_id(tmp_path):
    new.write(tmp_path, "my-board", "esp32")
    before = (tmp_path / "my-board.json").read_text()
    with pytest.raises(ValueError, match="there is a board my-board already"):
        new.write(tmp_path, "my-board", "esp32s3")
    assert (tmp_path / "my-board.json").read_text() == before
    for wrong in ("My Board", "../boards/x", "schema", ""):
        with pytest.raises(ValueError, match="is no id"):
            new.write(tmp_path, wrong, "esp32")
