"""Images as MicroPython's build makes them, without the programs in them."""

import random
import struct

SIZES = {2: 1, 4: 2, 8: 3, 16: 4}  # MB to the header's number
CHIP_IDS = {"esp32": 0, "esp32c3": 5, "esp32s3": 9}
OFFSETS = {"esp32": 0x1000, "esp32c3": 0, "esp32s3": 0}


def image(chip="esp32s3", build="ESP32_GENERIC_S3-SPIRAM_OCT", version="v1.28.0", flash_mb=4):
    """Bootloader, partition table and application for a chip; noise where the code would be.

    It can be compressed as well as code.
    """
    whole = bytearray(byte & 63 for byte in random.Random(chip).randbytes(0x20000))
    head = struct.pack("<4B I 4B H", 0xE9, 1, 2, SIZES[flash_mb] << 4 | 0xF, 0, 0xEE, 0, 0, 0,
                       CHIP_IDS[chip])  # fmt: skip
    whole[: len(head)] = head
    table = partition(2, "nvs", 0x9000, 0x6000) + partition(0, "factory", 0x10000, 0x1F0000)
    at = 0x8000 - OFFSETS[chip]
    whole[at : at + 96] = table + b"\xff" * 32
    banner = f"\0MicroPython {version} on 2026-04-06; board\0{build}\0".encode()
    whole[0x18000 : 0x18000 + len(banner)] = banner
    return bytes(whole)


def partition(kind, name, start, size):
    return struct.pack("<2s B B I I 16s I", b"\xaa\x50", kind, 0, start, size, name.encode(), 0)


def app_image(*words, **values):
    """What updates take: the application alone. As `image`."""
    whole = bytearray(image(*words, **values))
    whole[32:36] = b"\x32\x54\xcd\xab"
    return bytes(whole)
