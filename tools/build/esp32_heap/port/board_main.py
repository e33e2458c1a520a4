"""main.py of a measured board: `board.json` and `settings.json` lie in the working directory.

Without VOXCARD_SIMULATOR, which drivers of a device set, it says what the port's modules take.
"""

import gc
import json
import os
import sys


def used():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()


start = used()
# What a chip has without any heap.
import esp32  # noqa: F401
import machine
import network  # noqa: F401

port_bytes = used() - start


def report(event, **values):
    values["event"] = event
    print(json.dumps(values))


if not os.getenv("VOXCARD_SIMULATOR"):
    report("port", bytes=port_bytes)
    sys.exit(0)

# From here on as firmware/main.py.
gc.threshold(min(8192, gc.mem_free() // 32))

# The root of a board is this folder.
sys.path[0] = os.getcwd()

import hal.start

hal.start.prepare()

import app
from hal import esp32 as hal_esp32

hal_esp32.PATH = "board.json"
hal_esp32.Esp32Board.line = machine.line
board = hal_esp32.board()
board.root = "."
for button in board.buttons:
    if button.name == "talk":
        machine.talk.pin, machine.talk.down = button._pin, button._down
_observe = board.observe


def observe(event, **values):
    report(event, **values)
    _observe(event, **values)


board.observe = observe
app.run(board)
