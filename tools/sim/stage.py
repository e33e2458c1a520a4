"""A whole home on this computer: the bridge as a process, its broker, and what happens there."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from voxcard.control.server import request
from voxcard.errors import VoxcardError

ROOT = Path(__file__).parents[2]
START_S = 40.0  # until the bridge serves: it loads speech models


class BridgeEndedError(RuntimeError):
    """The bridge's process ended; holds the end of its log."""


def toml(settings: Mapping[str, Mapping[str, object]]) -> str:
    """`settings` (section -> key -> value) as the text of a voxcard.toml."""
    lines = []
    for section, values in settings.items():
        lines.append(f"[{section}]")
        # JSON's strings, numbers, lists and booleans are TOML's.
        lines += [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def orders_server() -> dict[str, object]:
    """The example MCP server, as a section `mcp.orders`."""
    return {"command": sys.executable, "args": [str(ROOT / "examples" / "orders_server.py")]}


class Bridge:
    """`voxcard run` as a process in `folder`; `settings` become its voxcard.toml.

    What it tells its watchers is kept in `happenings` and given to `on_happening`.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Mapping[str, object]],
        on_happening: Callable[[dict[str, Any]], None] = lambda happening: None,
    ) -> None:
        self.folder = folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "bridge.log"
        self.socket = self.folder / "control"
        self.happenings: list[dict[str, Any]] = []
        self._settings = {
            **settings,
            "history": {
                "path": str(self.folder / "history.sqlite"),
                **settings.get("history", {}),
            },
            "control": {"socket": str(self.socket)},
        }
        self._on_happening = on_happening
        self._seen = 0
        self._news = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """Of its process, which was started."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it and wait until it serves; BridgeEndedError with its log when it does not."""
        file = self.folder / "voxcard.toml"
        file.write_text(toml(self._settings), encoding="utf-8")
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "voxcard", "run", "--config", str(file)),
                stdout=log,
                stderr=log,
                stdin=asyncio.subprocess.DEVNULL,
                cwd=self.folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        watched = asyncio.Event()
        self._watching = asyncio.create_task(self._watch(watched), name="watch")
        async with asyncio.timeout(START_S):
            started = asyncio.create_task(watched.wait())
            await asyncio.wait((started, self._watching), return_when="FIRST_COMPLETED")
        if not watched.is_set():
            started.cancel()
            raise BridgeEndedError(self._obituary())

    async def stop(self) -> None:
        """End it as a service manager does; safe to call twice."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), 15)
            except TimeoutError:
                self._process.kill()
        await self._reap()

    async def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        await self._reap()

    async def __aenter__(self) -> "Bridge":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def request(self, do: str, **values: object) -> Any:
        """What the command line would ask of it."""
        return await request(self.socket, do, values, lambda report: None)

    async def tools(self, device: str, name: str, limit_s: float = 20) -> None:
        """Wait until the device's list has tool `name`."""
        async with asyncio.timeout(limit_s):
            while True:
                with contextlib.suppress(VoxcardError):
                    specs = await self.request("tool_list", device=device, scope="admin")
                    if any(spec["name"] == name for spec in specs):
                        return
                await self._next()

    async def wait(self, kind: str, limit_s: float = 20, **match: object) -> dict[str, Any]:
        """The next happening of `kind` whose fields equal `match`, after those waited for before.

        TimeoutError after `limit_s`, BridgeEndedError when the process is gone.
        """
        try:
            async with asyncio.timeout(limit_s):
                while True:
                    for index in range(self._seen, len(self.happenings)):
                        found = self.happenings[index]
                        if found["kind"] == kind and match.items() <= found.items():
                            self._seen = index + 1
                            return found
                    if self._watching is None or self._watching.done():
                        raise BridgeEndedError(self._obituary())
                    await self._next()
        except TimeoutError:
            seen = [(each["kind"], each["text"][:60]) for each in self.happenings[-5:]]
            raise TimeoutError(f"no {kind} {match} in {limit_s} s; the last were {seen}") from None

    async def _next(self) -> None:
        self._news.clear()
        await self._news.wait()

    async def _watch(self, watched: asyncio.Event) -> None:
        def told(report: Mapping[str, Any]) -> None:
            if report["kind"] == "watching":
                watched.set()
                return
            self.happenings.append(dict(report))
            self._on_happening(dict(report))
            self._news.set()

        assert self._process is not None
        while self._process.returncode is None:
            with contextlib.suppress(VoxcardError):
                await request(self.socket, "watch", {}, told)
            if watched.is_set():
                break
            with contextlib.suppress(TimeoutError):
                # Its socket is not there yet; its end is noticed at once.
                await asyncio.wait_for(asyncio.shield(self._process.wait()), 0.1)
        self._news.set()

    async def _reap(self) -> None:
        if self._process is not None:
            await self._process.wait()
        if self._watching is not None:
            await self._watching
            self._watching = None

    def _obituary(self) -> str:
        status = None if self._process is None else self._process.returncode
        tail = self.log.read_text(errors="replace").splitlines()[-15:] if self.log.exists() else []
        return f"the bridge ended with status {status}\n" + "\n".join(tail)
