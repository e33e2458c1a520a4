"""The battery of a board: measured by itself, or by its power chip."""

from machine import ADC, Pin

_FULL_MV, _EMPTY_MV, _LEAST_MV = 4150, 3300, 2500  # of one lithium cell


def percent_of(cell_mv: int):
    """How full one lithium cell is, by its voltage; under load it reads lower.

    None where no cell can be: no board runs on so little.
    """
    if cell_mv < _LEAST_MV:
        return None
    return max(0, min(100, (cell_mv - _EMPTY_MV) * 100 // (_FULL_MV - _EMPTY_MV)))


class AdcBattery:
    """hal.board.Battery of one lithium cell behind a divider."""

    def __init__(self, battery: dict):
        self._adc = ADC(Pin(battery["adc_gpio"]), atten=ADC.ATTN_11DB)
        self._divider = battery.get("divider", 2)
        self._charging = None
        if "charging_gpio" in battery:
            self._level = 1 if battery.get("charging_active") == "high" else 0
            pull = Pin.PULL_DOWN if self._level else Pin.PULL_UP
            self._charging = Pin(battery["charging_gpio"], Pin.IN, pull)

    def percent(self):
        return percent_of(int(self._adc.read_uv() * self._divider) // 1000)

    def charging(self):
        return None if self._charging is None else self._charging() == self._level


def battery_of(battery, i2c, buses):
    """The battery of a board's file, None without one that can be read.

    `i2c` are the buses in the file, `buses` opens one by its name.
    """
    if "adc_gpio" in battery:
        return AdcBattery(battery)
    chip = battery.get("via", "").split(" ")[0]
    for name, bus in i2c.items():
        address = (bus.get("devices") or {}).get(chip)
        if isinstance(address, int):
            from hal.parts import power_chip  # few boards have one

            return power_chip.battery_of(chip, buses(name), address)
    return None
