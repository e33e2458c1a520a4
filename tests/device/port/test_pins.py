"""Single pins and register lists: buttons, switches, lights, battery."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import machine
import neopixel
from fakes.port.buses import I2C, SPI, RegisterChip
from fakes.port.pins import PWM, Pin, journal
from hal.builder import backlight_of, light_of
from hal.sound.codec import Codec
from hal.parts.pins import buttons_of, switch_of
from hal.parts.registers import Registers
from hal.tables import aw88298, es8156, es8311_bclk
from voxwire.session import IDLE, LISTENING


def chips():
    """Registers on one bus with one chip at 0x20, and that chip."""
    Pin.chip, Pin.forbidden = "esp32s3", ()
    Pin.levels.clear()
    Pin.modes.clear()
    del journal[:]
    chip = RegisterChip()
    I2C.devices[4] = {0x20: chip}
    bus = machine.I2C(0, sda=Pin(4), scl=Pin(5), freq=400000)
    return Registers(lambda name: {"main": bus}[name]), chip


def test_a_register_list_writes_bytes_words_and_single_bits_in_order():
    registers, chip = chips()
    before_us = clock.now_us()
    registers.run([
        ["w8", "main", 0x20, 1, 0xF0], ["set", "main", 0x20, 1, 0x03], ["ms", 20],
        ["clr", "main", 0x20, 1, 0x80], ["w16", "main", 0x20, 6, 0x1234], ["pin", 2, 1],
    ])  # fmt: skip
    assert chip.writes == [(1, 0xF0), (1, 0xF3), (1, 0x73), (6, 0x12), (7, 0x34)]
    assert clock.now_us() - before_us >= 20000
    assert Pin.levels[2] == 1


def test_a_chips_table_needs_neither_bus_nor_address():
    registers, chip = chips()
    before_us = clock.now_us()
    registers.program(
        "main", 0x20, b"\x31\x01\x60\x31\xc0\x20\x14\x40\x31\x80\x03\x06\x02\x12\x34"
    )
    assert chip.writes == [(0x31, 0x60), (0x31, 0x40), (0x31, 0x43), (6, 0x12), (7, 0x34)]
    assert clock.now_us() - before_us >= 20000


def test_what_is_no_register_list_is_refused_and_a_missing_chip_is_an_error():
    registers, _ = chips()
    for entry in (["w32", "main", 0x20, 1, 1], ["w8", "main", 0x20, 1]):
        try:
            registers.run([entry])
        except ValueError as error:
            assert str(error) == "a register list cannot do %s" % (entry,)
        else:
            raise AssertionError(entry)
    try:
        registers.run([["w8", "main", 0x21, 1, 1]])
    except OSError as error:
        assert error.errno == 19
    else:
        raise AssertionError("nobody is there")


def names(buttons, chip="esp32s3"):
    chips()
    return [button.name for button in buttons_of(buttons, chip)]


def test_one_button_talks_whatever_it_is_called():
    assert names([{"name": "boot", "gpio": 0, "active": "low"}]) == ["talk"]
    assert names([{"name": "boot", "gpio": 0}, {"name": "talk", "gpio": 47}]) == ["boot", "talk"]
    power, louder = {"name": "power", "gpio": 5}, {"name": "vol_up", "gpio": 4}
    assert names([louder, power]) == ["talk", "vol_up"]
    assert names([louder]) == ["talk"], "nothing else can"
    assert names([power, louder, {"name": "key", "gpio": 0}]) == ["talk", "vol_up"]
    assert names([]) == []


def test_switches_sockets_and_keys_of_an_expander_are_no_buttons():
    wired = [{"name": name, "gpio": 3} for name in ("mute_switch", "jack", "dial_a")]
    keys = [{"name": "key", "i2c": "EXIO9"}, {"name": "a", "adc_gpio": 1, "mv": [0]}]
    assert names(wired + keys + [{"name": "center", "gpio": 0, "active": "low"}]) == ["talk"]


def test_a_button_is_down_at_its_own_level_and_pulled_the_other_way():
    chips()
    low, high = buttons_of(
        [
            {"name": "talk", "gpio": 1, "active": "low"},
            {"name": "page", "gpio": 2, "active": "high"},
        ],
        "esp32s3",
    )
    assert not low.pressed() and not high.pressed()
    Pin.levels[1], Pin.levels[2] = 0, 1
    assert low.pressed() and high.pressed()
    assert Pin.modes[1] == (Pin.IN, Pin.PULL_UP) and Pin.modes[2] == (Pin.IN, Pin.PULL_DOWN)


def test_input_only_pins_of_an_esp32_are_not_pulled():
    chips()
    Pin.chip = "esp32"
    buttons_of([{"name": "button", "gpio": 39, "active": "low"}], "esp32")
    assert Pin.modes[39] == (Pin.IN, None)


def test_a_switch_is_a_pin_or_two_register_lists_and_is_off_at_first():
    registers, chip = chips()
    amplifier = switch_of({"gpio": 46, "active": "low"}, registers)
    assert Pin.levels[46] == 1
    amplifier.on()
    assert Pin.levels[46] == 0
    listed = switch_of(
        {"on": [["w8", "main", 0x20, 5, 255]], "off": [["w8", "main", 0x20, 5, 0]]}, registers
    )
    listed.on()
    listed.off()
    assert chip.writes == [(5, 0), (5, 255), (5, 0)]
    assert switch_of({"i2c": "some words"}, registers) is None
    assert switch_of(None, registers) is None


def test_a_backlight_dims_by_its_pin_or_by_its_chip():
    registers, chip = chips()
    PWM.running.clear()
    backlight_of({"gpio": 42, "active": "high", "pwm": True}, registers).brightness(50)
    assert PWM.running[42] == (1000, 32767)
    backlight_of({"gpio": 18, "active": "low", "pwm": True}, registers).brightness(100)
    assert PWM.running[18] == (1000, 0)
    backlight_of({"gpio": 43, "active": "high"}, registers).brightness(1)
    assert Pin.levels[43] == 1
    light = {"init": [["w8", "main", 0x20, 0, 64]], "level": ["w8", "main", 0x20, 14]}
    light.update({"lowest": 20, "highest": 30})
    backlight_of(light, registers).brightness(50)
    assert chip.writes == [(0, 64), (14, 25)]
    light = {"on": [["w8", "main", 0x20, 1, 1]], "off": [["w8", "main", 0x20, 1, 0]]}
    dark = backlight_of(light, registers)
    dark.brightness(1)
    dark.brightness(0)
    assert chip.writes[2:] == [(1, 0), (1, 1), (1, 0)]
    assert backlight_of({"i2c": "some words"}, registers) is None


def test_the_first_lamp_that_can_be_driven_shows_the_state():
    chips()
    light = light_of([{"type": "apca", "gpio": 1}, {"type": "ws2812", "gpio": 48, "count": 2}])
    light.show(LISTENING)
    assert neopixel.NeoPixel.shown[48] == [(0, 16, 0)] * 2
    light.show(IDLE)
    assert neopixel.NeoPixel.shown[48] == [(0, 0, 0)] * 2
    lamp = light_of([{"type": "gpio", "gpio": 21, "active": "low"}])
    assert Pin.levels[21] == 1
    lamp.show(LISTENING)
    assert Pin.levels[21] == 0
    assert light_of([]) is None and light_of([{"type": "apca", "data": 38}]) is None


def test_an_apa102_is_told_its_colour_in_its_own_order_by_the_second_spi():
    chips()
    led = {"type": "apa102", "data": 38, "clock": 39, "count": "unknown", "order": "BGR"}
    light = light_of([led])
    # 32 bits of 0; ones and the brightness, blue, green, red; the clock for the last one.
    assert SPI.sent[39] == b"\0\0\0\0" + b"\xff\x00\x06\x10" + b"\xff" * 4
    light.show(LISTENING)
    assert SPI.sent[39][4:8] == b"\xff\x00\x10\x00"
    led.update({"count": 17, "order": "RGB"})
    light_of([led]).show(LISTENING)
    assert SPI.sent[39] == bytes(4) + b"\xff\x00\x10\x00" * 17 + b"\xff" * 5


def test_a_codec_is_programmed_by_its_table_and_told_the_direction():
    registers, chip = chips()
    amplifier = Codec(registers, "main", 0x20, aw88298)
    del chip.writes[:]
    amplifier.listen()
    amplifier.speak(24000)
    amplifier.mute()
    # 16-bit registers, the upper byte first.
    assert chip.writes == [(6, 0x14), (7, 0xC5), (4, 0x40), (5, 0x40), (4, 0x40), (5, 0x00)]
    registers, chip = chips()
    codec = Codec(registers, "main", 0x20, es8311_bclk)
    assert chip.writes[:2] == [(0, 0x1F), (0, 0)] and chip.writes[-1] == (0x32, 0xBF)
    del chip.writes[:]
    chip.registers[0x31] = 0x0F
    codec.listen()
    codec.mute()
    codec.speak(16000)
    # Bits are set and cleared among others.
    assert chip.writes == [(2, 0x10), (0x31, 0x6F), (2, 0x18), (0x31, 0x0F)]


def test_a_codec_that_does_not_answer_is_a_fault_at_once():
    registers, _ = chips()
    try:
        Codec(registers, "main", 0x21, es8156)
    except OSError:
        return
    raise AssertionError("nobody answered")
