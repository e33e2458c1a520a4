"""Drives one simulated device: the firmware as a process, its commands and reports as calls."""

import asyncio
import contextlib
import json
import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools.build.firmware import built
from tools.build.interpreters import Interpreter, host

# What the firmware in files needs for a conversation on 64 bit (340 KB, tools.bench.heap_device),
# and 60 KB for the glyphs and pictures of cards. A 32-bit board needs two thirds of it.
HEAP = "400k"
RESET_STATUS = 82  # the firmware asks to be started again (hal/simulator.py)
LOG_LINES = 200


class DeviceEndedError(RuntimeError):
    """The device's process ended while something was expected of it; holds its last log lines."""


def _absolute(path: Path) -> str:
    return str(path.resolve())


class SimulatedDevice:
    """One device with its files in `folder` (settings, reply WAV, pictures).

    `config` goes to the board as it is (hal/simulator.py): `host`, `port`, `user`, `password`,
    `ca`, `photo`, `screen`. Every report is kept in `reports` and given to `on_report`. `heap` is
    what `-X heapsize` takes; the firmware is read from files where `interpreter` has none frozen.
    """

    def __init__(
        self,
        folder: Path,
        device_id: str = "sim-1",
        *,
        heap: str = HEAP,
        interpreter: Interpreter | None = None,
        on_report: Callable[[dict[str, Any]], None] | None = None,
        **config: object,
    ) -> None:
        folder = folder.resolve()
        self.folder = folder
        self.speaker = folder / "speaker.wav"
        self.config: Mapping[str, object] = {
            "id": device_id,
            "host": "127.0.0.1",
            "root": str(folder),
            "speaker": str(self.speaker),
            **config,
        }
        self.reports: list[dict[str, Any]] = []
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.starts = 0
        self._heap = heap
        self._interpreter = interpreter or host()
        self._on_report = on_report
        self._next: dict[str, int] = {}
        self._changed = asyncio.Condition()
        self._process: asyncio.subprocess.Process | None = None
        self._life: asyncio.Task[None] | None = None
        self._ended = False

    async def start(self, limit_s: float = 20) -> None:
        """Start the process and wait until the firmware runs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._ended = False
        self.skip("ready")
        self._files = self._interpreter.files or await asyncio.to_thread(
            built, arch=self._interpreter.arch
        )
        await self._spawn()
        self._life = asyncio.create_task(self._live(), name=f"device {self.config['id']}")
        await self.wait("ready", limit_s=limit_s)

    async def stop(self) -> None:
        """End it as a person pulls the plug after the last write; safe to call twice."""
        with contextlib.suppress(DeviceEndedError, ConnectionError):
            await self.command(do="stop")
        await self._wait_ended(5)

    async def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        await self._wait_ended(5)

    async def __aenter__(self) -> "SimulatedDevice":
        try:
            await self.start()
        except BaseException:  # one that restarts again and again would outlive its folder
            await self.kill()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def command(self, **values: object) -> None:
        """Send one command line; DeviceEndedError when nobody reads it."""
        process = self._process
        if process is None or process.returncode is not None or process.stdin is None:
            raise DeviceEndedError(self._obituary("takes no command"))
        process.stdin.write(json.dumps(values).encode() + b"\n")
        await process.stdin.drain()

    async def press(self, button: str = "talk", ms: int = 100) -> None:
        """Press a button for `ms` of the device's time."""
        await self.command(do="press", button=button, ms=ms)

    async def hold(self, button: str = "talk") -> None:
        """Press a button and keep it down."""
        await self.command(do="press", button=button)

    async def release(self, button: str = "talk") -> None:
        """Let a button go."""
        await self.command(do="release", button=button)

    async def hear(self, wav: Path) -> None:
        """Let the microphone hear a WAV (16 kHz, mono, 16 bit) from now on, silence after it."""
        await self.command(do="microphone", wav=_absolute(wav))

    async def screen(self, limit_s: float = 5) -> bytes:
        """What the panel shows, as PBM (depth 1) or PPM."""
        path = self.folder / "screen.pnm"
        self.skip("screen")
        await self.command(do="screen", path=str(path))
        await self.wait("screen", limit_s=limit_s)
        return path.read_bytes()

    async def wait(self, event: str, limit_s: float = 10, **match: object) -> dict[str, Any]:
        """The next report of `event` whose fields equal `match`.

        Each kind of event has its own place in the row of reports: one that was waited for is
        not found again. TimeoutError after `limit_s`, DeviceEndedError when the process is gone.
        """
        try:
            async with asyncio.timeout(limit_s), self._changed:
                while True:
                    found = self._find(event, match)
                    if found is not None:
                        return found
                    if self._ended:
                        raise DeviceEndedError(self._obituary(f"reported no {event} {match}"))
                    await self._changed.wait()
        except TimeoutError:
            seen = [report for report in self.reports if report["event"] == event][-3:]
            raise TimeoutError(
                f"no report {event} {match} in {limit_s} s; the last of its kind: {seen}"
            ) from None

    async def logged(self, text: str, limit_s: float = 10) -> str:
        """The first line of its log, from its start on, that holds `text`."""
        try:
            async with asyncio.timeout(limit_s), self._changed:
                while True:
                    found = next((line for line in self.log if text in line), None)
                    if found is not None:
                        return found
                    if self._ended:
                        raise DeviceEndedError(self._obituary(f"never logged {text!r}"))
                    await self._changed.wait()
        except TimeoutError:
            tail = "\n".join(list(self.log)[-10:])
            raise TimeoutError(f"no log line with {text!r} in {limit_s} s:\n{tail}") from None

    def skip(self, event: str) -> None:
        """Let `wait` find only reports of `event` that are still to come."""
        self._next[event] = len(self.reports)

    def _find(self, event: str, match: Mapping[str, object]) -> dict[str, Any] | None:
        for index in range(self._next.get(event, 0), len(self.reports)):
            report = self.reports[index]
            if report["event"] == event and all(report.get(k) == v for k, v in match.items()):
                self._next[event] = index + 1
                return report
        return None

    def _obituary(self, what: str) -> str:
        status = None if self._process is None else self._process.returncode
        tail = "\n".join(list(self.log)[-20:])
        return f"the device {what}: its process ended with status {status}\n{tail}"

    async def _spawn(self) -> None:
        # As a board starts: in the folder of its files, which sys.path names by "".
        self._process = await asyncio.create_subprocess_exec(
            str(self._interpreter.path),
            "-X",
            f"heapsize={self._heap}",
            "-c",
            "import main",
            cwd=self._files,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **os.environ,
                "MICROPYPATH": ".frozen",
                "VOXCARD_SIMULATOR": json.dumps(self.config),
            },
        )
        self.starts += 1

    async def _live(self) -> None:
        """Read the process to its end, and start it again where it asks for that."""
        while True:
            process = self._process
            assert process is not None
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read_reports(process))
                group.create_task(self._read_log(process))
            if await process.wait() != RESET_STATUS:
                break
            await self._spawn()
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def _read_reports(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            try:
                report = json.loads(line)
            except ValueError:
                self.log.append(line.decode(errors="replace").rstrip())
                continue
            async with self._changed:
                self.reports.append(report)
                self._changed.notify_all()
            if self._on_report is not None:
                self._on_report(report)

    async def _read_log(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            async with self._changed:
                self.log.append(line.decode(errors="replace").rstrip())
                self._changed.notify_all()

    async def _wait_ended(self, limit_s: float) -> None:
        if self._life is None:
            return
        try:
            await asyncio.wait_for(asyncio.shield(self._life), limit_s)
        except TimeoutError:
            if self._process is not None and self._process.returncode is None:
                self._process.kill()
            await self._life
        self._life = None
