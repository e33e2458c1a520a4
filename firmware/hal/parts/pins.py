"""Single pins of a board: buttons and switches."""

from machine import Pin

# Beginnings of the names of inputs that are no buttons, of the volume's keys, and of the key that
# talks where no other can.
_NO_BUTTONS = ("mute", "jack", "dial")
_VOLUME = "vol_"
_OTHER_KEYS = ("power",)


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


def _without(beginnings, keys):
    return [each for each in keys if not each["name"].startswith(beginnings)]


def buttons_of(buttons, chip: str) -> tuple:
    """The buttons of a board's file that have pins; the first talks where none is named so."""
    keys = [each for each in buttons if "gpio" in each]
    keys = _without(_NO_BUTTONS, keys)
    others = _without(_VOLUME, keys)
    used = _without(_OTHER_KEYS, others) or others or keys
    names = [each["name"] for each in used]
    if used and "talk" not in names:
        names[0] = "talk"
    watched = []
    volume = [each for each in keys if each["name"].startswith(_VOLUME) and each not in used]
    names += [each["name"] for each in volume]
    for name, each in zip(names, used + volume):
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
