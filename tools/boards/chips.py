"""What the pins of each chip can do, as facts: what a board's file is checked against.

Sources: the data sheets' pin tables, and MicroPython's ports/esp32/machine_pin.h and
machine_i2s.c at v1.28, which say what its images offer.
"""

from dataclasses import dataclass

Pins = frozenset[int]


def _pins(*ranges: int | tuple[int, int]) -> Pins:
    numbers: set[int] = set()
    for each in ranges:
        first, last = (each, each) if isinstance(each, int) else each
        numbers.update(range(first, last + 1))
    return frozenset(numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """GPIO numbers by what they can and cannot do.

    `taken` are never free, each with who has them; `lent` can be had back, but not without
    thought, so that a board's file says why (`accepted`).
    """

    name: str
    bonded: Pins  # that exist, as a pin of the usual modules
    input_only: Pins
    strapping: Pins
    console: Pins
    adc1: Pins  # the ADC that works beside Wi-Fi
    i2s_units: int
    taken: tuple[tuple[Pins, str], ...]
    lent: tuple[tuple[Pins, str], ...] = ()


CHIPS = {
    "esp32": Chip(
        name="ESP32",
        bonded=_pins((0, 19), (21, 23), (25, 27), (32, 36), 39),
        input_only=_pins((34, 36), 39),
        strapping=_pins(0, 2, 5, 12, 15),
        console=_pins(1, 3),
        adc1=_pins((32, 36), 39),
        i2s_units=2,
        taken=((_pins((6, 11)), "the module's flash"),),
    ),
    "esp32s3": Chip(
        name="ESP32-S3",
        bonded=_pins((0, 21), (26, 48)),
        input_only=_pins(),
        strapping=_pins(0, 3, 45, 46),
        console=_pins(43, 44),
        adc1=_pins((1, 10)),
        i2s_units=2,
        taken=((_pins((27, 32)), "the module's flash"), (_pins(19, 20), "the chip's USB")),
    ),
    "esp32c3": Chip(
        name="ESP32-C3",
        bonded=_pins((0, 21)),
        input_only=_pins(),
        strapping=_pins(2, 8, 9),
        console=_pins(20, 21),
        adc1=_pins((0, 4)),
        i2s_units=1,
        taken=((_pins((14, 17)), "the module's flash"), (_pins(18, 19), "the chip's USB")),
        lent=(
            (_pins(11), "VDD_SPI, the flash's supply, until an eFuse is burned"),
            (_pins(12, 13), "the flash, unless it runs in DIO mode"),
        ),
    ),
}
# (chip, PSRAM bus) -> what the PSRAM takes besides.
_PSRAM = {
    ("esp32", "quad"): (_pins(16, 17), "the module's PSRAM"),
    ("esp32s3", "quad"): (_pins(26), "the module's PSRAM"),
    ("esp32s3", "octal"): (_pins(26, (33, 37)), "the module's octal PSRAM"),
}
# A module whose flash sits on other pins than that of its chip's other modules.
_MODULES = {"ESP32-PICO-D4": (_pins(16, 17), "the flash inside the PICO-D4")}


def taken(chip: str, psram_bus: str | None, module: str | None) -> dict[int, str]:
    """Pins that no part may use, each with who has it."""
    groups = list(CHIPS[chip].taken)
    if psram_bus is not None and (chip, psram_bus) in _PSRAM:
        groups.append(_PSRAM[chip, psram_bus])
    if module in _MODULES:
        groups.append(_MODULES[module])
    return {pin: owner for pins, owner in groups for pin in pins}


def lent(chip: str) -> dict[int, str]:
    """Pins that a board may use with a reason, each with whose they are."""
    return {pin: owner for pins, owner in CHIPS[chip].lent for pin in pins}


def psram_buses(chip: str) -> tuple[str, ...]:
    """The kinds of PSRAM there are for a chip."""
    return tuple(bus for name, bus in _PSRAM if name == chip)
