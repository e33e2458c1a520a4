"""Thousands of devices at once: each gets its session, and its tools are listed."""

import asyncio
import contextlib
import json

from fakes.bridge import HELLO, FakeAssistant
from voxcard import config
from voxcard.app import App
from voxcard.link.embedded_broker import EmbeddedBroker
from voxcard.link.mqtt import Address, MqttClient

CROWD = 500  # devices of one connection: their subscriptions fit into one packet
STALLED_S = 60  # without any progress; a busy machine may take as long as it likes with some
REPEAT_S = 3.0  # a device repeats a hello that nobody answers
TOOLS = [
    {
        "name": f"self.tool_{number}",
        "description": "Does something useful in the home.",
        "inputSchema": {"type": "object", "properties": {"value": {"type": "integer"}}},
    }
    for number in range(12)
]
INITIALIZED = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}}


class Crowd:
    """Devices that share one connection to the broker; `listed` are those whose tools were."""

    def __init__(self, port, ids, progress):
        self.ids = ids
        self.sessions = {}
        self.listed = set()
        self.progress = progress
        self.up = asyncio.Event()
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[(f"voxcard/{device_id}/down", 1) for device_id in self.ids],
            on_message=self._message,
            on_link=lambda up: self.up.set() if up else None,
        )

    async def __aenter__(self):
        self._task = asyncio.create_task(self._client.run())
        await self.up.wait()
        self._repeating = asyncio.create_task(self._repeat())
        return self

    async def __aexit__(self, *_):
        for task in (self._task, self._repeating):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def publish(self, device_id, channel, **values):
        payload = json.dumps(values).encode()
        retain = channel == "status"
        assert self._client.publish(f"voxcard/{device_id}/{channel}", payload, retain=retain)

    def come(self):
        """Every device comes, all in the same moment."""
        for device_id in self.ids:
            self.publish(device_id, "status", online=True)
            self.publish(device_id, "hello", **{**HELLO, "id": device_id})

    async def _repeat(self):
        pause_s = REPEAT_S
        while True:
            await asyncio.sleep(pause_s)
            pause_s *= 2
            for device_id in self.ids:
                if device_id not in self.sessions:
                    self.publish(device_id, "hello", **{**HELLO, "id": device_id})

    def _message(self, topic, payload, retained):
        device_id, message = topic.split("/")[1], json.loads(payload)
        if message["type"] == "hello":
            self.sessions[device_id] = message["session_id"]
        elif message["type"] == "system":
            self.publish(device_id, "hello", **{**HELLO, "id": device_id})
        elif message["type"] == "mcp" and "id" in message["payload"]:
            self._answer(device_id, message["payload"])
        self.progress.set()

    def _answer(self, device_id, request):
        listing = request["method"] == "tools/list"
        result = {"tools": TOOLS} if listing else INITIALIZED
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        session_id = self.sessions.get(device_id, "")
        self.publish(device_id, "up", type="mcp", payload=answer, session_id=session_id)
        if listing:
            self.listed.add(device_id)


class Home:
    """A broker, crowds of `count` devices, and a bridge that comes when `bridge()` is entered."""

    def __init__(self, folder, count):
        self.broker = EmbeddedBroker(port=0)
        mqtt = {"host": "127.0.0.1", "port": self.broker.port}
        history = {"path": str(folder / "history.sqlite3")}
        control = {"socket": str(folder / "control.sock")}
        sections = {"mqtt": mqtt, "history": history, "control": control}
        self.app = App(config.parse(sections, environ={}), assistant=FakeAssistant())
        self.progress = asyncio.Event()
        self.ids = [f"device-{number}" for number in range(count)]
        self.crowds = [
            Crowd(self.broker.port, self.ids[at : at + CROWD], self.progress)
            for at in range(0, count, CROWD)
        ]

    async def __aenter__(self):
        await self.broker.start()
        self._stack = contextlib.AsyncExitStack()
        for crowd in self.crowds:
            await self._stack.enter_async_context(crowd)
        return self

    async def __aexit__(self, *_):
        await self._stack.aclose()
        await self.broker.stop()

    @contextlib.asynccontextmanager
    async def bridge(self):
        running = asyncio.create_task(self.app.run())
        await self.app.ready.wait()
        try:
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def all_are_served(self):
        """Every device has its session, and the bridge its tools; waits while anything happens."""
        await self._until(lambda: sum(len(each.sessions) for each in self.crowds))
        await self._until(lambda: sum(len(each.listed) for each in self.crowds))
        changes = self.app.service.watch()
        listed = len(self.app._hub.specs("nobody")) + len(TOOLS)
        for device_id in self.ids:
            while len(self.app._hub.specs(device_id)) != listed:
                async with asyncio.timeout(STALLED_S):
                    await anext(changes)
        rows = self.app.service.devices()
        assert [row.id for row in rows] == sorted(self.ids)
        assert {row.state for row in rows} == {"idle"}

    async def _until(self, count):
        while count() < len(self.ids):
            self.progress.clear()
            async with asyncio.timeout(STALLED_S):
                await self.progress.wait()


def test_devices_that_come_at_once_all_get_a_session_and_their_tools(tmp_path):
    async def conversation():
        async with Home(tmp_path, 3_000) as home, home.bridge():
            for crowd in home.crowds:
                crowd.come()
            await home.all_are_served()

    asyncio.run(conversation())
