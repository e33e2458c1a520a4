"""Runs register lists: what boards' files and codecs' tables write, as data."""

import time

from machine import I2C, Pin


class Registers:
    """Runs register lists on the I2C buses `buses`, a callable(name) -> machine.I2C.

    In a board's file an entry is ["w8", bus, address, register, value], "w16" (big-endian) alike,
    ["clr" or "set", bus, address, register, mask], ["ms", n] or ["pin", gpio, level].
    """

    def __init__(self, buses, sleep_ms=time.sleep_ms):
        self.buses = buses
        self._sleep_ms = sleep_ms

    def run(self, operations) -> None:
        """Do them in their order; OSError when a chip does not answer, ValueError for no entry."""
        for operation in operations:
            name = operation[0]
            if name == "ms":
                self._sleep_ms(operation[1])
            elif name == "pin":
                Pin(operation[1], Pin.OUT, value=operation[2])
            elif name in ("w8", "w16", "clr", "set") and len(operation) == 5:
                self._write(*operation)
            else:
                raise ValueError("a register list cannot do %s" % (operation,))

    def program(self, bus: str, address: int, table) -> None:
        """Write a chip's table of (register, value), ("clr", register, mask) or ("ms", n)."""
        for entry in table:
            if entry[0] == "ms":
                self._sleep_ms(entry[1])
            elif len(entry) == 2:
                self._write("w8", bus, address, *entry)
            else:
                self._write(entry[0], bus, address, *entry[1:])

    def _write(self, name, bus, address, register, value):
        i2c = self.buses(bus)
        if name == "w16":
            data = bytes((value >> 8, value & 0xFF))
        else:
            if name != "w8":
                before = i2c.readfrom_mem(address, register, 1)[0]
                value = before | value if name == "set" else before & ~value
            data = bytes((value & 0xFF,))
        i2c.writeto_mem(address, register, data)


class Buses:
    """The I2C buses of a board's file by name; each is opened when it is first used."""

    def __init__(self, buses: dict):
        self._buses = buses
        self._opened = {}

    def __call__(self, name: str):
        if name not in self._opened:
            bus = self._buses[name]
            self._opened[name] = I2C(
                len(self._opened), sda=Pin(bus["sda"]), scl=Pin(bus["scl"]),
                freq=self.freq_hz(name),
            )  # fmt: skip
        return self._opened[name]

    def freq_hz(self, name: str) -> int:
        """The clock of a bus."""
        return self._buses[name].get("freq", 100000)
