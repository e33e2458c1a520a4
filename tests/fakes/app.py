"""A whole bridge in this process: an App with a fake assistant and its own files."""

import asyncio
import contextlib

from fakes.bridge import FakeAssistant
from voxcard import config
from voxcard.app import App
from voxcard.control.server import request


class Bridge:
    """An App with a fake assistant and its own files."""

    def __init__(
        self,
        folder,
        port,
        *turns,
        embedded=True,
        version=3,
        history=(),
        assistant=None,
        mqtt=(),
        announcements=(),
    ):
        self.socket = folder / "control.sock"
        broker = (
            {"listen_port": port}
            if embedded
            else {
                "host": "127.0.0.1",
                "port": port,
                "version": version,
            }
        )
        broker |= {"accounts": str(folder / "accounts"), **dict(mqtt)}
        values = {
            "mqtt": broker,
            "history": {"path": str(folder / "history.sqlite3"), **dict(history)},
            "control": {"socket": str(self.socket)},
            "announcements": dict(announcements),
        }
        self.records = asyncio.Queue()
        self.app = App(
            config.parse(values, environ={}),
            on_turn=self.records.put_nowait,
            assistant=assistant or FakeAssistant(*turns),
        )

    async def __aenter__(self):
        self.task = asyncio.create_task(self.app.run())
        waiting = asyncio.create_task(self.app.ready.wait())
        await asyncio.wait((self.task, waiting), return_when=asyncio.FIRST_COMPLETED)
        if self.task.done():
            waiting.cancel()
            self.task.result()
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task

    async def request(self, do, **values):
        reports = []
        done = await request(self.socket, do, values, reports.append)
        return done, reports
