"""Keeps the device's tasks alive: one that dies is logged, reported and started again."""

import asyncio
import io
import os
import sys
import time

import log

PAUSE_MS = 1000  # before the first new start; doubles with each failure
PAUSE_MAX_MS = 30000
STEADY_MIN = 2  # a task that ran so long starts its pauses anew
KEPT = 4  # reports that wait for a link
WORDS_MAX = 1500  # characters of a traceback; a message has to hold it


class Reports:
    """What went wrong, sent to the bridge as `event` messages, kept while it is away.

    `post(name, text)` sends one; `open()` says whether somebody would get it.
    """

    def __init__(self, post, is_open) -> None:
        self._post = post
        self._is_open = is_open
        self._kept = []
        self.count = 0  # of all reports

    def add(self, name: str, text: str) -> None:
        """Send a report now, or when there is a link again; the newest are kept."""
        self.count += 1
        if self._is_open():
            self._post(name, text)
            return
        if len(self._kept) == KEPT:
            del self._kept[0]
        self._kept.append((name, text))

    def flush(self) -> None:
        """Send what was kept."""
        kept, self._kept = self._kept, []
        for name, text in kept:
            self._post(name, text)


async def keep_running(name: str, start, report, sleep_ms=asyncio.sleep_ms) -> None:
    """Await `start()` over and over; `report(text)` hears of every end.

    A task is not meant to end, so an end without an error counts as one. Never returns; only
    exceptions that end the program pass.
    """
    pause_ms = PAUSE_MS
    while True:
        began_min = _minute()
        try:
            await start()  # here: a coroutine between would be heap for every task
            log.error(name, "ended")
            report("%s ended" % name)
        except Exception as error:
            log.exception(name, "the task", error)
            report("%s: %s: %s" % (name, type(error).__name__, error))
        if _minute() - began_min >= STEADY_MIN:
            pause_ms = PAUSE_MS
        await sleep_ms(pause_ms)
        pause_ms = min(2 * pause_ms, PAUSE_MAX_MS)


def _minute() -> int:
    # By the clock: ticks begin anew every 12.4 days. Its seconds may be too many for a small int.
    return int(time.time()) // 60


class LastWords:
    """Why the program ended, in a file until the bridge is there.

    `firmware` names the build: the file may be read by a newer one.
    """

    def __init__(self, path: str, firmware: str) -> None:
        self._path, self._firmware = path, firmware

    def keep(self, error: BaseException) -> None:
        """Write the build and the traceback of what ended the program; a full flash loses it."""
        trace = io.StringIO()
        sys.print_exception(error, trace)
        head = "firmware %s\n" % self._firmware
        try:
            with open(self._path, "w") as file:
                file.write(head)
                file.write(trace.getvalue()[len(head) - WORDS_MAX :])
        except OSError as problem:
            log.error("crash", "cannot be kept (%s)" % problem)

    def take(self) -> str:
        """The text, "" when the last end was a good one; the file is gone then."""
        try:
            with open(self._path) as file:
                text = file.read(WORDS_MAX)
        except OSError:
            return ""
        except (ValueError, MemoryError) as error:
            text = "cannot be read (%s)" % error
        try:
            os.remove(self._path)
        except OSError as error:
            log.error("crash", "cannot be removed (%s)" % error)
        return text
