"""Drives one simulated device: the firmware as a process, its commands and reports as calls."""

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from voxcard.sim import firmware
from voxcard.sim.firmware import Firmware
from voxcard.sim.reports import DeviceEndedError, Reports

RESET_STATUS = 82  # the firmware asks to be started again (hal/simulator.py)
END_S = 5.0  # it has to obey a command in; then it is killed


class SimulatedDevice:
    """One device with its files in `folder` (settings, reply WAV, pictures).

    `config` goes to the board as it is (hal/simulator.py): `host`, `port`, `user`, `password`,
    `ca`, `topics`, `photo`, `screen`. Every report is kept in `reports` and given to `on_report`,
    every line of its log to `on_line`. `source` is called, in a thread, at each start.
    """

    def __init__(
        self,
        folder: Path,
        device_id: str = "sim-1",
        *,
        source: Callable[[], Firmware] = firmware.from_sources,
        on_report: Callable[[dict[str, Any]], None] = lambda report: None,
        on_line: Callable[[str], None] = lambda line: None,
        **config: object,
    ) -> None:
        folder = folder.resolve()
        self.folder = folder
        self.speaker = folder / "speaker.wav"
        self.panel = folder / "panel"  # the screen's pixels, while it runs
        self.config: Mapping[str, object] = {
            "id": device_id,
            "host": "127.0.0.1",
            "root": str(folder),
            "speaker": str(self.speaker),
            **config,
        }
        self.starts = 0
        self._source = source
        self._firmware: Firmware
        self._on_report = on_report
        self._on_line = on_line
        self._reports = Reports()
        self.reports, self.log = self._reports.all, self._reports.log
        self._process: asyncio.subprocess.Process | None = None
        self._life: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Of its process, while there is one."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process else None

    @property
    def said(self) -> tuple[int, int]:
        """How many reports and log lines there were: more of them is progress."""
        return len(self._reports.all), self._reports.lines

    async def start(self, limit_s: float | None = 60) -> None:
        """Start the process and wait until the firmware runs; without success it is ended."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._reports.begin()
        self.skip("ready")
        self._firmware = await asyncio.to_thread(self._source)
        await self._spawn()
        self._life = asyncio.create_task(self._live(), name=f"device {self.config['id']}")
        try:
            await self.wait("ready", limit_s=limit_s)
        except BaseException:
            await self.kill()
            raise

    async def stop(self) -> None:
        """End it as a person pulls the plug after the last write; safe to call twice."""
        with contextlib.suppress(DeviceEndedError, ConnectionError):
            await self.command(do="stop")
        await self._wait_ended()

    async def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        await self._wait_ended()

    async def ended(self) -> None:
        """Wait for the end of its process, which raises DeviceEndedError."""
        if self._life is not None:
            await asyncio.shield(self._life)
        raise DeviceEndedError(self._reports.obituary("is gone"))

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def command(self, **values: object) -> None:
        """Send one command line; DeviceEndedError when nobody reads it."""
        process = self._process
        if process is None or process.returncode is not None or process.stdin is None:
            raise DeviceEndedError(self._reports.obituary("takes no command"))
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

    async def screen(self, limit_s: float | None = 60) -> bytes:
        """What the panel shows, as PBM (depth 1) or PPM."""
        path = self.folder / "screen.pnm"
        self.skip("screen")
        await self.command(do="screen", path=str(path))
        await self.wait("screen", limit_s=limit_s)
        return path.read_bytes()

    async def wait(
        self, event: str, limit_s: float | None = 60, **match: object
    ) -> dict[str, Any]:
        """The next report of `event` whose fields equal `match`.

        Each kind of event has its own place in the row of reports: one that was waited for is
        not found again. TimeoutError after `limit_s`, DeviceEndedError when the process is gone.
        """
        return await self._reports.wait(event, limit_s, match)

    async def logged(self, text: str, limit_s: float | None = 60) -> str:
        """The first line of its log, from its start on, that holds `text`."""
        return await self._reports.logged(text, limit_s)

    def skip(self, event: str) -> None:
        """Let `wait` find only reports of `event` that are still to come."""
        self._reports.skip(event)

    async def _spawn(self) -> None:
        program = self._firmware
        # As a board starts: in the folder of its files, which sys.path names by "". The end of
        # this process closes its input, and that ends the firmware.
        self._process = await asyncio.create_subprocess_exec(
            *(str(program.interpreter), "-X", f"heapsize={program.heap}", "-c", "import main"),
            cwd=program.files,
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
            status = await process.wait()
            if status != RESET_STATUS:
                break
            await self._spawn()
        await self._reports.end(status)

    async def _read_reports(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            try:
                report = json.loads(line)
            except ValueError:
                await self._reports.add_line(line.decode(errors="replace").rstrip())
                continue
            await self._reports.add(report)
            self._on_report(report)

    async def _read_log(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for raw in process.stderr:
            line = raw.decode(errors="replace").rstrip()
            await self._reports.add_line(line)
            self._on_line(line)

    async def _wait_ended(self) -> None:
        if self._life is None:
            return
        try:
            await asyncio.wait_for(asyncio.shield(self._life), END_S)
        except TimeoutError:
            if self._process is not None and self._process.returncode is None:
                self._process.kill()
            await self._life
        self._life = None


def _absolute(path: Path) -> str:
    return str(path.resolve())
