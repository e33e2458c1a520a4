"""The light of a panel by its pin."""

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
