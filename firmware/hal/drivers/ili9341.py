"""ILI9341 and ILI9342C (Ilitek). Gamma and power of Espressif's esp-box-3.c for the ILI9342C."""

from hal.drivers.rgb_panel import RgbPanel

_BOX = (
    (0xC8, b"\xff\x93\x42"), (0xC0, b"\x0e\x0e"), (0xC5, b"\xd0"), (0xC1, b"\x02"),
    (0xB4, b"\x02"), (0xE0, b"\x00\x03\x08\x06\x13\x09\x39\x39\x48\x02\x0a\x08\x17\x17\x0f"),
    (0xE1, b"\x00\x28\x29\x01\x0d\x03\x3f\x33\x52\x04\x0f\x0e\x37\x38\x0f"),
    (0xB1, b"\x00\x1b"), (0xB7, b"\x06"),
)  # fmt: skip


class Panel(RgbPanel):
    """An ILI9341 starts with what its data sheet sets; the ILI9342C of a BOX has its own."""

    def __init__(self, spi, display: dict):
        if display.get("init") == "ili9342c_box":
            self.SETUP = _BOX
        RgbPanel.__init__(self, spi, display)
