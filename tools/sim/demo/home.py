"""The bridge and the device of the demo; each wait lasts as long as something moves."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from voxcard.link.embedded_broker import free_port
from voxcard.sim.patience import cpu_s, patiently

from tools.sim.simulated_device import SimulatedDevice
from tools.sim.stage import Bridge, orders_server

DEVICE = "kitchen"
SPEAKER_HZ = 16000

Record = dict[str, Any]
Value = TypeVar("Value")


class Home:
    """A broker, a bridge and the orders server in `folder`, and one device that sees `photo`.

    `own`: more sections of the bridge's configuration.
    """

    def __init__(
        self,
        folder: Path,
        photo: Path,
        on_happening: Callable[[Record], None],
        tell: Callable[[str], None],
        own: Mapping[str, dict[str, object]] | None = None,
    ) -> None:
        port = free_port("127.0.0.1")
        settings: dict[str, dict[str, object]] = {
            "mqtt": {"listen_port": port},
            "mcp.orders": orders_server(),
            f"devices.{DEVICE}": {"name": "Kitchen"},
            **(own or {}),
        }
        self._tell = tell
        self.bridge = Bridge(folder, settings, on_happening)
        self.device = SimulatedDevice(folder / "device", DEVICE, port=port, photo=str(photo))

    async def stop(self) -> None:
        """End whatever of it runs."""
        try:
            await self.device.stop()
        finally:
            await self.bridge.stop()

    async def start_device(self) -> None:
        """Start the device; returns when the firmware runs."""
        await self._patiently("the firmware", self.device.start(limit_s=None))

    async def state(self, state: str) -> Record:
        """The device's next change to a state."""
        return await self.report("state", state=state)

    async def report(self, event: str, **match: object) -> Record:
        """The device's next report of that kind."""
        what = " ".join([event, *map(str, match.values())])
        return await self._patiently(
            f"the device's {what}", self.device.wait(event, limit_s=None, **match)
        )

    async def turn(self) -> Record:
        """The record of the next turn that ends."""
        turn = self.bridge.wait("turn", limit_s=None, device=DEVICE)
        record: Record = (await self._patiently("the end of the turn", turn))["detail"]
        return record

    async def tool(self, name: str) -> None:
        """Wait until the bridge lists a tool."""
        tools = self.bridge.tools(DEVICE, name, limit_s=None)
        await self._patiently(f"the tool {name}", tools)

    async def screen(self) -> bytes:
        """What the device's screen shows."""
        return await self._patiently("the screen", self.device.screen(limit_s=None))

    async def played(self, seconds: float) -> None:
        """Wait until the speaker has played for so long: its file grows as it plays."""
        until = _size(self.device.speaker) + seconds * 2 * SPEAKER_HZ

        async def grown() -> None:
            while _size(self.device.speaker) < until:  # noqa: ASYNC110 - a file has no event
                await asyncio.sleep(0.02)

        await self._patiently("sound from the speaker", grown())

    async def _patiently(self, what: str, awaited: Awaitable[Value]) -> Value:
        return await patiently(
            what, awaited, progress=self._progress, tell=self._tell, log=self.bridge.log
        )

    def _progress(self) -> object:
        return self.bridge.said, self.device.said, cpu_s(self.device.pid)


def _size(path: Path) -> int:
    return path.stat().st_size
