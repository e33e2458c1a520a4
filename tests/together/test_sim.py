"""`voxcard sim` as a person runs it: a process of its own, attached to a running home."""

import asyncio
import re
import sys

import pytest

from tools.sim.stage import voxcard_run

LIMIT_S = 120  # of one thing that is waited for


class Sim:
    """The process, its lines as they come."""

    def __init__(self, process):
        self._process = process
        self.lines = []

    async def until(self, pattern):
        """The first new line that matches."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while line := await self._process.stdout.readline():
                    self.lines.append(line.decode().rstrip("\n"))
                    if re.search(pattern, self.lines[-1]):
                        return self.lines[-1]
        except TimeoutError:
            self._process.kill()
        raise AssertionError(f"no {pattern!r} in {self.lines}")

    async def type(self, line):
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()

    async def end(self):
        """Close its input; its exit status."""
        self._process.stdin.close()
        return await self._process.wait()


async def sim(home, folder, *options):
    words = [word if word != "run" else "sim" for word in voxcard_run(home.bridge.file)]
    return Sim(
        await asyncio.create_subprocess_exec(
            *words, "--folder", str(folder), *options,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    )  # fmt: skip


def test_a_simulated_device_joins_a_running_bridge_and_talks(runner, home, tmp_path):
    async def conversation():
        at = await sim(home, tmp_path / "lobby", "--id", "lobby")
        await at.until("Ready")
        await home.bridge.tools("lobby", "self.audio_speaker.set_volume", limit_s=None)
        await at.type("")
        await at.type("set the volume to 35")
        assert await at.until("tool ") == (
            "  tool   self.audio_speaker.set_volume volume=35 → The volume is now 35 percent."
        )
        await at.until("device idle")
        await at.type("press")
        assert await at.until("pressed") == "pressed: the device is listening"
        await at.until("I did not hear anything")
        await at.until("device idle")
        await at.type("where is my order 1042")
        await at.until("page 1 of the card")
        assert await at.end() == 0
        assert (tmp_path / "lobby" / "settings.json").exists()

    runner.run(conversation())


def test_a_device_id_that_is_none_and_an_unknown_screen_are_refused_in_one_line(
    runner, home, tmp_path
):
    async def refused(*options):
        at = await sim(home, tmp_path, *options)
        line = await at.until("voxcard: ")
        return line, await at.end()

    async def both():
        assert await refused("--id", "Kitchen!") == (
            "voxcard: 'Kitchen!' is no id of a device. "
            "An id has 1 to 32 of a-z, 0-9 and the hyphen, such as kitchen.",
            1,
        )
        line, status = await refused("--screen", "9x9")
        assert line.startswith("voxcard: 9x9 is no known screen.") and status == 1

    runner.run(both())


@pytest.mark.skipif(sys.platform == "win32", reason="no Unix socket there")
def test_without_a_bridge_the_buttons_work_and_it_says_what_is_missing(runner, tmp_path):
    (tmp_path / "voxcard.toml").write_text(
        '[control]\nsocket = "nobody"\n[mqtt]\nhost = "127.0.0.1"\nport = 9\n'
    )

    class Away:
        class bridge:  # noqa: N801 - stands for an object
            file = tmp_path / "voxcard.toml"

    async def conversation():
        at = await sim(Away, tmp_path / "device")
        assert "127.0.0.1:9" in await at.until("connects")
        assert await at.until("Buttons and microphone work without") == (
            "The bridge is not running. Start it with: voxcard run (and give both the same "
            "--config) Buttons and microphone work without."
        )
        await at.type("what is the volume")
        await at.until("The bridge is not running")
        await at.type("press")
        await at.until("pressed: ")
        await at.type("quit")
        assert await at.end() == 0

    runner.run(conversation())
