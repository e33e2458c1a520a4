"""The board of an ESP32, built from the file that describes it (boards/<id>.json)."""

import asyncio
import gc
import json
import sys

import esp32
import log
import machine
import network
from wifi import Wifi

from hal import audio_parts, clock, credentials, watchdog
from hal.camera import camera_of
from hal.console import Console
from hal.light import light_of
from hal.pins import AdcBattery, backlight_of, buttons_of
from hal.registers import Registers

PATH = "/board.json"
TICK_MS = 10
LOOK_TICKS = 25  # ticks between two looks at the radio; the watchdog is fed as often


class Buses:
    """The I2C buses of a board's file by name; each is opened when it is first used."""

    def __init__(self, buses: dict):
        self._buses = buses
        self._opened = {}

    def __call__(self, name: str):
        if name not in self._opened:
            bus = self._buses[name]
            self._opened[name] = machine.I2C(
                len(self._opened), sda=machine.Pin(bus["sda"]), scl=machine.Pin(bus["scl"]),
                freq=self.freq_hz(name),
            )  # fmt: skip
        return self._opened[name]

    def freq_hz(self, name: str) -> int:
        """The clock of a bus."""
        return self._buses[name].get("freq", 100000)


def driver(chip: str):
    """The module hal.drivers.<chip>; ImportError where there is none."""
    return __import__("hal.drivers." + chip, None, None, ("*",))


def part(name: str, build, *arguments):
    """A part that `build` makes; None, with a line in the log, where it is not there."""
    try:
        return build(*arguments)
    except (OSError, ValueError, KeyError, ImportError) as error:
        text = "the %s cannot be used (%s: %s): check its wiring and the board's file"
        log.error("board", text % (name, type(error).__name__, error))
        return None


def display_of(display, buses: Buses, registers):
    """The panel of a board's file with its light, None without one."""
    if not display or "driver" not in display:
        return None
    module = driver(display["driver"])
    if display["bus"] == "i2c":
        bus = display["i2c"]
        panel = module.Panel(
            buses(bus), display["addr"], buses.freq_hz(bus), width=display["width"],
            height=display["height"], mirror_x=display.get("mirror_x"),
            mirror_y=display.get("mirror_y"), invert=display.get("invert"),
        )  # fmt: skip
    elif display["bus"] == "spi":
        panel = module.Panel(_spi_of(display), display)
        light = backlight_of(display.get("backlight"), registers)
        panel.brightness = None if light is None else light.brightness
    else:
        raise ValueError("MicroPython has no bus %s" % display["bus"])
    panel.shape = display.get("shape", "rect")
    panel.pitch_um = display.get("pitch_um", 0)
    panel.cell = (6, 12) if min(panel.width, panel.height) <= 128 else (8, 16)
    return panel


def _spi_of(display):
    mode = display.get("spi_mode", 0)
    # Without `miso=None` it takes the port's default pin, which may be another part's.
    return machine.SPI(
        1, baudrate=display["freq"], polarity=mode >> 1, phase=mode & 1,
        sck=machine.Pin(display["sck"]), mosi=machine.Pin(display["mosi"]), miso=None,
    )  # fmt: skip


def pins_of(display) -> set:
    """The GPIOs that a display uses."""
    names = ("sck", "mosi", "cs", "dc", "rst")
    return {display[name] for name in names if isinstance(display.get(name), int)}


class Esp32Board:
    """hal.board.Board of the description `file`; the settings lie in the folder `root`."""

    device_id = ""
    settings = None

    def __init__(self, file: dict, root: str = "", console=None):
        self.id, self.name, self.root = file["id"], file["name"], root
        self.console = console
        buses = Buses(file.get("i2c") or {})
        registers = Registers(buses)
        part("power", registers.run, file.get("power") or ())
        audio = audio_parts.audio_of(file["audio"], registers, driver)
        self.microphone, self.speaker, self.duplex = audio
        display = file.get("display") or {}
        self.display = part("screen", display_of, display, buses, registers)
        self.buttons = buttons_of(file.get("buttons") or (), file["chip"])
        self._light = part("light", light_of, file.get("leds"))
        taken = pins_of(display) if self.display else ()
        self.camera = part("camera", camera_of, file.get("camera"), taken)
        battery = file.get("battery") or {}
        self.battery = part("battery", AdcBattery, battery) if "adc_gpio" in battery else None
        self.network = Wifi(network.WLAN(network.WLAN.IF_STA), network, _credentials(), _joined)

    def unique_id(self) -> bytes:
        return machine.unique_id()

    def reset(self):
        if self.console is not None:
            self.console.flush_all()
        machine.reset()

    def set_time(self, now_s: int):
        clock.set_time(now_s)

    def observe(self, event: str, **values):
        """Follow the session with the light."""
        if event == "state" and self._light is not None:
            self._light.show(values["state"])

    def memory(self) -> dict:
        """The heap without the network's memory, which gc.mem_free counts as free."""
        heaps = esp32.idf_heap_info(esp32.HEAP_DATA)
        largest = max([heap[2] for heap in heaps])
        return {
            "free_bytes": max(0, gc.mem_free() - largest),
            "system_free_bytes": sum([heap[1] for heap in heaps]),
            "system_largest_bytes": largest,
        }

    async def run(self):
        """Write the log, look at the radio, feed the watchdog; never ends."""
        ticks = 0
        while True:
            if self.console is not None:
                self.console.flush_some()
            if ticks % LOOK_TICKS == 0:
                watchdog.feed()
                self.network.step()
            ticks = (ticks + 1) % LOOK_TICKS
            await asyncio.sleep_ms(TICK_MS)


def _credentials():
    """Those that are stored; None without any that are good."""
    try:
        return credentials.load()
    except ValueError as error:
        log.error("wifi", "it must be set again: %s" % error)
        return None


def _joined():
    problem = clock.ask_network()
    if problem:
        log.warning("clock", problem)


def board() -> Esp32Board:
    """The board of the file that was put on it; OSError with what to do without one."""
    try:
        with open(PATH) as file:
            description = json.load(file)
    except (OSError, ValueError) as error:
        raise OSError("%s cannot be read (%s): deploy the device again" % (PATH, error))
    console = Console(sys.stderr)
    log.stream[0] = console
    return Esp32Board(description, console=console)
