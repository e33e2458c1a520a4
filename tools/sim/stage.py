"""A whole home on this computer: the bridge as a process, its broker, and what happens there."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from voxcard.control.server import request
from voxcard.errors import VoxcardError
from voxcard.sim.patience import Limits, cpu_s, patiently

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("child.py")
END_S = 15.0  # it has to end in by itself; then it is killed
LOG_LINES = 15  # of an obituary


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


def voxcard_run(file: Path) -> list[str]:
    """The command that runs a bridge with that configuration."""
    return [sys.executable, "-m", "voxcard", "run", "--config", str(file)]


class BridgeProcess:
    """A bridge as a process: `command` in `folder`, answering on `socket`, writing to `log`.

    What it tells its watchers is kept in `happenings` and given to `on_happening`. It ends with
    this process, whatever happens to that.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        socket: Path,
        log: Path,
        on_happening: Callable[[dict[str, Any]], None] = lambda happening: None,
    ) -> None:
        self.socket = socket
        self.log = log
        self.happenings: list[dict[str, Any]] = []
        self._command = command
        self._folder = folder
        self._on_happening = on_happening
        self._seen = 0
        self._log_start = 0  # bytes that were in the log before this start
        self._news = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """Of its process, which was started."""
        assert self._process is not None
        return self._process.pid

    @property
    def said(self) -> tuple[int, int, int]:
        """Bytes of its log, happenings, seconds of processor time: more of them is progress."""
        size = self.log.stat().st_size if self.log.exists() else 0
        return size, len(self.happenings), cpu_s(self._process.pid if self._process else None)

    async def start(
        self, tell: Callable[[str], None] = lambda text: None, limits: Limits | None = None
    ) -> None:
        """Start it and wait until it serves, as long as it gets on; `tell` hears of waiting.

        BridgeEndedError with its log, or StalledError, when it does not; then nothing of it runs.
        """
        self.log.parent.mkdir(parents=True, exist_ok=True)
        try:
            await self._spawn()
            await patiently(
                "the bridge",
                self._serving(),
                progress=lambda: self.said,
                tell=tell,
                log=self.log,
                limits=limits,
            )
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End it as a service manager does; safe to call twice."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            try:
                async with asyncio.timeout(END_S):
                    await self._process.wait()
            except TimeoutError:
                pass
            finally:  # of a second Ctrl-C too
                if self._process.returncode is None:
                    self._process.kill()
        await self._reap()

    async def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        await self._reap()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def request(self, do: str, **values: object) -> Any:
        """What the command line would ask of it."""
        return await request(self.socket, do, values, lambda report: None)

    async def tools(self, device: str, name: str, limit_s: float | None = 60) -> None:
        """Wait until the device's list has tool `name`."""
        async with asyncio.timeout(limit_s):
            while True:
                self._news.clear()  # first: what comes while the bridge answers counts
                with contextlib.suppress(VoxcardError):
                    specs = await self.request("tool_list", device=device, scope="admin")
                    if any(spec["name"] == name for spec in specs):
                        return
                await self._news.wait()

    async def wait(self, kind: str, limit_s: float | None = 60, **match: object) -> dict[str, Any]:
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
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            seen = [(each["kind"], each["text"][:60]) for each in self.happenings[-5:]]
            raise TimeoutError(f"no {kind} {match} in {limit_s} s; the last were {seen}") from None

    async def ended(self) -> None:
        """Wait for its end, which raises BridgeEndedError."""
        assert self._process is not None
        await self._process.wait()
        raise BridgeEndedError(self._obituary())

    async def _spawn(self) -> None:
        self._log_start = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(CHILD), str(os.getpid()), *self._command),
                stdout=log,
                stderr=log,
                stdin=asyncio.subprocess.DEVNULL,
                cwd=self._folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )

    async def _serving(self) -> None:
        """Until it serves watchers; BridgeEndedError when it ends before."""
        watched = asyncio.Event()
        self._watching = asyncio.create_task(self._watch(watched), name="watch")
        started = asyncio.create_task(watched.wait(), name="started")
        try:
            await asyncio.wait((started, self._watching), return_when="FIRST_COMPLETED")
        finally:
            started.cancel()
        if not watched.is_set():
            raise BridgeEndedError(self._obituary())

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
        text = self.log.read_bytes()[self._log_start :].decode(errors="replace")
        tail = text.splitlines()[-LOG_LINES:]
        return "\n".join([f"the bridge ended with status {status}; its log is {self.log}", *tail])


class Bridge(BridgeProcess):
    """`voxcard run` in `folder`; `settings` become its voxcard.toml."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Mapping[str, object]],
        on_happening: Callable[[dict[str, Any]], None] = lambda happening: None,
    ) -> None:
        self.folder = folder.resolve()
        self.file = self.folder / "voxcard.toml"
        socket = self.folder / "control"
        self._settings = {
            **settings,
            "history": {
                "path": str(self.folder / "history.sqlite"),
                **settings.get("history", {}),
            },
            "control": {"socket": str(socket)},
        }
        log = self.folder / "bridge.log"
        super().__init__(voxcard_run(self.file), self.folder, socket, log, on_happening)

    async def start(
        self, tell: Callable[[str], None] = lambda text: None, limits: Limits | None = None
    ) -> None:
        """See BridgeProcess.start."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file.write_text(toml(self._settings), encoding="utf-8")
        await super().start(tell, limits)
