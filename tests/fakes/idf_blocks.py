"""How much of ESP-IDF's heap Python takes on chips without PSRAM, by the port's own rule."""

from pathlib import Path
from typing import NamedTuple

NETWORK_BYTES = 24 * 1024
# First area in KB (ports/esp32/mpconfigport.h), free blocks of ESP-IDF's heap with Wi-Fi on.
CHIPS = {
    # ESP32, MicroPython 1.27: 112 KB in two areas leave a largest block of 32,752 (micrOS's log).
    "esp32": (56, "90112,15072,8000"),
    "esp32s3": (64, "147456,22000,16000"),
    # An estimate: 139,264 free at boot (micropython#14293, version 1.22), less 49 KB for Wi-Fi.
    "esp32c3": (64, "90112,8000"),
}


class Growth(NamedTuple):
    size: int
    left: int
    largest: int


def growths(log: Path) -> list[Growth]:
    if not log.exists():
        return []
    return [Growth(*map(int, line.split())) for line in log.read_text().splitlines()]
