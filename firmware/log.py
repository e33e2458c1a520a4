"""The device's log: one line on the console for each event.

A line for which there is no heap is dropped: logging must never raise.
"""

import sys
import time

_verbose = [False]
stream = [sys.stderr]  # where the lines go; a board puts one there that does not block


def verbose(on: bool) -> None:
    """Whether `debug` lines are written."""
    _verbose[0] = on


def debug(area: str, text: str) -> None:
    """A detail for whoever looks for a fault; written with `verbose(True)` only."""
    if _verbose[0]:
        _write("debug", area, text)


def info(area: str, text: str) -> None:
    """A change of state or connection."""
    _write("info", area, text)


def warning(area: str, text: str) -> None:
    """A refusal or a loss that the device lives with."""
    _write("warning", area, text)


def error(area: str, text: str) -> None:
    """Something a person should act on."""
    _write("error", area, text)


def exception(area: str, what: str, problem: BaseException) -> None:
    """A fault of the program that made `what` fail, with its traceback."""
    try:
        _write("error", area, "%s failed: %s: %s" % (what, type(problem).__name__, problem))
        sys.print_exception(problem, stream[0])
    except MemoryError:
        pass


def _write(level: str, area: str, text: str) -> None:
    now_ms = time.ticks_ms()
    try:
        line = "%d.%03d %s %s: %s\n" % (now_ms // 1000, now_ms % 1000, level, area, text)
        stream[0].write(line)
    except MemoryError:
        pass
