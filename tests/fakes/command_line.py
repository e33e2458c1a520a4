"""`voxcard …` run in this process, and a bridge in a thread for it to speak to."""

import asyncio
import contextlib
import threading

import pytest
from fakes.service import FakeService
from voxcard.cli import commands
from voxcard.control.server import ControlServer


class Command:
    """Runs `voxcard …` in this process."""

    def __init__(self, monkeypatch, capsys, folder):
        self._monkeypatch, self._capsys, self.folder = monkeypatch, capsys, folder
        self.service = FakeService()

    def __call__(self, *words):
        self._monkeypatch.setattr("sys.argv", ["voxcard", *words])
        with pytest.raises(SystemExit) as ended:
            commands.main()
        out, err = self._capsys.readouterr()
        return ended.value.code or 0, out, err


@contextlib.contextmanager
def running(service, path):
    """A bridge with `service` that listens on `path`, in a thread of its own."""
    up, stop = threading.Event(), None

    async def serve():
        nonlocal stop
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        stop = lambda: loop.call_soon_threadsafe(ended.set)  # noqa: E731
        server = ControlServer(service, path, "right")
        await server.start()
        up.set()
        await ended.wait()
        await server.stop()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert up.wait(10)
    try:
        yield
    finally:
        stop()
        thread.join(10)
