"""A whole board on the port's fakes, from its own file; import fakes.port first."""

import json

import esp32
import machine
import neopixel
import network
from fakes.port import clock
from fakes.port.buses import I2C, SPI, RegisterChip, TouchChip
from fakes.port.i2s import I2S
from fakes.port.panels import RgbPanel, Ssd1306
from fakes.port.pins import ADC, PWM, Pin, journal

ROOT = __file__[: __file__.rindex("tests/")]
# What images and modules take away: ports/esp32/machine_pin.h and boards' files (`reserved`).
OCTAL = (26, 33, 34, 35, 36, 37)


def read(name):
    with open(ROOT + "boards/" + name + ".json") as file:
        return json.load(file)


class Bench:
    """One board, powered up: its description, its chips by (bus, address), its panel.

    `missing` is the (bus, address) of a chip that is not there.
    """

    def __init__(self, name, missing=None):
        self.file = read(name)
        self._power_up()
        self.chips = {}
        for wires in self.file["i2c"].values():
            I2C.devices[wires["sda"]] = {}
        self._solder()
        self.panel = None
        self.touch = self._touch()
        display = self.file.get("display") or {}
        if display.get("bus") == "i2c":
            self.panel = Ssd1306(display)
            sda = self.file["i2c"][display["i2c"]]["sda"]
            I2C.devices[sda][display["addr"]] = self.panel
        elif display.get("bus") == "spi":
            self.panel = SPI.panel = RgbPanel(display)
        if missing is not None:
            del I2C.devices[self.file["i2c"][missing[0]]["sda"]][missing[1]]

    def _power_up(self):
        octal = (self.file.get("psram") or {}).get("bus") == "octal"
        Pin.chip, Pin.forbidden = self.file["chip"], OCTAL if octal else ()
        for state in (Pin.levels, Pin.modes, PWM.running, ADC.microvolts, I2C.devices, I2S.units,
                      Pin.handlers, SPI.sent):  # fmt: skip
            state.clear()
        del journal[:]
        I2S.source, I2S.played, SPI.panel = None, bytearray(), None
        machine.WDT.timeout_ms = None
        neopixel.NeoPixel.shown.clear()
        network.WLAN.settings, network.WLAN.attempts = {}, []
        network.WLAN._active = False
        network.WLAN(0).disconnect()
        esp32.NVS.stored.clear()
        clock.set_wall(0)

    def _touch(self):
        """The touch chip of the board, the first of those it may have."""
        touch = self.file.get("touch")
        bus = self.file["i2c"][touch["i2c"]] if touch else {}
        for kind in ("FT6336", "CST816", "GT911", "TT21100", "CHSC6X"):
            for name, addresses in (bus.get("devices") or {}).items():
                if name.startswith(kind):
                    address = addresses[0] if isinstance(addresses, list) else addresses
                    chip = I2C.devices[bus["sda"]][address] = TouchChip(kind)
                    return chip
        return None

    def _solder(self):
        for button in self.file["buttons"]:
            # On the board, or the pin's own: it rests at the other level.
            if "gpio" in button:
                Pin.levels[button["gpio"]] = 0 if button.get("active") == "high" else 1
        audio = self.file["audio"]
        places = [
            (stream["codec"]["bus"], stream["codec"]["addr"])
            for stream in (audio["in"], audio["out"])
            if "codec" in stream
        ]
        lists = [self.file.get("power") or ()]
        light = (self.file.get("display") or {}).get("backlight") or {}
        lists += [light.get("init") or (), [light["level"]] if "level" in light else ()]
        places += [tuple(entry[1:3]) for each in lists for entry in each if entry[0][0] in "wcs"]
        keys = [button["read"] for button in self.file["buttons"] if "read" in button]
        places += [(bus, address) for bus, address, _, _ in keys]
        places += self._power_chip()
        for bus, address in places:
            chip = self.chips.setdefault((bus, address), RegisterChip())
            I2C.devices[self.file["i2c"][bus]["sda"]][address] = chip
        for bus, address, register, _ in keys:
            self.chips[bus, address].registers[register] = 0xFF  # pulled up: no key is down

    def _power_chip(self):
        chip = (self.file.get("battery") or {}).get("via", "").split(" ")[0]
        buses = self.file["i2c"]
        return [
            (name, buses[name]["devices"][chip])
            for name in buses
            if chip in (buses[name].get("devices") or {})
        ]
