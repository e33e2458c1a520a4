"""Single pins of a board: buttons, switches, light of a panel, battery."""

from machine import ADC, PWM, Pin

# Beginnings of the names of inputs that are no buttons, and of keys that talk where no other can.
_NO_BUTTONS = ("mute", "jack", "dial")
_OTHER_KEYS = ("power", "vol_")
_PWM_HZ = 1000
_FULL_MV, _EMPTY_MV = 4150, 3300  # of one lithium cell


class PinButton:
    """hal.board.Button on a pin that closes to ground, to the supply where it is active high."""

    def __init__(self, name: str, gpio: int, active: str, pulled: bool):
        self.name = name
        self._down = 1 if active == "high" else 0
        pull = None
        if pulled:
            pull = Pin.PULL_DOWN if self._down else Pin.PULL_UP
        self._pin = Pin(gpio, Pin.IN, pull)

    def pressed(self) -> bool:
        return self._pin() == self._down


def buttons_of(buttons, chip: str) -> tuple:
    """The buttons of a board's file; the first one talks where none is named so.

    Keys on a resistor ladder or on a port expander are not read.
    """
    keys = [each for each in buttons if "gpio" in each]
    keys = [each for each in keys if not each["name"].startswith(_NO_BUTTONS)]
    used = [each for each in keys if not each["name"].startswith(_OTHER_KEYS)] or keys
    names = [each["name"] for each in used]
    if used and "talk" not in names:
        names[0] = "talk"
    watched = []
    for name, each in zip(names, used):
        # These pins of an ESP32 have no resistors of their own.
        pulled = chip != "esp32" or each["gpio"] <= 33
        watched.append(PinButton(name, each["gpio"], each.get("active"), pulled))
    return tuple(watched)


class Switch:
    """Something that is on or off: a pin, or two register lists (`on`, `off`)."""

    def __init__(self, switch: dict, registers):
        self._registers = registers
        self._lists = None
        if "gpio" in switch:
            self._level = 0 if switch.get("active") == "low" else 1
            self._pin = Pin(switch["gpio"], Pin.OUT, value=1 - self._level)
        else:
            self._lists = (switch["off"], switch["on"])
            self.off()

    def on(self):
        self._set(1)

    def off(self):
        self._set(0)

    def _set(self, on):
        if self._lists is None:
            self._pin(self._level if on else 1 - self._level)
        else:
            self._registers.run(self._lists[on])


def switch_of(switch, registers):
    """The Switch of a board's file; None without one, or where it is described in words alone."""
    if not switch or not ("gpio" in switch or ("on" in switch and "off" in switch)):
        return None
    return Switch(switch, registers)


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
    if "level_reg" in light:
        # An older form of the file: the register alone, of the chip that `init` begins with.
        light = dict(light)
        light["level"] = light["init"][0][:3] + [light["level_reg"]]
    if "level" in light:
        return RegisterBacklight(light, registers)
    return SwitchedBacklight(light, registers) if "on" in light else None


class AdcBattery:
    """hal.board.Battery of one lithium cell behind a divider; its percent follow the voltage."""

    def __init__(self, battery: dict):
        self._adc = ADC(Pin(battery["adc_gpio"]), atten=ADC.ATTN_11DB)
        self._divider = battery.get("divider", 2)

    def percent(self) -> int:
        cell_mv = int(self._adc.read_uv() * self._divider) // 1000
        return max(0, min(100, (cell_mv - _EMPTY_MV) * 100 // (_FULL_MV - _EMPTY_MV)))
