"""The device's log: one line per happening on the console, the last ones kept for a report."""

import io
import sys
import time

KEPT = 12
LINE_CHARACTERS = 160

_kept = []
_verbose = [False]


def verbose(on: bool) -> None:
    """Whether `debug` lines are written."""
    _verbose[0] = on


def debug(area: str, text: str) -> None:
    """A detail for somebody who looks for a fault; written with `verbose(True)` only."""
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


def exception(area: str, text: str, problem: BaseException) -> None:
    """A fault of the program, with its traceback."""
    _write("error", area, "%s: %s: %s" % (text, type(problem).__name__, problem))
    trace = io.StringIO()
    sys.print_exception(problem, trace)
    sys.stderr.write(trace.getvalue())


def lines() -> "list[str]":
    """The last lines, oldest first."""
    return list(_kept)


def _write(level: str, area: str, text: str) -> None:
    now_ms = time.ticks_ms()
    line = "%d.%03d %s %s: %s" % (now_ms // 1000, now_ms % 1000, level, area, text)
    sys.stderr.write(line + "\n")
    if len(_kept) == KEPT:
        del _kept[0]
    _kept.append(line[:LINE_CHARACTERS])
