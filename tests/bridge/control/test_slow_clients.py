"""A client of the control socket that does not read costs the bridge a bounded amount."""

import asyncio
import json

from fakes.bridge import LogLines
from fakes.service import FakeService
from voxcard.control import server as control
from voxcard.control.server import CLIENTS_MAX, UNREAD_MAX, ControlServer, request
from voxcard.control.service import Happening

LIMIT_S = 30
LONG = "x" * 100_000


class BusyService(FakeService):
    """Something long happens all the time; `sent` counts its bytes."""

    def __init__(self):
        super().__init__()
        self.sent = 0
        self.left = asyncio.Event()  # the watcher's place is free again
        self.served = asyncio.Semaphore(0)

    async def watch(self):
        try:
            while True:
                self.sent += len(LONG)
                yield Happening(device="kitchen", kind="sentence", text=LONG)
                await asyncio.sleep(0)
        finally:
            self.left.set()

    async def say(self, device_id, text, *, urgent):
        await super().say(device_id, text)
        self.served.release()
        if device_id == "forever":
            await asyncio.Event().wait()

    def devices(self):
        return [*super().devices()] * 100_000


def with_server(tmp_path, conversation):
    async def limited():
        service = BusyService()
        server = ControlServer(service, tmp_path / "s")
        await server.start()
        try:
            async with asyncio.timeout(LIMIT_S):
                await conversation(service, server, tmp_path / "s")
        finally:
            await server.stop()

    asyncio.run(limited())


async def connect(path, **asked):
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(json.dumps(asked).encode() + b"\n")
    return reader, writer


async def answer(path, key=""):
    """What the bridge answers to a short request, or its value of `key`."""
    reader, writer = await connect(path, do="say", device="kitchen", text="x")
    told = json.loads(await reader.readline())
    writer.close()
    return told[key] if key else told


def test_a_watcher_that_does_not_read_is_dropped_with_a_line(tmp_path):
    async def conversation(service, server, path):
        with LogLines("voxcard.control.server") as log:
            # Only the first piece is read ahead; then the reader is paused.
            _, writer = await connect(path, do="watch")
            line = "a client of the control socket is dropped: it left more than 4 MB unread"
            assert await log.lines.get() == ("WARNING", line)
            assert service.sent < UNREAD_MAX + 2_000_000
            await service.left.wait()
            assert await request(path, "say", {"device": "kitchen", "text": "on"}, print) == {}
            writer.close()

    with_server(tmp_path, conversation)


def test_a_watcher_that_reads_gets_everything(tmp_path):
    async def conversation(service, server, path):
        reader, writer = await asyncio.open_unix_connection(path, limit=1 << 20)
        writer.write(b'{"do":"watch"}\n')
        count = 0
        while count < 3 * UNREAD_MAX:
            count += len(await reader.readline())
        writer.close()

    with_server(tmp_path, conversation)


def test_a_client_that_does_not_take_its_answer_is_dropped_in_time(tmp_path, monkeypatch):
    monkeypatch.setattr(control, "ANSWER_LIMIT_S", 0.1)

    async def conversation(service, server, path):
        with LogLines("voxcard.control.server") as log:
            _, writer = await connect(path, do="devices")
            assert (await log.lines.get())[1].endswith("is dropped: it took nothing for 0.1 s")
            writer.close()

    with_server(tmp_path, conversation)


def test_more_clients_than_there_are_places_are_told_so_and_let_in_later(tmp_path):
    async def conversation(service, server, path):
        held = [
            await connect(path, do="say", device="forever", text="x") for _ in range(CLIENTS_MAX)
        ]
        for _ in held:
            await service.served.acquire()
        error = await answer(path, "error")
        assert error["problem"] == "The bridge answers 32 commands already."
        for _, writer in held:
            writer.close()
        while "done" not in await answer(path):
            pass

    with_server(tmp_path, conversation)
