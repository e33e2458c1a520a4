"""Batteries behind a power chip. Registers by XPowersLib, and xiaozhi-esp32's axp2101.cc."""

from hal.parts.battery import percent_of


class Axp2101:
    """hal.board.Battery of an AXP2101, whose gauge counts percent itself."""

    def __init__(self, i2c, address: int):
        self._i2c, self._address = i2c, address
        self._byte(0x00)

    def _byte(self, register):
        return self._i2c.readfrom_mem(self._address, register, 1)[0]

    def percent(self):
        try:
            is_there = self._byte(0x00) & 0x08
            level = self._byte(0xA4)
        except OSError:
            return None
        return level if is_there and level <= 100 else None

    def charging(self):
        try:
            return self._byte(0x01) >> 5 & 3 == 1  # 1: into the battery, 2: out of it
        except OSError:
            return None


class Sy6970:
    """hal.board.Battery of an SY6970, a charger that measures the voltage when it is told to.

    Its own watchdog forgets that it is to go on measuring, so each reading starts the next one.
    """

    def __init__(self, i2c, address: int):
        self._i2c, self._address = i2c, address
        self._measure()

    def _byte(self, register):
        return self._i2c.readfrom_mem(self._address, register, 1)[0]

    def _measure(self):
        self._i2c.writeto_mem(self._address, 0x02, bytes((self._byte(0x02) | 0x80,)))

    def percent(self):
        try:
            steps = self._byte(0x0E) & 0x7F
            self._measure()
        except OSError:
            return None
        return percent_of(2304 + steps * 20)  # 0 steps: nothing measured yet, and no cell

    def charging(self):
        try:
            return self._byte(0x0B) >> 3 & 3 in (1, 2)  # 0: not, 3: it is full
        except OSError:
            return None


_CHIPS = {"AXP2101": Axp2101, "SY6970": Sy6970}


def battery_of(chip: str, i2c, address: int):
    """The battery behind `chip`, None behind one that is not known; OSError without an answer."""
    return _CHIPS[chip](i2c, address) if chip in _CHIPS else None
