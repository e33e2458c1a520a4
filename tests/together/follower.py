"""A person who follows the pages: the project's files, an empty home folder, a shell."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from fakes.cable.virtual_board import VirtualBoard
from fakes.documents import PAGES, ROOT, blocks
from voxcard.link.embedded_broker import free_port

from tools.sim import speech
from tools.sim.simulated_device import SimulatedDevice

LIMIT_S = 240.0  # of one command
LEFT_OUT = (".git", ".venv", "out", "voxcard.toml")


class Follower:
    """A person in `folder`, who types commands into a shell of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.home = folder / "home"
        self.port = free_port("127.0.0.1")
        self.device = SimulatedDevice(self.home / "kitchen", "kitchen", port=self.port)
        for path in (self.folder, self.home / "run"):
            path.mkdir(parents=True)
        for path in ROOT.iterdir():
            if path.name not in LEFT_OUT:
                (self.folder / path.name).symlink_to(path)
        (self.folder / ".venv").symlink_to(sys.prefix)
        self.environ = environment(self.home)
        self.environ["VOXCARD_WIFI_PASSWORD"] = "a password"
        self._board: VirtualBoard | None = None

    def plugged_board(self) -> VirtualBoard:
        """The board on the cable; the first to ask plugs it in."""
        if self._board is None:
            self._board = VirtualBoard(self.home / "board").__enter__()
        return self._board

    def unplug(self) -> None:
        if self._board is not None:
            self._board.__exit__()

    def write_files(self) -> None:
        """What the pages say to write, and what they name as somebody's own."""
        for block in (each for page in PAGES for each in blocks(page)):
            if block.page.name == "adding-a-tool.md" and block.file:
                (self.folder / block.file).write_text(block.text, encoding="utf-8")
        with (self.folder / "voxcard.toml").open("a", encoding="utf-8") as file:
            file.write(f"\n[mqtt]\nlisten_port = {self.port}\n")
        shutil.copy(ROOT / "examples" / "cards" / "order.json", self.folder / "card.json")
        speech.record(self.folder / "question.wav", "what is the volume")

    async def spawn(
        self, command: str, stdin: int = asyncio.subprocess.DEVNULL
    ) -> asyncio.subprocess.Process:
        """A process of the shell that runs `command`."""
        return await asyncio.create_subprocess_exec(
            *("bash", "-ec", f"{command}\n:"),
            cwd=self.folder,
            env=self.environ,
            stdin=stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )

    async def run(self, command: str, code: int = 0) -> str:
        """Run a command that must end with `code`; what it printed."""
        process = await self.spawn(command)
        async with asyncio.timeout(LIMIT_S):
            output, _ = await process.communicate()
        assert process.returncode == code, f"{command}: {process.returncode}\n{output.decode()}"
        return output.decode()

    @contextlib.asynccontextmanager
    async def started(self, command: str) -> AsyncIterator[None]:
        """A bridge that `command` starts, while it serves; it must end well."""
        process = await self.spawn(command)
        lines = []
        try:
            async with asyncio.timeout(LIMIT_S):
                while not (lines and lines[-1].endswith("INFO ready")):
                    line = (await process.stdout.readline()).decode()
                    assert line, f"{command}: it ended:\n" + "\n".join(lines)
                    lines.append(line.rstrip())
            drained = asyncio.ensure_future(process.stdout.read())
            yield
            os.killpg(process.pid, signal.SIGTERM)
            async with asyncio.timeout(LIMIT_S):
                await drained
                await process.wait()
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()

    async def until_there(self) -> None:
        """Wait until the bridge knows the device and its tools."""
        async with asyncio.timeout(LIMIT_S):
            while "self.audio_speaker" not in await self.run("voxcard tool list kitchen || true"):
                pass


def environment(home: Path) -> dict[str, str]:
    """That of a login with an empty home folder."""
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    path = f"{sys.prefix}/bin:{os.environ['PATH']}"
    run = {"XDG_RUNTIME_DIR": str(home / "run"), "PYTHONUNBUFFERED": "1"}
    return {**kept, "HOME": str(home), "PATH": path, "SHELL": "/bin/bash", **run}
