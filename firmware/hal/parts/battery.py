"""A battery that a board measures by itself."""

from machine import ADC, Pin

_FULL_MV, _EMPTY_MV = 4150, 3300  # of one lithium cell


class AdcBattery:
    """hal.board.Battery of one lithium cell behind a divider; its percent follow the voltage."""

    def __init__(self, battery: dict):
        self._adc = ADC(Pin(battery["adc_gpio"]), atten=ADC.ATTN_11DB)
        self._divider = battery.get("divider", 2)

    def percent(self) -> int:
        cell_mv = int(self._adc.read_uv() * self._divider) // 1000
        return max(0, min(100, (cell_mv - _EMPTY_MV) * 100 // (_FULL_MV - _EMPTY_MV)))
