"""Updates with the real bridge, a real broker, and the real firmware in the two slots of a board.

The board is a program (fakes.cable.virtual_board) that gets its first firmware by its cable. The
firmware of these tests is healthy after a moment and asks again after a second: nobody waits.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from fakes.cable.virtual_board import VirtualBoard
from together.brokers import DEVICES, HOST
from voxcard.access.update_keys import UpdateKeys, release_key
from voxcard.cable import boards, deploy, repl, running
from voxcard.errors import VoxcardError
from voxcard.link.mqtt import Address, MqttClient
from voxcard.package_files import boards as board_files
from voxcard.package_files import firmware
from voxcard.releases import archive, builder, records
from voxcard.releases.builder import Content
from voxcard.releases.progress import ENDED

from tools.sim.stage import Bridge

LIMIT_S = 240.0
BOARD = "simulator"  # what the firmware on a virtual board says of it
NAME = DEVICES[0]
OFFER, UP, STATUS = (f"voxcard/{NAME}/{channel}" for channel in ("offer", "up", "status"))
FILES_KB = 6 * 1024  # of the smallest flash that holds the firmware in files: 8 MB
FONT, FONT_BYTES = "fonts/more.font", 200_000  # what is fetched for long enough to be interrupted
TIMES = {"HEALTHY_MS": 300, "AGAIN_MS": 1000}  # of firmware/update/flow.py
# Versions of the firmware: what each has that the one before has not.
VERSIONS = {
    "0.2.0": {"identity.py": "", FONT: "x" * FONT_BYTES},
    "0.3.0": {"log.py": "\nNEWER = True\n"},
    "0.4.0": {"app.py": '\nraise RuntimeError("it was never tried")\n'},
}


def quiet(step, done, total):
    pass


class Releases:
    """Firmwares of several versions, compiled for the boards of these tests."""

    def __init__(self, folder):
        self._folder = folder
        self._contents = {}
        self._sources = {"0.1.0": self._copy(firmware(), "0.1.0")}
        flow = self._sources["0.1.0"] / "update" / "flow.py"
        text = flow.read_text()
        for name, ms in TIMES.items():
            text, count = re.subn(rf"^{name} = \d+", f"{name} = {ms}", text, flags=re.M)
            assert count == 1
        flow.write_text(text)
        before = "0.1.0"
        for version, changes in VERSIONS.items():
            self._sources[version] = self._copy(self._sources[before], version)
            self._change(version, before, changes)
            before = version if version != "0.4.0" else before

    def source(self, version):
        return self._sources[version]

    def content(self, version, there):
        """What a slot holds."""
        if version not in self._contents:
            build = self._folder / "build"
            board = boards.read("diy-s3-oled", board_files())
            files = deploy.compiled(self._sources[version], board, build, there, quiet)
            self._contents[version] = Content(kind="files", files=files)
        return self._contents[version]

    def write(self, path, version, there, key, **changes):
        """A release file of a version; `changes` are values of its manifest."""
        content = self.content(version, there)
        manifest = builder.manifest_of(content, self._sources[version], BOARD)
        archive.write(path, manifest._replace(**changes), content.files, key)
        return path

    def _copy(self, source, name):
        ignored = shutil.ignore_patterns("__pycache__")
        return Path(shutil.copytree(source, self._folder / name, ignore=ignored))

    def _change(self, version, before, changes):
        folder = self._sources[version]
        for path, more in changes.items():
            with (folder / path).open("a") as file:
                file.write(more)
        identity = folder / "identity.py"
        text = identity.read_text()
        assert f'"{before}+"' in text
        identity.write_text(text.replace(f'"{before}+"', f'"{version}+"'))


class Home:
    """A broker, a bridge, and a device's board; `heard` is what the device says of updates."""

    def __init__(self, folder, releases, broker):
        self.folder, self.releases, self.broker = folder, releases, broker
        self.accounts = folder / "accounts"
        mqtt = {**self.broker.bridge, "accounts": str(self.accounts)}
        self.bridge = Bridge(folder / "bridge", {"mqtt": mqtt})
        self.key = UpdateKeys(self.accounts).add(NAME)
        self.board = None
        self.heard, self.offers = [], []
        self._news = asyncio.Event()

    # A life of all three.

    async def start(self):
        await self.broker.start()
        await self.bridge.start()
        there = asyncio.Event()
        bridge = {name: value for name, value in self.broker.bridge.items() if name != "version"}
        self._client = MqttClient(
            Address(**bridge),
            subscriptions=[(OFFER, 1), (UP, 1)],
            on_message=self._listen,
            on_link=lambda up: there.set(),
        )
        self._listening = asyncio.create_task(self._client.run())
        await there.wait()

    async def stop(self):
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        await self.bridge.stop()
        await self.broker.stop()

    def _listen(self, topic, payload, retained):
        if topic == OFFER:
            self.offers.append(payload)
        elif (said := json.loads(payload))["type"] == "update":
            self.heard.append(said)
        self._news.set()

    # What a person does.

    def deploy(self, folder):
        """A new board gets the first firmware by its cable; what runs there."""
        board = VirtualBoard(folder, flash_kb=FILES_KB)
        settings = {"id": NAME, "host": HOST, **self.broker.device(NAME)}
        ca = settings.pop("ca", None)
        with board, repl.opened(board.port) as opened:
            [values] = opened.call("running")
            deployment = deploy.Deployment(
                board=boards.read("diy-s3-oled", board_files()),
                firmware=self.releases.source("0.1.0"),
                settings={**settings, "update_key": self.key},
                ca=Path(ca).read_bytes() if ca else None,
            )
            deploy.deploy(opened, deployment, self.folder / "build", quiet)
        return running.read(values)

    def release(self, version, name="a.voxrelease", key=None, **changes):
        key = key or release_key(self.accounts)
        return self.releases.write(self.folder / name, version, self.there, key, **changes)

    async def offer(self, path):
        """Offer a release; its Progress at the end, or at once of a device that is away."""
        incoming = records.bring(self.accounts, path)
        return await self.bridge.request("update", device=NAME, incoming=incoming)

    async def update(self, version):
        """Offer a release and follow it to its end: its Progress."""
        self.heard.clear()
        async with asyncio.timeout(LIMIT_S):
            return await self.offer(self.release(version))

    async def interrupted(self, version):
        """Offer a release; the device is in the middle of its largest file then."""
        self.heard.clear()
        asking = asyncio.create_task(self.offer(self.release(version)))
        await self.until(lambda: self.fetched[FONT] >= 3)
        return asking

    def say(self, topic, payload):
        """Somebody else at the broker says it."""
        assert self._client.publish(topic, payload)

    @contextlib.contextmanager
    def powered(self):
        """The board has power, until `power_off` or the end."""
        with contextlib.ExitStack() as self._power:
            self._power.enter_context(self.board)
            self._power.enter_context(self._console())
            yield

    async def power_off(self):
        """Pull its plug; the bridge knows it then."""
        self._power.close()
        async with asyncio.timeout(LIMIT_S):
            while (await self.row())["online"]:
                pass

    @contextlib.contextmanager
    def _console(self):
        """Somebody reads the serial line: a board whose line is full would wait."""
        port = os.open(self.board.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        said = bytearray()
        loop = asyncio.get_running_loop()
        loop.add_reader(port, lambda: said.extend(os.read(port, 4096)))
        try:
            yield
        except BaseException:
            print(said.decode(errors="replace"))
            raise
        finally:
            loop.remove_reader(port)
            os.close(port)

    # What there is to be seen.

    @property
    def states(self):
        """What the device said, one after the other, repeats left out."""
        states = [said["state"] for said in self.heard]
        return [state for at, state in enumerate(states) if states[at - 1 : at] != [state]]

    @property
    def fetched(self):
        """How often each path was asked for, but the manifest."""
        return Counter(said["path"] for said in self.heard if said.get("path"))

    async def until(self, condition):
        async with asyncio.timeout(LIMIT_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def refusal(self):
        """The next refusal that the device says."""
        found = []

        def said():
            found[:] = [each for each in self.heard if each["state"] == "refused"]
            return found

        await self.until(said)
        return found[0]

    async def ended(self):
        """The Progress of the update that stands, when it has ended."""
        async with asyncio.timeout(LIMIT_S):
            while (now := await self.bridge.request("update_state", device=NAME)) and (
                now["state"] not in ENDED
            ):
                await self.bridge.wait("update", LIMIT_S)
            return now

    async def row(self):
        """The device as `voxcard devices` has it."""
        rows = await self.bridge.request("devices")
        return next(row for row in rows if row["id"] == NAME)

    async def firmware(self):
        """What the device says it runs."""
        return (await self.row())["firmware"].partition("+")[0]

    async def at_home(self):
        """Wait until the device has its session."""
        await self.bridge.tools(NAME, "self.get_device_status", LIMIT_S)

    @property
    def pieces(self):
        """How often each piece of the largest file was asked for."""
        return Counter(said["at"] for said in self.heard if said.get("path") == FONT)


@pytest.fixture(scope="module")
def home(over, runner, tmp_path_factory):
    """A broker, a bridge, and firmwares; the flash of a board with the first of them."""
    folder = tmp_path_factory.mktemp("updates")
    home = Home(folder, Releases(tmp_path_factory.mktemp("firmware")), over(folder))

    async def start():
        await home.start()
        home.there = home.deploy(folder / "deployed")

    try:
        runner.run(start())
        yield home
    finally:
        runner.run(home.stop())


@pytest.fixture
def in_home(runner, home, tmp_path):
    """`in_home(talk)` runs a test with a board of its own that has the first firmware."""

    def run(talk):
        async def lives():
            shutil.copytree(home.folder / "deployed", tmp_path / "board")
            home.board = VirtualBoard(tmp_path / "board", flash_kb=FILES_KB)
            home.heard.clear()
            with home.powered():
                await home.at_home()
                await talk(home)
            with contextlib.suppress(VoxcardError):
                await home.bridge.request("update_cancel", device=NAME)

        async def limited():
            async with asyncio.timeout(3 * LIMIT_S):
                await lives()

        runner.run(limited())

    return run


def test_an_update_goes_through_and_the_next_one_fetches_what_is_new_alone(in_home):
    async def talk(home):
        first = await home.update("0.2.0")
        assert (first["state"], first["reason"]) == ("confirmed", "")
        assert home.states == ["fetch", "installed", "confirmed"]
        assert await home.firmware() == "0.2.0"
        assert home.fetched[FONT] == 25  # pieces of 8192 bytes
        assert "audio/adpcm.mpy" not in home.fetched
        await home.until(lambda: home.offers[-1] == b"")

        second = await home.update("0.3.0")
        assert second["state"] == "confirmed" and second["serial"] > first["serial"]
        assert await home.firmware() == "0.3.0"
        assert set(home.fetched) == {"log.mpy", "identity.mpy", "build_digest.mpy"}
        assert set(home.fetched.values()) == {1}

    in_home(talk)


def test_ctrl_c_ends_the_showing_and_not_the_update(in_home):
    async def talk(home):
        path = home.release("0.2.0")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "voxcard", "update", NAME, str(path)),
            *("--config", str(home.bridge.file)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        await home.until(lambda: home.fetched[FONT] >= 1)
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
        assert (process.returncode, out) == (130, b"")
        assert err.decode().splitlines()[-2:] == [
            f"The offer stands. See how it goes: voxcard update {NAME}",
            f"Take it back: voxcard update {NAME} --cancel",
        ]
        assert (await home.ended())["state"] == "confirmed"

    in_home(talk)


def test_with_two_bridges_the_one_that_offers_answers(in_home, tmp_path):
    async def talk(home):
        async with Bridge(tmp_path / "other", {"mqtt": home.broker.bridge}) as other:
            while not any(row["firmware"] for row in await other.request("devices")):
                pass  # it has heard the device's hello, as the first one has
            assert (await home.update("0.2.0"))["state"] == "confirmed"
            assert home.states == ["fetch", "installed", "confirmed"]
            assert set(home.pieces.values()) == {1}
            with pytest.raises(VoxcardError, match="was offered no update yet"):
                await other.request("update_state", device=NAME)
            assert "update" not in other.log.read_text().partition("ready")[2]

    in_home(talk)


def test_a_bridge_that_is_killed_goes_on_with_the_piece_that_is_missing(in_home):
    async def talk(home):
        asking = await home.interrupted("0.2.0")
        await home.bridge.kill()
        with pytest.raises(VoxcardError, match="The bridge stopped before it answered"):
            await asking
        await home.bridge.start()
        assert (await home.ended())["state"] == "confirmed"
        await home.at_home()
        assert await home.firmware() == "0.2.0"
        assert len(home.pieces) == 25 and home.pieces[0] == home.pieces[8192] == 1

    in_home(talk)


def test_a_device_that_loses_power_goes_on_with_what_it_lacks(in_home):
    async def talk(home):
        asking = await home.interrupted("0.2.0")
        home.board.press_reset()
        assert (await asking)["state"] == "confirmed"
        assert await home.firmware() == "0.2.0"
        assert len(home.pieces) == 25 and home.pieces[0] == home.pieces[8192] == 1
        assert home.states == ["fetch", "installed", "confirmed"]

    in_home(talk)


def test_a_release_that_crashes_at_its_start_is_left_by_itself(in_home):
    async def talk(home):
        starts = home.board.starts
        ended = await home.update("0.4.0")
        assert (
            ended["state"] == "fell_back"
            and "In 3 starts the release had no session" in (ended["reason"])
        )
        assert home.states == ["fetch", "installed", "fell_back"]
        assert home.board.starts == starts + 4  # three of the release, and the one before it
        assert await home.firmware() == "0.1.0"
        await home.at_home()
        again = await home.update("0.2.0")
        assert again["state"] == "confirmed" and await home.firmware() == "0.2.0"

    in_home(talk)


def test_a_file_that_was_changed_behind_the_bridge_s_back_is_not_installed(in_home):
    async def talk(home):
        await home.power_off()
        waiting = await home.offer(home.release("0.2.0"))
        assert (waiting["state"], waiting["is_online"]) == ("offered", False)
        file = home.accounts / "updates" / NAME / "offered.voxrelease"
        file.write_bytes(
            file.read_bytes().replace(b"x" * FONT_BYTES, b"x" + b"y" * (FONT_BYTES - 1))
        )
        home.heard.clear()
        with home.powered():
            ended = await home.ended()
            assert ended["state"] == "refused"
            assert f"{FONT} arrived damaged twice" in ended["reason"]
            await home.at_home()
            assert await home.firmware() == "0.1.0"
            assert home.fetched[FONT] == 50

    in_home(talk)


def test_a_release_for_another_board_is_refused_by_the_bridge_or_by_the_device(in_home):
    async def talk(home):
        path = home.release("0.2.0", board="m5-atom-echo")
        with pytest.raises(VoxcardError, match="for the board m5-atom-echo, this is simulator"):
            await home.offer(path)
        await home.power_off()
        await home.bridge.stop()
        await home.bridge.start()  # it has not met the device yet
        await home.offer(path)
        with home.powered():
            ended = await home.ended()
            assert ended["state"] == "refused"
            assert "for the board m5-atom-echo, this is simulator" in ended["reason"]
            assert home.fetched == {}

    in_home(talk)


def test_an_offer_of_another_time_or_by_somebody_else_is_refused(in_home):
    async def talk(home):
        home.offers.clear()
        await home.update("0.2.0")
        old = home.offers[0]
        ended = await home.update("0.3.0")
        home.heard.clear()
        home.say(OFFER, old)
        first = await home.refusal()
        assert first["serial"] == json.loads(old)["serial"] < ended["serial"]
        assert "is older than one" in first["reason"]
        home.heard.clear()
        home.say(OFFER, json.dumps({**json.loads(old), "serial": ended["serial"] + 9}).encode())
        assert "not signed with this device's update key" in (await home.refusal())["reason"]
        assert home.fetched == {} and await home.firmware() == "0.3.0"
        now = await home.bridge.request("update_state", device=NAME)
        assert now["state"] == "confirmed" and now["serial"] == ended["serial"]

    in_home(talk)
