"""`voxcard sim` as a person runs it: a process of its own, attached to a running home."""

import asyncio
import signal
import socket
import sys

import pytest
from fakes.processes import Watched, descendants_of, first_descendants_of
from fakes.sim.process import Sim, made
from voxcard.link.embedded_broker import free_port

from tools.sim.stage import voxcard_run


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


CONFIG = """\
[mqtt]
listen_port = {port}
root = "flat"
[control]
socket = "control"
[history]
path = "history.sqlite"
[assistant]
sentences = "sentences.yaml"
"""
SENTENCES = 'sentences:\n  - sentences: [open sesame]\n    reply: "It is open."\n'


def test_make_sim_runs_your_own_configuration_and_leaves_nothing_when_it_is_killed(
    runner, tmp_path
):
    file = tmp_path / "my.toml"
    file.write_text(CONFIG.format(port=free_port("127.0.0.1")))
    (tmp_path / "sentences.yaml").write_text(SENTENCES)

    async def conversation():
        process, at = await made(tmp_path / "sim", "--config", str(file))
        await at.until("Ready")
        await at.type("open sesame")
        await at.until("says   It is open.")
        _, joined = await made(tmp_path / "again", "--config", str(file), "--id", "sim-2")
        await joined.until("A bridge runs with this file; the device joins it.")
        await joined.until("Ready")
        assert await joined.end() == 0
        watched = Watched(descendants_of(process.pid))
        process.kill()
        await process.wait()
        return await asyncio.to_thread(watched.left)

    assert runner.run(conversation()) == []


def test_make_sim_that_is_interrupted_or_fails_while_it_starts_leaves_nothing(runner, tmp_path):
    async def interrupted():
        process, at = await made(tmp_path / "sim")
        await at.until("Starting the bridge")
        watched = Watched(await asyncio.to_thread(first_descendants_of, process.pid))
        process.send_signal(signal.SIGINT)
        await process.wait()
        assert process.returncode == 0
        return await asyncio.to_thread(watched.left)

    async def fails():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            file = tmp_path / "my.toml"
            file.write_text(CONFIG.format(port=taken.getsockname()[1]))
            (tmp_path / "sentences.yaml").write_text(SENTENCES)
            process, at = await made(tmp_path / "sim", "--config", str(file))
            await at.until("the bridge ended with status 1; its log is ")
            await at.until("The embedded broker cannot listen on 127.0.0.1")
            assert await process.wait() == 1

    assert runner.run(interrupted()) == []
    runner.run(fails())
