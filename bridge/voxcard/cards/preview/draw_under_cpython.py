"""Runs draw_card.py under CPython, as a program: draw_under_cpython.py FIRMWARE < request.json

This folder has the framebuf that CPython lacks; the few functions of MicroPython's asyncio and
time that the screen code calls are put into CPython's, in this process alone.
"""

import asyncio
import sys
import time
from importlib import import_module


async def _sleep_ms(ms: int) -> None:
    await asyncio.sleep(ms / 1000)


def main() -> None:
    """Draw the requests on the standard input."""
    sys.path.insert(1, sys.argv[1])
    setattr(asyncio, "sleep_ms", _sleep_ms)  # noqa: B010 - no such name to the type checker
    setattr(time, "ticks_ms", lambda: time.monotonic_ns() // 1_000_000)  # noqa: B010
    draw_card = import_module("draw_card")  # in this folder, the first of sys.path
    asyncio.run(draw_card.main())


if __name__ == "__main__":
    main()
