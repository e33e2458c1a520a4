"""SSD1306: 128x64 and 128x32 (Solomon Systech's data sheet, section 10)."""

from hal.drivers.oled import Oled


class Panel(Oled):
    """Page addressing, charge pump on."""

    SETUP = b"\x20\x02\x8d\x14"
