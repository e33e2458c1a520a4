"""Every panel's driver shows what is written, where it is written, in steps of at most 5 ms."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import machine
from fakes.port.buses import I2C, SPI
from fakes.port.panels import RgbPanel, Ssd1306
from fakes.port.pins import Pin
from hal.drivers import rgb_panel, sh1106, ssd1306
from hal.drivers.rgb_panel import madctl_of
from hal.tables import gc9107_atoms3, gc9a01, gc9d01n, ili9342c_box

WIRES = {"sck": 12, "mosi": 11, "cs": 10, "dc": 9, "rst": 8, "freq": 40000000}


def spi():
    Pin.chip, Pin.forbidden = "esp32s3", ()
    return machine.SPI(
        1, baudrate=WIRES["freq"], polarity=0, phase=0, sck=Pin(12), mosi=Pin(11), miso=None
    )


def colour(table=None, **changes):
    display = dict(WIRES)
    display.update({"width": 240, "height": 240, "col_off": 0, "row_off": 0})
    display.update(changes)
    bus = spi()
    SPI.panel = RgbPanel(display)
    return rgb_panel.RgbPanel(bus, display, table), SPI.panel


def mono(driver, freq=400000, first=0, **changes):
    Pin.chip = "esp32s3"
    display = {"width": 128, "height": 64}
    display.update(changes)
    panel = Ssd1306(display, columns=132, first=first)
    I2C.devices[4] = {60: panel}
    bus = machine.I2C(0, sda=Pin(4), scl=Pin(5), freq=freq)
    return driver.Panel(bus, 60, freq, **display), panel


async def test_every_colour_panel_shows_its_first_and_its_last_pixel():
    for table, width, height, row in (
        (None, 240, 320, 0), (ili9342c_box, 320, 240, 0), (gc9a01, 240, 240, 0),
        (gc9107_atoms3, 128, 128, 32), (gc9d01n, 160, 160, 0),
    ):  # fmt: skip
        panel, shown = colour(table, width=width, height=height, row_off=row)
        assert shown.is_on and panel.depth == 16
        await panel.write(0, 0, width, 1, b"\xf8\x00" * width)
        await panel.write(width - 2, height - 1, 2, 1, b"\x07\xe0\x00\x1f")
        assert bytes(shown.pixels[:4]) == b"\xf8\x00\xf8\x00"
        assert bytes(shown.pixels[-4:]) == b"\x07\xe0\x00\x1f"
        assert not any(shown.pixels[width * 2 : -4])


async def test_a_whole_panel_is_written_in_steps_of_at_most_5_ms():
    for freq in (20000000, 40000000):
        panel, shown = colour(freq=freq)
        clock.forget()
        await panel.write(0, 0, 240, 240, bytes(range(256)) * 450)
        assert bytes(shown.pixels) == bytes(range(256)) * 450
        assert clock.longest_us <= 5000
    for freq in (100000, 400000, 1000000):
        panel, _ = mono(ssd1306, freq)
        clock.forget()
        await panel.write(0, 0, 128, 64, bytes(1024))
        assert clock.longest_us <= 5000, (freq, clock.longest_us)


async def test_what_a_controller_is_set_to_comes_from_the_boards_file():
    panel, shown = colour(invert=True, madctl=0x60)
    assert shown.commands[0x36] == b"\x60" and 0x21 in shown.commands
    panel, shown = colour(ili9342c_box, invert=False, madctl="unknown", bgr=True)
    assert shown.commands[0x36] == b"\x08" and 0x20 in shown.commands
    assert shown.commands[0xC8] == b"\xff\x93\x42"
    panel, shown = colour()
    assert 0xC8 not in shown.commands
    assert panel.width == 240


def test_a_panel_that_is_turned_or_mirrored_has_its_bits():
    assert madctl_of({"mirror_x": True, "mirror_y": True, "bgr": True}) == 0xC8
    assert madctl_of({"swap_xy": True, "madctl": "unknown"}) == 0x20
    assert madctl_of({"madctl": 8, "mirror_x": True}) == 8


def test_a_reset_pin_rests_at_its_own_level_and_without_one_a_command_resets():
    colour()
    assert Pin.levels[8] == 1
    colour(rst_active="high")
    assert Pin.levels[8] == 0
    _, shown = colour(rst=None)
    assert 0x01 in shown.commands


async def test_a_panel_without_a_select_pin_is_driven_too():
    Pin.levels[10] = 1
    panel, shown = colour(cs=None)
    await panel.write(0, 0, 1, 1, b"\x12\x34")
    assert bytes(shown.pixels[:2]) == b"\x12\x34"


async def test_mono_panels_show_rows_of_bits_where_they_are_written():
    for driver, first in ((ssd1306, 0), (sh1106, 2)):
        panel, shown = mono(driver, first=first)
        assert shown.is_on
        await panel.write(0, 8, 128, 8, b"\x80" + bytes(14) + b"\x01" + bytes(112))
        rows = shown.pixels
        assert rows[8 * 16] == 0x80 and rows[8 * 16 + 15] == 0x01
        assert sum(rows) == 0x81


async def test_a_mono_panel_is_written_in_part_too():
    panel, shown = mono(ssd1306)
    await panel.write(16, 24, 16, 16, b"\xff\x00" * 16)
    rows = shown.pixels
    assert [rows[y * 16 + 2] for y in range(24, 40)] == [0xFF] * 16
    assert sum(rows) == 0xFF * 16


async def test_a_dark_mono_panel_is_off():
    panel, shown = mono(ssd1306)
    panel.brightness(0)
    assert not shown.is_on
    panel.brightness(50)
    assert shown.is_on and shown.commands[0x81] == bytes((127,))


async def test_a_small_mono_panel_has_its_own_wiring_of_rows():
    _, shown = mono(ssd1306, height=32)
    assert shown.commands[0xA8] == bytes((31,)) and shown.commands[0xDA] == b"\x02"
