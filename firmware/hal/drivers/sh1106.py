"""SH1106: 132 columns of which 128 are seen (Sino Wealth's data sheet, section "commands")."""

from hal.drivers.oled import Oled


class Panel(Oled):
    """It knows page addressing alone; its DC-DC converter is on."""

    SETUP = b"\xad\x8b"
    OFFSET = 2
