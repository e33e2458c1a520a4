"""A touch panel is a button, whatever its chip answers."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import machine
from fakes.port.buses import I2C, TouchChip
from fakes.port.pins import Pin
from hal.parts.touch import BUSY_LOOKS, IDLE_LOOKS, SILENT_READINGS, Touch, touch_of

NAMES = {
    "FT6336": 0x38, "CST816S": 0x15, "GT911": [0x5D, 0x14], "TT21100": 0x24, "CHSC6X touch": 0x2E,
}  # fmt: skip


def bus_with(chips):
    """An I2C bus on which chips of our own lie, by address."""
    Pin.chip, Pin.forbidden = "esp32s3", ()
    Pin.levels.clear()
    Pin.handlers.clear()
    I2C.devices[4] = chips
    return machine.I2C(0, sda=Pin(4), scl=Pin(5), freq=100000)


def panel(name, **touch):
    """(the button, its chip) of one chip that the board's file names."""
    addresses = NAMES[name]
    address = addresses[-1] if isinstance(addresses, list) else addresses
    chip = TouchChip(name.split(" ")[0].rstrip("S"))
    i2c = bus_with({address: chip})
    return touch_of(touch, {"devices": {name: addresses, "ES8311": 24}}, i2c), chip


def looks(button, count):
    """What it says in so many looks, 10 ms apart."""
    said = []
    for _ in range(count):
        said.append(button.pressed())
        clock.block(10000)
    return said


def settled(button):
    return looks(button, IDLE_LOOKS + 1)[-1]


def test_every_chip_says_whether_a_finger_is_on_it():
    for name in NAMES:
        button, chip = panel(name)
        assert button.name == "touch"
        assert settled(button) is False
        chip.touch(1)
        assert settled(button) is True, name
        chip.touch(0)
        assert settled(button) is False, name


def test_it_is_read_every_30_ms_and_with_an_interrupt_every_100_ms_while_nobody_touches_it():
    readings = []
    fingers = lambda: readings.append(None) or 0  # noqa: E731
    looks(Touch(fingers), 30)
    assert len(readings) == 30 // BUSY_LOOKS
    del readings[:]
    bus_with({})
    pin = Pin(12, Pin.IN)
    button = Touch(fingers, pin)
    looks(button, 30)
    assert len(readings) == 30 // IDLE_LOOKS
    Pin.handlers[12](pin)
    looks(button, 1)
    assert len(readings) == 30 // IDLE_LOOKS + 1, "the interrupt does not wait"


def test_a_finger_is_seen_at_once_by_the_interrupt_and_without_it_all_the_same():
    button, chip = panel("CST816S", int=12)
    settled(button)
    chip.touch(1)
    Pin.handlers[12](None)
    assert looks(button, 1) == [True]
    chip.touch(0)
    assert settled(button) is False
    chip.touch(1)
    assert True in looks(button, IDLE_LOOKS + 1)


def test_what_no_panel_says_is_no_touch():
    for count in (6, 15, 0x0F, 0xFF):
        button, chip = panel("FT6336")
        settled(button)
        chip.touch(count)
        assert settled(button) is False, count
    button, chip = panel("CHSC6X touch")
    settled(button)
    for count in (2, 0x80, 0xFF):
        chip.touch(count)
        assert settled(button) is False, count


def test_reports_of_impossible_lengths_are_no_news():
    for size in (0, 1, 6, 14, 33, 0xFFFF):
        button, chip = panel("TT21100")
        settled(button)
        chip.receive = lambda count, size=size: bytes((size & 255, size >> 8))[:count]
        assert settled(button) is False, size


def test_a_chip_that_holds_a_finger_from_the_start_presses_nothing():
    button, chip = panel("FT6336")
    chip.touch(1)
    assert not any(looks(button, 50))
    chip.touch(0)
    settled(button)
    chip.touch(1)
    assert settled(button) is True


def test_a_chip_that_says_nothing_more_lets_go():
    for name in ("GT911", "TT21100"):
        button, chip = panel(name)
        settled(button)
        chip.touch(1)
        said = looks(button, BUSY_LOOKS * (SILENT_READINGS + 2))
        assert True in said and said[-1] is False, name


def test_a_sleeping_or_unplugged_chip_is_not_touched_and_costs_no_time():
    button, _ = panel("CST816S")
    settled(button)
    I2C.devices[4].clear()
    for _ in range(IDLE_LOOKS):
        clock.forget()
        assert button.pressed() is False
        assert clock.longest_us < 500


def test_a_chip_that_sleeps_is_asked_once_a_second_and_at_once_when_it_calls():
    asked = []

    def fingers():
        asked.append(None)
        raise OSError(19)

    bus_with({})
    button = Touch(fingers, Pin(12, Pin.IN))
    looks(button, 300)
    assert len(asked) == 3
    Pin.handlers[12](None)
    looks(button, 1)
    assert len(asked) == 4
    del asked[:]
    looks(Touch(fingers), 300)
    assert len(asked) == 100, "without an interrupt it must be asked all the time"


def test_a_cst816_without_a_reset_pin_may_sleep_and_is_believed():
    i2c = bus_with({})
    assert touch_of({}, {"devices": {"CST816D": 0x15}}, i2c).pressed() is False


def test_none_that_answers_is_an_error_and_a_chip_that_nobody_knows_is_no_panel():
    i2c = bus_with({})
    for touch, name in (({}, "FT6336"), ({"rst": 18}, "CST816S")):
        try:
            touch_of(touch, {"devices": {name: 0x38}}, i2c)
        except OSError as error:
            assert str(error) == "none of %s answers" % name
        else:
            raise AssertionError("nobody is there")
    assert touch_of({}, {"devices": {"ES8311": 24}}, i2c) is None
    assert touch_of({}, {}, i2c) is None
    assert touch_of({}, {"devices": {"FT6336": "unknown"}}, i2c) is None


def test_a_board_with_one_of_several_chips_takes_the_one_that_answers():
    devices = {"ES8311": 24, "GT911": [0x5D, 0x14], "TT21100": 0x24}
    for address, kind in ((0x5D, "GT911"), (0x14, "GT911"), (0x24, "TT21100")):
        chip = TouchChip(kind)
        button = touch_of({}, {"devices": devices}, bus_with({24: chip, address: chip}))
        settled(button)
        chip.touch(1)
        assert settled(button) is True, kind


def test_a_reset_pin_is_pulsed_and_a_slow_chip_is_waited_for():
    chips = {}
    i2c = bus_with(chips)
    waited = []

    def sleep_ms(ms):
        waited.append((ms, Pin.levels[18]))
        if len(waited) == 4:
            chips[0x38] = TouchChip("FT6336")

    assert touch_of({"rst": 18}, {"devices": {"FT6336": 0x38}}, i2c, sleep_ms) is not None
    assert waited == [(10, 0), (50, 1), (50, 1), (50, 1)]


def test_a_reading_is_short_even_on_a_slow_bus():
    for name in NAMES:
        button, chip = panel(name)
        chip.touch(1)
        clock.forget()
        button.pressed()
        assert clock.longest_us <= 2000, name
