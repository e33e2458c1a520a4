"""The lines that the firmware logs, without their time."""

import log

_lines = []
_write = log._write


def _keep(level, area, text):
    try:
        _lines.append(level + " " + area + ": " + text)
    except MemoryError:  # a test has locked the heap
        return
    _write(level, area, text)


log._write = _keep


def lines():
    """All lines so far, oldest first."""
    return list(_lines)
