"""The light of a panel, by its pin or by the chip that drives it."""

from hal.parts.pins import Switch
from machine import PWM, Pin

_PWM_HZ = 1000


class Backlight:
    """The light of a panel on a pin: dimmed, or switched where the file has no `pwm`."""

    def __init__(self, light: dict):
        self._low = light.get("active") == "low"
        self._pin = Pin(light["gpio"], Pin.OUT, value=1 if self._low else 0)
        self._pwm = PWM(self._pin, freq=_PWM_HZ, duty_u16=0) if light.get("pwm") else None

    def brightness(self, percent: int):
        if self._low:
            percent = 100 - percent
        if self._pwm is not None:
            self._pwm.duty_u16(percent * 65535 // 100)
        else:
            self._pin(1 if percent else 0)


class RegisterBacklight:
    """The light of a panel on a driver chip: `init` starts it, `level` is a step of a register
    list without its value, which is from `lowest` to `highest`."""

    def __init__(self, light: dict, registers):
        registers.run(light.get("init") or ())
        self._registers = registers
        self._level = tuple(light["level"])
        self._lowest = light.get("lowest", 0)
        self._span = light.get("highest", 255) - self._lowest

    def brightness(self, percent: int):
        value = self._lowest + percent * self._span // 100
        self._registers.run((self._level + (value,),))


class SwitchedBacklight:
    """The light of a panel that is only on or off, by two register lists."""

    def __init__(self, light: dict, registers):
        self._switch = Switch(light, registers)

    def brightness(self, percent: int):
        if percent:
            self._switch.on()
        else:
            self._switch.off()


def backlight_of(light, registers):
    """The backlight of a display in a board's file, None without one that can be set."""
    if not light:
        return None
    if "gpio" in light:
        return Backlight(light)
    if "level" in light:
        return RegisterBacklight(light, registers)
    return SwitchedBacklight(light, registers) if "on" in light else None
