"""RGB565 panels: MIPI commands over SPI, bands written in short steps."""

import asyncio
import time

from hal.parts.steps import WAIT, steps
from machine import Pin

STEP_MS = 4  # of the bus between two turns of the other tasks
_COLUMNS, _ROWS, _WRITE = 0x2A, 0x2B, 0x2C
_PIXELS = 0x55  # 16 bits, to the panel and to the bus
# Of MADCTL (0x36).
_MIRROR_Y, _MIRROR_X, _SWAP, _BGR = 0x80, 0x40, 0x20, 0x08


def madctl_of(display: dict) -> int:
    """The register of a display in a board's file: its own, else made of the flags."""
    if isinstance(display.get("madctl"), int):
        return display["madctl"]
    flags = ("mirror_y", _MIRROR_Y), ("mirror_x", _MIRROR_X), ("swap_xy", _SWAP), ("bgr", _BGR)
    return sum(bit for name, bit in flags if display.get(name) is True)


class RgbPanel:
    """hal.board.Display of the panel `display` (a board file's) on `spi`.

    `table` is what its controller needs beside the commands that all share, None for nothing:
    SETUP (hal.parts.steps) and PIXELS, its COLMOD.
    """

    depth = 16

    def __init__(self, spi, display: dict, table=None, sleep_ms=time.sleep_ms):
        self._spi = spi
        self.width, self.height = display["width"], display["height"]
        self._column = display.get("col_off", 0)
        self._row = display.get("row_off", 0)
        # Whole pixels, and no more than the bus moves in a step.
        self._step = display["freq"] // 8000 * STEP_MS & ~1
        self._dc = Pin(display["dc"], Pin.OUT, value=1)
        cs = display.get("cs")
        self._cs = None if cs is None else Pin(cs, Pin.OUT, value=1)
        self._span = bytearray(4)
        self._code = bytearray(1)
        self._reset(display, sleep_ms)
        self._set_up(display, table, sleep_ms)

    def _reset(self, display, sleep_ms):
        if not isinstance(display.get("rst"), int):
            self._command(0x01)  # by software: there is no such pin
            sleep_ms(150)
            return
        resting = 0 if display.get("rst_active") == "high" else 1
        pin = Pin(display["rst"], Pin.OUT, value=1 - resting)
        sleep_ms(20)
        pin(resting)
        sleep_ms(120)

    def _set_up(self, display, table, sleep_ms):
        for kind, command, data in steps(b"" if table is None else table.SETUP):
            if kind == WAIT:
                sleep_ms(command)
            else:
                self._command(command, data)
        self._command(0x11)  # out of sleep
        sleep_ms(120)
        self._command(0x3A, bytes((_PIXELS if table is None else table.PIXELS,)))
        self._command(0x36, bytes((madctl_of(display),)))
        self._command(0x21 if display.get("invert") else 0x20)
        self._command(0x29)  # display on

    def _select(self, on):
        if self._cs is not None:
            self._cs(0 if on else 1)

    def _command(self, code, data=b""):
        self._code[0] = code
        self._dc(0)
        self._select(True)
        self._spi.write(self._code)
        self._dc(1)
        if data:
            self._spi.write(data)
        self._select(False)

    def _window(self, command, first, count):
        last = first + count - 1
        span = self._span
        span[0], span[1], span[2], span[3] = first >> 8, first & 255, last >> 8, last & 255
        self._command(command, span)

    async def write(self, x: int, y: int, width: int, height: int, buffer):
        """See hal.board.Display; the panel takes the pixels as they are, big-endian."""
        self._window(_COLUMNS, self._column + x, width)
        self._window(_ROWS, self._row + y, height)
        self._command(_WRITE)
        view = memoryview(buffer)
        for at in range(0, width * height * 2, self._step):
            self._select(True)
            self._spi.write(view[at : min(at + self._step, width * height * 2)])
            self._select(False)
            await asyncio.sleep_ms(0)
