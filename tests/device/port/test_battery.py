"""Batteries: measured by the board, or by its power chip."""

from fakes.port import clock  # noqa: F401, I001  the port's clock goes before all else
import machine
from fakes.port.buses import I2C, RegisterChip
from fakes.port.pins import ADC, Pin
from hal.parts.battery import battery_of

PLACE = {"main": {"devices": {"AXP2101": 0x34, "SY6970": 0x6A, "FUEL": "unknown"}}}


def battery(description):
    """(the battery, the chip at both addresses)."""
    Pin.chip, Pin.forbidden = "esp32s3", ()
    Pin.levels.clear()
    chip = RegisterChip()
    chip.registers[0x00] = 0x08
    I2C.devices[4] = {0x34: chip, 0x6A: chip}
    bus = machine.I2C(0, sda=Pin(4), scl=Pin(5), freq=400000)
    return battery_of(description, PLACE, lambda name: {"main": bus}[name]), chip


def test_a_cell_behind_a_divider_says_percent_between_empty_and_full():
    cell, _ = battery({"adc_gpio": 9, "divider": 2.0})
    for cell_mv, percent in (
        (4200, 100), (3725, 50), (3300, 0), (3000, 0), (2500, 0), (2499, None), (0, None),
    ):  # fmt: skip
        ADC.microvolts[9] = cell_mv * 500
        assert cell.percent() == percent
    assert cell.charging() is None


def test_a_charger_is_seen_at_its_pin():
    for active, level in (("low", 0), ("high", 1)):
        cell, _ = battery({"adc_gpio": 1, "charging_gpio": 3, "charging_active": active})
        assert cell.charging() is False
        Pin.levels[3] = level
        assert cell.charging() is True


def test_an_axp2101_counts_percent_itself():
    cell, chip = battery({"via": "AXP2101 0x34"})
    for level, percent in ((0, 0), (64, 64), (100, 100), (101, None), (255, None)):
        chip.registers[0xA4] = level
        assert cell.percent() == percent
    chip.registers[0xA4] = 64
    chip.registers[0x00] = 0x20  # supplied, no battery in it
    assert cell.percent() is None
    for status, charging in ((0x00, False), (0x20, True), (0x24, True), (0x40, False)):
        chip.registers[0x01] = status
        assert cell.charging() is charging


def test_an_sy6970_measures_when_it_is_told_to():
    cell, chip = battery({"via": "SY6970 0x6A"})
    assert chip.writes == [(0x02, 0x80)]
    assert cell.percent() is None, "nothing is measured yet"
    # 20 mV a step above 2304 mV.
    for steps, percent in ((0x80 | 93, 100), (71, 49), (50, 0), (9, None)):
        chip.registers[0x0E] = steps
        assert cell.percent() == percent
    assert chip.writes == [(0x02, 0x80)] * 6
    for status, charging in ((0x00, False), (0x08, True), (0x10, True), (0x18, False)):
        chip.registers[0x0B] = status
        assert cell.charging() is charging


def test_a_chip_that_is_lost_knows_nothing_and_one_that_was_never_there_is_an_error():
    for via in ("AXP2101 0x34", "SY6970 0x6A"):
        cell, _ = battery({"via": via})
        I2C.devices[4].clear()
        assert cell.percent() is None and cell.charging() is None
        try:
            battery_of({"via": via}, PLACE, lambda name, i2c=cell._i2c: i2c)
        except OSError as error:
            assert error.errno == 19
        else:
            raise AssertionError("nobody answered")


def test_a_battery_that_nothing_reads_is_none():
    for description in ({}, {"via": "FUEL"}, {"via": "BQ27220 0x55"}):
        assert battery(description)[0] is None
