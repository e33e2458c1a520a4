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

from hal import clock, watchdog
from hal.console import Console

PATH = "/board.json"
TICK_MS = 10
LOOK_TICKS = 25  # ticks between two looks at the radio; the watchdog is fed as often


class Esp32Board:
    """hal.board.Board of the description `file`; the settings lie in the folder `root`."""

    device_id = ""
    settings = None
    partition = esp32.Partition
    formats = ("ima-adpcm", "pcm16")
    line = sys.stdin.buffer  # the port's is one object for both directions

    def __init__(self, file: dict, root: str = "", console=None):
        self.id, self.name, self.root = file["id"], file["name"], root
        self.console = console
        self.update, self.slot = _place()
        from hal import builder

        builder.build(self, file)
        self.network = Wifi(
            network.WLAN(network.WLAN.IF_STA), network, builder.credentials_of(), _joined
        )
        _forget()

    def unique_id(self) -> bytes:
        return machine.unique_id()

    def reset(self):
        if self.console is not None:
            self.console.flush_all()
        machine.reset()

    def set_time(self, now_s: int):
        clock.set_time(now_s)

    def unix(self):
        return clock.unix()

    def observe(self, event: str, **values):
        """Follow the session with the light; on a battery the radio sleeps between turns."""
        if event != "state":
            return
        if self.light is not None:
            self.light.show(values["state"])
        if self.battery is not None:
            self.network.save_power(values["state"] == "idle")

    def access_point(self):
        """Its own Wi-Fi, for its set-up."""
        # Needed seldom: it costs an idle board no heap.
        from hal.access_point import AccessPoint

        return AccessPoint()

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


def _place():
    """(the kind of release that this firmware can be replaced by, where it lies)."""
    folder = sys.path[0].strip("/")
    if folder in ("app_a", "app_b"):
        return "files", folder
    info = esp32.Partition(esp32.Partition.RUNNING).info()
    # Frozen modules have no absolute path; ota_0 to ota_15 are 0x10 to 0x1f.
    if not __file__.startswith("/") and info[1] & 0xF0 == 0x10:
        return "image", info[4]
    return None, ""


def _forget():
    """Free the heap of what starts and builds a board: that is done once."""
    for name in ("start", "builder", "audio_parts", "credentials", "tables"):
        if sys.modules.pop("hal." + name, None):
            delattr(sys.modules["hal"], name)
    for name in list(sys.modules):
        if name.startswith("hal.tables."):
            del sys.modules[name]


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
