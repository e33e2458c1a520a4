"""Supervision: a task that dies is reported and started again, after longer and longer pauses."""

import asyncio
import os
import time

import supervisor
from supervisor import LastWords, Reports, keep_running

CRASH = (os.getenv("TMPDIR") or "/tmp") + "/voxcard-crash-%d"


class Life:
    """Runs a task that fails; the pauses are collected instead of slept."""

    def __init__(self, fail, lives_s=()):
        self.pauses, self.reports, self.starts, self.now_s = [], [], 0, 0
        self.lives_s = lives_s
        self._fail = fail

    async def start(self):
        if self.starts < len(self.lives_s):
            self.now_s += self.lives_s[self.starts]
        self.starts += 1
        self._fail()

    async def sleep_ms(self, ms):
        self.pauses.append(ms)
        if len(self.pauses) == 7:
            raise SystemExit
        await asyncio.sleep(0)

    def time(self):
        return self.now_s

    async def run(self):
        supervisor.time = self
        try:
            await keep_running("view", self.start, self.reports.append, self.sleep_ms)
        except SystemExit:
            return self
        finally:
            supervisor.time = time
        raise AssertionError("came back")


def fail():
    raise ValueError("no band")


async def test_a_task_that_fails_is_started_again_with_longer_pauses():
    life = await Life(fail).run()
    assert life.starts == 7
    assert life.pauses == [1000, 2000, 4000, 8000, 16000, 30000, 30000]
    assert life.reports == ["view: ValueError: no band"] * 7


async def test_a_task_that_lasted_is_started_again_soon():
    days = 9 * 24 * 3600
    life = await Life(fail, (0, 0, 59, 120, 0, days, 0)).run()
    assert life.pauses == [1000, 2000, 4000, 1000, 2000, 1000, 2000]


async def test_a_task_that_ends_is_started_again_too():
    life = await Life(lambda: None).run()
    assert life.reports == ["view ended"] * 7


async def test_a_task_without_memory_is_started_again():
    def exhaust():
        raise MemoryError("10000 bytes")

    assert (await Life(exhaust).run()).reports[0] == "view: MemoryError: 10000 bytes"


def test_reports_wait_for_the_link_and_the_newest_are_kept():
    sent, is_open = [], [False]
    reports = Reports(lambda name, text: sent.append((name, text)), lambda: is_open[0])
    for index in range(6):
        reports.add("error", str(index))
    assert sent == []
    reports.flush()
    assert sent == [("error", "2"), ("error", "3"), ("error", "4"), ("error", "5")]
    is_open[0] = True
    reports.add("crash", "boom")
    assert sent[-1] == ("crash", "boom")
    reports.flush()
    assert len(sent) == 5


def test_last_words_are_read_once():
    words = LastWords(CRASH % time.ticks_us(), "0.1.0+1f3a9c2e")
    assert words.take() == ""
    try:
        fail()
    except ValueError as error:
        words.keep(error)
    text = words.take()
    assert text.startswith("firmware 0.1.0+1f3a9c2e\n")
    assert "ValueError: no band" in text and "in fail" in text
    assert words.take() == ""


def test_last_words_name_the_build_however_long_the_traceback_is():
    words = LastWords(CRASH % time.ticks_us(), "0.1.0+1f3a9c2e")
    words.keep(ValueError("x" * 3000))
    text = words.take()
    assert text.startswith("firmware 0.1.0+1f3a9c2e\n") and text.endswith("xxx\n")
    assert len(text) == 1500


def test_last_words_on_a_full_flash_are_lost_quietly():
    LastWords("/nowhere/crash", "0.1.0").keep(ValueError("x"))
