"""An announcement in a whole home: one device is busy, one is away, one has quiet hours."""

import asyncio
from datetime import datetime, timedelta

from together.brokers import DEVICES, Iotcore
from together.home import LIMIT_S, STEP_S, Home, Person
from voxcard.control.server import request

BUSY, AWAY, QUIET = DEVICES[:3]
STORY = "Once upon a time there was a king, who had three sons and one old and very tired horse."


def around_now():
    begin, end = (datetime.now() + timedelta(hours=each) for each in (-1, 2))
    return f"{begin:%H:%M}-{end:%H:%M}"


class Reports:
    """What is told of one announcement while it goes on."""

    def __init__(self, home, **values):
        self._told, self._news = [], asyncio.Event()
        asked = request(home.bridge.socket, "announce", values, self._take)
        self.ends = asyncio.create_task(asked)
        self.ends.add_done_callback(lambda _: self._news.set())

    def _take(self, report):
        self._told.append((report["device"], report["state"]))
        self._news.set()

    def of(self, device):
        return [state for name, state in self._told if name == device]

    async def until(self, device, state):
        async with asyncio.timeout(STEP_S):
            while state not in self.of(device):
                self._news.clear()
                await self._news.wait()
                if self.ends.done():
                    self.ends.result()


def test_each_device_gets_it_when_it_can_and_each_end_is_told(runner, tmp_path):
    async def run():
        settings = {f"devices.{QUIET}": {"quiet_hours": around_now()}}
        async with (
            asyncio.timeout(LIMIT_S),
            Home(Iotcore(tmp_path / "b"), tmp_path, **settings) as home,
        ):
            people = [Person(home, home.device()) for _ in range(3)]
            busy, away, quiet = people
            assert [each.id for each in people] == [BUSY, AWAY, QUIET]
            try:
                for each in people:
                    await each.device.start()
                    await each.ready("self.set_night_mode")
                await away.device.kill()
                away.device.skip("state")
                await scene(home, busy, away, quiet)
            finally:
                for each in people:
                    await each.device.kill()

    runner.run(run())


async def scene(home, busy, away, quiet):
    story = asyncio.create_task(home.bridge.request("say", device=BUSY, text=STORY))
    await busy.device.wait("state", STEP_S, state="speaking")
    reports = Reports(home, devices=[BUSY, AWAY, QUIET], text="Dinner is ready.", wait_s=100)
    await reports.until(AWAY, "waits")
    await reports.until(QUIET, "waits")
    assert not story.done() and "begins" not in reports.of(BUSY)

    await reports.until(BUSY, "played")
    await story
    assert [(await busy.turn())["reply"] for _ in range(2)] == [STORY, "Dinner is ready."]

    await away.device.start()
    await reports.until(AWAY, "played")
    assert (await away.turn())["reply"] == "Dinner is ready."
    assert reports.of(QUIET) == ["waits"]

    urgent = Reports(home, devices=[QUIET], text="Fire!", urgent=True)
    [end] = await urgent.ends
    assert (end["state"], end["delivered"]) == ("played", True)
    assert (await quiet.turn())["reply"] == "Fire!"
    assert reports.of(QUIET) == ["waits"] and not reports.ends.done()

    reports.ends.cancel()
    await asyncio.gather(reports.ends, return_exceptions=True)
    refused = Reports(home, devices=[QUIET], text="Dinner is ready.", wait_s=0)
    [end] = await refused.ends
    assert end["state"] == "refused" and "quiet hours until" in end["text"]
    await quiet.talks()
