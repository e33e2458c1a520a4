"""Time as on the port, passing only where a test can see it.

`install` puts it in the place of the module time and under asyncio. Time passes while every task
sleeps, and by `block`, which is what a bus or a driver takes while nothing else can run. Seconds
count from 2000, ticks wrap.
"""

import sys
import time as real
from asyncio import core

PERIOD = 1 << 30
_2000_S = 946684800
_BASE_MS = (real.ticks_ms() + (1 << 27)) % PERIOD  # always ahead of what asyncio's C code reads

_us = 0  # since the start
_step_us = 0  # blocked since another task had its turn
_wall_s = 0  # what the real-time clock was set to, less the seconds since the start
longest_us = 0  # blocked in one step


def now_us():
    return _us


def ticks_ms():
    return (_BASE_MS + _us // 1000) % PERIOD


def ticks_us():
    return (_BASE_MS * 1000 + _us) % PERIOD


def ticks_diff(end, start):
    return real.ticks_diff(end, start)


def ticks_add(ticks, delta):
    return real.ticks_add(ticks, delta)


def sleep_ms(ms):
    block(ms * 1000)


def block(us):
    """The processor is busy for so long."""
    global _us, _step_us, longest_us
    _us += us
    _step_us += us
    longest_us = max(longest_us, _step_us)


def forget():
    """Measure `longest_us` from now on."""
    global _step_us, longest_us
    _step_us = longest_us = 0


def time():
    return _wall_s + _us // 1000000


def set_wall(seconds):
    """The real-time clock is set to `seconds` since 2000."""
    global _wall_s
    _wall_s = seconds - _us // 1000000


def gmtime(seconds=None):
    return real.gmtime(_2000_S + (time() if seconds is None else seconds))


def mktime(parts):
    return real.mktime(parts) - _2000_S


_wait = core.IOQueue.wait_io_event


def _wait_io_event(queue, timeout_ms):
    global _us, _step_us
    _step_us = 0
    _wait(queue, 0)
    task = core._task_queue.peek()
    if task is None:
        raise RuntimeError("no task will ever run again")
    due_ms = real.ticks_diff(task.ph_key, ticks_ms())
    if due_ms > 0:
        _us += due_ms * 1000 - _us % 1000


def install():
    """Take the place of the clock, for everything that is imported from now on."""
    sys.modules["time"] = sys.modules[__name__]
    core.ticks = ticks_ms
    core.IOQueue.wait_io_event = _wait_io_event
