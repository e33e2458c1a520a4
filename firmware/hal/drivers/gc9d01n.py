"""GC9D01N (GalaxyCore), round 160x160. Values of xiaozhi's driver for the LilyGO T-Circle-S3."""

from hal.drivers.rgb_panel import RgbPanel


class Panel(RgbPanel):
    """Needs its inner registers opened (0xFE, 0xEF) and set."""

    PIXELS = 0x05
    SETUP = (
        (0xFE, b""), (0xEF, b""), (0x80, b"\xff"), (0x81, b"\xff"), (0x82, b"\xff"),
        (0x84, b"\xff"), (0x85, b"\xff"), (0x86, b"\xff"), (0x87, b"\xff"), (0x88, b"\xff"),
        (0x89, b"\xff"), (0x8A, b"\xff"), (0x8B, b"\xff"), (0x8C, b"\xff"), (0x8D, b"\xff"),
        (0x8E, b"\xff"), (0x8F, b"\xff"), (0x3A, b"\x05"), (0xEC, b"\x01"),
        (0x74, b"\x02\x0e\x00\x00\x00\x00\x00"), (0x98, b"\x3e"), (0x99, b"\x3e"),
        (0xB5, b"\x0d\x0d"), (0x60, b"\x38\x0f\x79\x67"), (0x61, b"\x38\x11\x79\x67"),
        (0x64, b"\x38\x17\x71\x5f\x79\x67"), (0x65, b"\x38\x13\x71\x5b\x79\x67"),
        (0x6A, b"\x00\x00"), (0x6C, b"\x22\x02\x22\x02\x22\x22\x50"),
        (0x6E, b"\x03\x03\x01\x01\x00\x00\x0f\x0f\x0d\x0d\x0b\x0b\x09\x09\x00\x00"
               b"\x00\x00\x0a\x0a\x0c\x0c\x0e\x0e\x10\x10\x00\x00\x02\x02\x04\x04"),
        (0xBF, b"\x01"), (0xF9, b"\x40"), (0x9B, b"\x3b\x93\x33\x7f\x00"), (0x7E, b"\x30"),
        (0x70, b"\x0d\x02\x08\x0d\x02\x08"), (0x71, b"\x0d\x02\x08"), (0x91, b"\x0e\x09"),
        (0xC3, b"\x19\xc4\x19\xc9\x3c"), (0xF0, b"\x53\x15\x0a\x04\x00\x3e"),
        (0xF1, b"\x56\xa8\x7f\x33\x34\x5f"), (0xF2, b"\x53\x15\x0a\x04\x00\x3a"),
        (0xF3, b"\x52\xa4\x7f\x33\x34\xdf"),
    )  # fmt: skip
