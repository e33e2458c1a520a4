"""A simulated device attached to a broker, for a person's own hands."""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from voxcard.control.server import BridgeAway, request
from voxcard.errors import VoxcardError
from voxcard.json_value import Json, JsonObject
from voxcard.sim import half_blocks, words
from voxcard.sim.broker import Broker
from voxcard.sim.device import SimulatedDevice
from voxcard.sim.half_blocks import Canvas
from voxcard.sim.patience import cpu_s, patiently
from voxcard.sim.terminal import HELP, Terminal
from voxcard.sim.window.page_server import Window

SETTLED_S = 0.3  # a screen that stays this long is worth printing
RETRY_S = 2.0  # until a bridge that is away is looked for again
LISTED_S = 15.0  # for the bridge to read the device's tools, which it does at its hello
_LOUD = (" warning ", " error ")  # of the device's log


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One simulated device: `screen` is the board's (hal/simulator.py), `socket` the bridge's.

    `window`: its screen and button are served to a browser too.
    """

    device_id: str
    broker: Broker
    socket: Path
    folder: Path
    screen: Mapping[str, Any]
    camera: Path | None = None
    window: bool = False


class Session:
    """A device, its terminal, and what the bridge says of it."""

    def __init__(self, options: Options, tell: Callable[[str], None]) -> None:
        self._options = options
        self._tell = tell
        more: dict[str, Any] = {"photo": str(options.camera)} if options.camera else {}
        self.device = SimulatedDevice(
            options.folder,
            options.device_id,
            on_report=self._reported,
            on_line=self._logged,
            screen=options.screen,
            **{**options.broker.settings(), **more},
        )
        self._terminal = Terminal(self.device, self._ask, tell, _canvas)
        self._drawn = asyncio.Event()
        self._idle = asyncio.Event()
        self._lists = asyncio.Event()  # some list of tools is another one
        self._last_line = ""

    async def run(self, lines: AsyncIterator[str]) -> None:
        """Until the lines end. DeviceEndedError when the device does before."""
        broker = self._options.broker
        self._tell(f"{self._options.device_id} connects to {broker.host}:{broker.port}…")
        await patiently(
            "the firmware",
            self.device.start(limit_s=None),
            progress=lambda: (self.device.said, cpu_s(self.device.pid)),
            tell=self._tell,
        )
        try:
            await first_of(
                self._terminal.obey(lines),
                self.device.ended(),
                self._watch(),
                self._print_cards(),
                self._greet(),
                self._serve_window(),
            )
        finally:
            await self.device.stop()

    async def _ask(self, do: str, **values: Json) -> Json:
        about = {"device": self._options.device_id, **values}
        return await request(self._options.socket, do, about, lambda report: None)

    async def _greet(self) -> None:
        """Say once that it is ready: the device idle, its tools in the bridge's list; endless."""
        await self._idle.wait()
        note = ""
        try:
            async with asyncio.timeout(LISTED_S):
                self._lists.clear()  # first: what comes while the bridge answers counts
                while not await self._has_tools():
                    await self._lists.wait()
                    self._lists.clear()
        except BridgeAway:
            pass  # the watch says so; buttons and microphone work without
        except TimeoutError:
            note = "The bridge that this computer runs does not have its tools. "
        self._tell(f"Ready. {note}{HELP}")
        await asyncio.Event().wait()

    async def _has_tools(self) -> bool:
        """Whether the bridge has read the tools of the device; BridgeAway when none runs."""
        try:
            tools = await self._ask("tool_list", scope="user")
        except BridgeAway:
            raise
        except VoxcardError:
            return False  # it has not heard of the device yet
        return any(tool["source"] == "device" for tool in cast(Sequence[JsonObject], tools))

    async def _watch(self) -> None:
        """Tell what the bridge says of this device, whenever there is a bridge; endless."""
        missing = False
        while True:
            try:
                await request(self._options.socket, "watch", {}, self._happened)
            except BridgeAway as away:
                if not missing:
                    self._tell(f"{away} Buttons and microphone work without.")
                missing = True
            except VoxcardError as error:
                missing = False
                self._tell(str(error))
            await asyncio.sleep(RETRY_S)

    async def _serve_window(self) -> None:
        """Serve the page, if it is wanted; endless."""
        options = self._options
        if options.window:
            device = self.device
            async with Window(options.device_id, device, device.panel, options.screen) as window:
                self._tell(f"The screen is at {window.address}")
                await asyncio.Event().wait()
        await asyncio.Event().wait()

    def _happened(self, happening: Mapping[str, Json]) -> None:
        if happening["kind"] in ("watching", "tools"):
            self._lists.set()
        if happening.get("device") == self._options.device_id:
            line = words.happening(happening)
            if line:
                self._tell(f"  {line}")

    def _reported(self, report: dict[str, Any]) -> None:
        self._terminal.reported(report)
        if report["event"] == "drawn" and self._terminal.shows_card:
            self._drawn.set()
        if report["event"] == "state" and report["state"] == "idle":
            self._idle.set()

    def _logged(self, line: str) -> None:
        _, _, text = line.partition(" ")
        if any(loud in line for loud in _LOUD) and text != self._last_line:
            self._last_line = text  # a broker that is away is told once
            self._tell(f"  device {words.cut(text)}")

    async def _print_cards(self) -> None:
        """Print each page of a card once it stays; endless."""
        while True:
            await self._drawn.wait()
            self._drawn.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SETTLED_S):
                    await self._drawn.wait()
                continue
            await self._terminal.show(again=False)


def _canvas() -> Canvas:
    columns = shutil.get_terminal_size().columns  # which a person may have changed
    return half_blocks.canvas(os.environ, sys.stdout.isatty(), columns)


async def first_of(*parts: Coroutine[Any, Any, None]) -> None:
    """Run all of them until one ends or raises; the others are cancelled."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
