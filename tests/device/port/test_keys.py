"""Keys on a port expander or a ladder of resistors."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import machine
from fakes.port.buses import I2C, RegisterChip
from fakes.port.pins import ADC, Pin
from hal.parts.keys import ROUND_MS, Source, keys_of

LADDER = [
    {"name": "prev", "adc_gpio": 1, "mv": [2310, 2510]},
    {"name": "enter", "adc_gpio": 1, "mv": [1880, 2080]},
    {"name": "next", "adc_gpio": 1, "mv": [720, 920]},
]
EXPANDER = [
    {"name": "key1", "active": "low", "read": ["main", 0x20, 1, 2]},
    {"name": "key2", "active": "high", "read": ["main", 0x20, 1, 4]},
    {"name": "boot", "gpio": 0, "active": "low"},
]


def wired(buttons):
    """The keys, the chip they may be on, and the bus's own log of readings."""
    Pin.chip, Pin.forbidden = "esp32s3", ()
    ADC.microvolts.clear()
    chip = RegisterChip()
    chip.registers[1] = 0x02  # the one is up high, the other up low
    I2C.devices[4] = {0x20: chip}
    bus = machine.I2C(0, sda=Pin(4), scl=Pin(5), freq=400000)
    return keys_of(buttons, lambda name: {"main": bus}[name]), chip


def down(keys):
    """Whether each is down, in a round of its own."""
    clock.block(10000)
    return [key.pressed() for key in keys]


def test_a_key_of_a_ladder_is_its_own_range_of_millivolts():
    keys, _ = wired(LADDER)
    assert [key.name for key in keys] == ["prev", "enter", "next"]
    assert down(keys) == [False, False, False]
    for mv, is_down in (
        (2309, [False, False, False]), (2310, [True, False, False]),
        (2510, [True, False, False]), (2511, [False, False, False]),
        (2000, [False, True, False]), (800, [False, False, True]),
        (0, [False, False, False]), (3100, [False, False, False]),
    ):  # fmt: skip
        ADC.microvolts[1] = mv * 1000 + 999
        assert down(keys) == is_down, mv


def test_a_key_of_an_expander_is_one_bit_at_its_own_level():
    keys, chip = wired(EXPANDER)
    assert [key.name for key in keys] == ["key1", "key2"]
    assert down(keys) == [False, False]
    chip.registers[1] = 0x00
    assert down(keys) == [True, False]
    chip.registers[1] = 0x06
    assert down(keys) == [False, True]
    chip.registers[1] = 0xFB | 0x04
    assert down(keys) == [False, True], "the other bits are others' pins"


def test_one_reading_is_for_all_keys_of_a_round_and_never_for_two():
    now_ms, readings = [0], []
    source = Source(lambda: readings.append(now_ms[0]) or len(readings), lambda: now_ms[0])
    assert [source.value(), source.value(), source.value()] == [1, 1, 1]
    now_ms[0] = ROUND_MS
    assert source.value() == 2
    now_ms[0] = ROUND_MS + 10
    assert source.value() == 3


def test_a_chip_that_is_lost_holds_no_key_down_and_one_that_comes_back_works():
    keys, chip = wired(EXPANDER)
    assert down(keys) == [False, False]
    chip.registers[1] = 0x00
    del I2C.devices[4][0x20]
    assert down(keys) == [False, False]
    I2C.devices[4][0x20] = chip
    assert down(keys) == [True, False]


def test_a_chip_that_answers_nonsense_from_the_start_presses_nothing():
    keys, chip = wired(EXPANDER)
    chip.registers[1] = 0x04
    for _ in range(3):
        assert down(keys) == [False, False]
    chip.registers[1] = 0x02
    assert down(keys) == [False, False]
    chip.registers[1] = 0x04
    assert down(keys) == [True, True]


def test_a_look_is_short():
    keys, _ = wired(EXPANDER)
    clock.forget()
    for key in keys:
        key.pressed()
    assert 0 < clock.longest_us <= 200
