"""The light of a panel by the chip that drives it."""

from hal.parts.pins import Switch


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
