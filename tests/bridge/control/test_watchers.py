"""Watching: everyone sees everything, and nobody who is slow holds the bridge."""

import asyncio

from fakes.service import FakeService
from voxcard.control.server import ControlServer, request
from voxcard.control.service import Happening
from voxcard.control.watchers import QUEUE_MAX, Watchers


def happening(number):
    return Happening(device="kitchen", kind="sentence", text=str(number))


def test_every_watcher_sees_everything_from_when_it_began():
    async def watch():
        watchers = Watchers()
        first, second = watchers.follow(), watchers.follow()
        waiting = asyncio.ensure_future(anext(first))
        await asyncio.sleep(0)
        watchers.tell(happening(1))
        later = asyncio.ensure_future(anext(second))
        await asyncio.sleep(0)
        watchers.tell(happening(2))
        return (await waiting).text, (await anext(first)).text, (await later).text

    assert asyncio.run(watch()) == ("1", "2", "2")


def test_a_watcher_that_is_too_slow_loses_the_newest_and_holds_nobody():
    async def watch():
        watchers = Watchers()
        slow = watchers.follow()
        waiting = asyncio.ensure_future(anext(slow))
        await asyncio.sleep(0)
        for number in range(QUEUE_MAX + 50):
            watchers.tell(happening(number))
        seen = [(await waiting).text]
        seen += [(await anext(slow)).text for _ in range(QUEUE_MAX - 1)]
        watchers.tell(happening(999))
        return seen, (await anext(slow)).text

    seen, last = asyncio.run(watch())
    assert seen == [str(number) for number in range(QUEUE_MAX)]
    assert last == "999"


def test_a_watcher_that_left_is_forgotten():
    async def watch():
        watchers = Watchers()
        gone = watchers.follow()
        waiting = asyncio.ensure_future(anext(gone))
        await asyncio.sleep(0)
        watchers.tell(happening(1))
        await waiting
        await gone.aclose()
        return watchers._queues

    assert asyncio.run(watch()) == set()


def test_the_control_socket_passes_on_what_happens(tmp_path):
    async def watch():
        server = ControlServer(FakeService(), tmp_path / "s")
        await server.start()
        reports = []
        await request(tmp_path / "s", "watch", {}, reports.append)
        await server.stop()
        return [(report["kind"], report.get("text")) for report in reports]

    assert asyncio.run(watch()) == [("watching", None), ("transcript", "what is the volume")]
