"""Runs register lists: a board's own, and the tables of its codecs."""

import time

from hal.parts.steps import CLEAR, SET, WAIT, steps
from machine import I2C, Pin

_WRITES = {"w8": 1, "w16": 2, "set": SET, "clr": CLEAR}


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
            elif name in _WRITES and len(operation) == 5:
                _, bus, address, register, value = operation
                data = bytes((value >> 8, value & 0xFF) if name == "w16" else (value,))
                self._write(_WRITES[name], self.buses(bus), address, register, data)
            else:
                raise ValueError("a register list cannot do %s" % (operation,))

    def program(self, bus: str, address: int, table: bytes) -> None:
        """Run a chip's table (hal.parts.steps); OSError when it does not answer."""
        i2c = self.buses(bus)
        for kind, register, data in steps(table):
            if kind == WAIT:
                self._sleep_ms(register)
            else:
                self._write(kind, i2c, address, register, data)

    def _write(self, kind, i2c, address, register, data):
        if kind in (SET, CLEAR):
            before = i2c.readfrom_mem(address, register, 1)[0]
            value = before | data[0] if kind == SET else before & ~data[0]
            data = bytes((value & 0xFF,))
        i2c.writeto_mem(address, register, data)


class Buses:
    """The I2C buses of a board's file by name; each is opened when it is first used."""

    def __init__(self, buses: dict):
        # Of the file's dictionaries nothing is kept.
        self._wires = {
            name: (bus["sda"], bus["scl"], bus.get("freq", 100000)) for name, bus in buses.items()
        }
        self._opened = {}

    def __call__(self, name: str):
        if name not in self._opened:
            sda, scl, freq_hz = self._wires[name]
            self._opened[name] = I2C(len(self._opened), sda=Pin(sda), scl=Pin(scl), freq=freq_hz)
        return self._opened[name]

    def freq_hz(self, name: str) -> int:
        """The clock of a bus."""
        return self._wires[name][2]
