"""When `voxcard sim` says that it is ready."""

import asyncio
import contextlib
import dataclasses

import httpx2
import pytest
from fakes.service import FakeService
from voxcard.control.server import ControlServer
from voxcard.control.service import Happening
from voxcard.errors import VoxcardError
from voxcard.sim import session
from voxcard.sim.broker import Broker
from voxcard.sim.session import Options, Session
from voxcard.sim.terminal import HELP

LIMIT_S = 60


class Device:
    """A firmware that is idle as soon as it is started."""

    said, pid = (0, 0), None

    def __init__(self, folder, device_id, *, on_report, on_line, **config):
        self._on_report = on_report
        self.panel = folder / "panel"

    async def start(self, limit_s):
        self._on_report({"event": "state", "state": "idle"})

    async def stop(self):
        pass

    press = hold = release = stop

    async def ended(self):
        await asyncio.Event().wait()


class Service(FakeService):
    """Has never heard of the device, then reads its tools when it is told to."""

    def __init__(self):
        super().__init__()
        self.is_known = self.has_tools = False
        self.looked = asyncio.Queue()
        self._changes = asyncio.Queue()

    def tool_list(self, device_id, scope):
        self.looked.put_nowait(device_id)
        if not self.is_known:
            raise VoxcardError(f"There is no device {device_id}.", "See: voxcard devices")
        return super().tool_list(device_id, scope) if self.has_tools else []

    async def watch(self):
        while True:
            yield await self._changes.get()

    def change(self):
        self._changes.put_nowait(Happening(device="", kind="tools", text=""))


class Told:
    """What a session tells."""

    def __init__(self):
        self.lines = []
        self._ready = asyncio.Event()
        self.address = asyncio.get_running_loop().create_future()  # of the window

    def tell(self, line):
        self.lines.append(line)
        if line.startswith("Ready."):
            self._ready.set()
        if line.startswith("The screen is at "):
            self.address.set_result(line.split()[-1])

    async def ready(self):
        """The last line, which says that it is ready."""
        async with asyncio.timeout(LIMIT_S):
            await self._ready.wait()
        return self.lines[-1]


@pytest.fixture
def device(monkeypatch, tmp_path):
    """The options of a session whose firmware is a Device."""
    monkeypatch.setattr(session, "SimulatedDevice", Device)
    return Options(
        device_id="lobby",
        broker=Broker(),
        socket=tmp_path / "control",
        folder=tmp_path,
        screen={},
    )


async def no_lines():
    await asyncio.Event().wait()
    yield ""


@contextlib.asynccontextmanager
async def running(options, service=None):
    """A session, beside a bridge if there is a `service`; what it tells."""
    async with contextlib.AsyncExitStack() as stack:
        if service is not None:
            server = ControlServer(service, options.socket)
            stack.push_async_callback(server.stop)
            await server.start()
        told = Told()
        task = asyncio.ensure_future(Session(options, told.tell).run(no_lines()))
        yield told
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_it_is_ready_when_the_bridge_has_the_tools_of_the_device(device):
    async def conversation():
        service = Service()
        async with running(device, service) as told:
            assert await service.looked.get() == "lobby"
            service.is_known = True
            service.change()
            await service.looked.get()
            assert not told.lines[-1].startswith("Ready.")
            service.has_tools = True
            service.change()
            assert await told.ready() == f"Ready. {HELP}"

    asyncio.run(conversation())


def test_without_a_bridge_on_this_computer_it_is_ready_at_once(device):
    async def conversation():
        async with running(device) as told:
            assert await told.ready() == f"Ready. {HELP}"

    asyncio.run(conversation())


def test_a_bridge_that_never_has_its_tools_is_told_of(device, monkeypatch):
    async def conversation():
        async with running(device, Service()) as told:
            return await told.ready()

    monkeypatch.setattr(session, "LISTED_S", 0.1)
    assert asyncio.run(conversation()) == (
        f"Ready. The bridge that this computer runs does not have its tools. {HELP}"
    )


def test_its_window_is_open_as_long_as_it_runs_and_only_when_it_is_wanted(device):
    wanted = dataclasses.replace(
        device, window=True, screen={"width": 8, "height": 2, "depth": 1, "shape": "rect"}
    )

    async def conversation():
        async with httpx2.AsyncClient() as client:
            async with running(wanted) as told:
                async with asyncio.timeout(LIMIT_S):
                    address = await told.address
                assert "Screen of lobby" in (await client.get(address)).text
            with pytest.raises(httpx2.ConnectError):
                await client.get(address)
            async with running(device) as told:
                await told.ready()
                assert not told.address.done()

    asyncio.run(conversation())
