"""GC9107 (GalaxyCore), 128x128. Values of xiaozhi's board file for the AtomS3 with Echo Base."""

from hal.drivers.rgb_panel import RgbPanel


class Panel(RgbPanel):
    """Needs its inner registers opened (0xFE, 0xEF) and set."""

    PIXELS = 0x05
    SETUP = (
        (0xFE, b""), (0xEF, b""), (0xB0, b"\xc0"), (0xB2, b"\x2f"), (0xB3, b"\x03"),
        (0xB6, b"\x19"), (0xB7, b"\x01"), (0xAC, b"\xcb"), (0xAB, b"\x0e"), (0xB4, b"\x04"),
        (0xA8, b"\x19"), (0xB8, b"\x08"), (0xE8, b"\x24"), (0xE9, b"\x48"), (0xEA, b"\x22"),
        (0xC6, b"\x30"), (0xC7, b"\x18"),
        (0xF0, b"\x1f\x28\x04\x3e\x2a\x2e\x20\x00\x0c\x06\x00\x1c\x1f\x0f"),
        (0xF1, b"\x00\x2d\x2f\x3c\x6f\x1c\x0b\x00\x00\x00\x07\x0d\x11\x0f"),
    )  # fmt: skip
