"""Waits for the first byte on the serial line of a board that may be set up by it.

It costs a device in its first minutes next to nothing; what understands the bytes (serial_line)
comes with them.
"""

import asyncio
import select
import sys

import micropython

POLL_MS = 20  # the port keeps 260 bytes, 22 ms at 115200 baud
WINDOW_MS = 180000
_CTRL_C = 3


async def watch(board, about, window_ms=WINDOW_MS):
    """Let a computer set the board up while it has no Wi-Fi, and for `window_ms` after the start.

    `about` are the texts of an Improv device (serial_line). Ctrl-C ends the program meanwhile as
    it does afterwards: KeyboardInterrupt.
    """
    poll = select.poll()
    poll.register(board.line, select.POLLIN)
    # 3 is a byte of every packet; the port would end the program by it.
    micropython.kbd_intr(-1)
    service = None
    left_ms = window_ms
    try:
        while left_ms > 0 or board.network.lost:
            for _ in poll.ipoll(0):
                if service is None:
                    from provisioning.serial_line import SerialLine

                    service = SerialLine(board, about)
                byte = board.line.read(1)
                if not byte:
                    return  # the line is closed
                if service.take(byte[0]):
                    raise KeyboardInterrupt
                break
            else:
                await asyncio.sleep_ms(POLL_MS)
                left_ms -= POLL_MS
                if service is not None:
                    service.tick(POLL_MS)
    finally:
        micropython.kbd_intr(_CTRL_C)
        _forget()


def _forget():
    """Free the heap of what understood the bytes."""
    package = sys.modules["provisioning"]
    for name in ("serial_line", "improv", "station", "form"):
        if sys.modules.pop("provisioning." + name, None):
            delattr(package, name)
