"""README's hardware part, followed in its order by somebody with a new checkout and a new board.

Espressif's bootloader and the board are programs; esptool, mpremote, the bridge and the firmware
are the real ones.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import pytest
from fakes.cable.bootloader import bootloader
from fakes.cable.images import image
from fakes.cable.virtual_board import VirtualBoard
from fakes.documents import ROOT, Block, blocks, shell_lines
from together.follower import LIMIT_S, Follower
from voxcard.cable import boards
from voxcard.cable.serial_line import SerialLine

from tools.sim.stage import orders_server

PAGE = ROOT / "README.md"
ORDERS = orders_server()
RUN = ".venv/bin/voxcard run"
QUESTION = 'voxcard ask hall "what is the volume"'


def part() -> tuple[str, list[Block]]:
    """The text of the hardware part, and its blocks."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index("\n## Hardware\n")
    end = text.index("\n## ", start + 1)
    first, last = (text.count("\n", 0, at) for at in (start, end))
    return text[start:end], [block for block in blocks(PAGE) if first < block.line <= last]


TEXT, BLOCKS = part()
COMMANDS = [line for each in BLOCKS if each.language == "sh" for line in shell_lines(each.text)]
[CONFIG] = [each for each in BLOCKS if each.file == "voxcard.toml"]


class Newcomer:
    """Types the commands of the page, one after the other, into one terminal."""

    def __init__(self, folder: Path) -> None:
        self.person = Follower(folder)
        self.board = VirtualBoard(self.person.home / "board")
        self.before = ""  # what the page has said to do in this terminal
        self.build = ""  # the image that the tool has named
        # Nothing but what the page has put there.
        path = os.environ["PATH"].split(":")
        here = str(Path(sys.prefix) / "bin")
        self.person.environ["PATH"] = ":".join(each for each in path if each != here)

    def configure(self) -> None:
        """The page's file and a tool server; another port: this computer's may be taken."""
        text = f"{CONFIG.text}listen_port = {self.person.port}\n\n[mcp.orders]\n"
        text += "".join(f"{name} = {json.dumps(value)}\n" for name, value in ORDERS.items())
        (self.person.folder / CONFIG.file).write_text(text)

    async def type(self, command: str) -> None:
        for pattern, step in STEPS.items():
            if match := re.fullmatch(pattern, command):
                await step(self, command, *match.groups())
                return
        raise AssertionError(f"this test does not know what a person does with: {command}")

    async def run(self, command: str, code: int = 0) -> str:
        return await self.person.run(f"{self.before}{command}", code)

    async def activate(self, command: str) -> None:
        assert "not found" in await self.run("voxcard --help", code=127)
        self.before = f"{command}\n"
        assert "Usage: voxcard" in await self.run("voxcard --help")

    async def ask_for_the_image(self, command: str, board: str) -> None:
        said = await self.run(command, code=1)
        self.build = re.findall(r"release (\S+)-<date>-v<version>\.bin from https://", said)[0]
        assert boards.read(board, ROOT / "boards").build == self.build

    async def flash(self, command: str, name: str, board: str) -> None:
        assert re.fullmatch(rf"{self.build}-\d{{8}}-v1\.28\.0\.bin", name)
        chip = boards.read(board, ROOT / "boards").chip
        (self.person.folder / name).write_bytes(image(chip, self.build))
        with bootloader(chip, self.person.home) as port:
            said = await self.run(f"{command} --port {port}")
        assert said.endswith(f"is on it. Next: voxcard device deploy --board {board}\n")

    async def add(self, command: str, device: str, file: str) -> None:
        said = await self.run(command)
        assert "starts anew" in said and "listens to this computer only" not in said
        settings = json.loads((self.person.folder / file).read_text())
        assert settings["id"] == device and settings["port"] == self.person.port

    async def deploy(self, command: str, board: str, file: str) -> None:
        said = await self.run(f"{command} --port {self.board.port}")
        assert said.endswith("hall is ready and has found the bridge.\n"), said
        files = self.board.files()
        assert json.loads(files["/board.json"])["id"] == board
        settings = json.loads((self.person.folder / file).read_text())
        assert json.loads(files["/settings.json"]) == settings
        assert json.loads(self.board.nvs["wifi"])["ssid"] == "Home"

    async def ask(self, command: str) -> None:
        assert "The volume is 70 percent." in await self.run(command)

    async def build_release(self, command: str, file: str) -> None:
        await self.run(command)
        assert (self.person.folder / file).stat().st_size > 100_000

    async def update(self, command: str) -> None:
        """The program that stands for a board calls itself one of another kind."""
        assert "for the board diy-s3-oled" in await self.run(command, code=1)

    async def until_back(self) -> None:
        """Wait until the device answers again after a start."""
        async with asyncio.timeout(LIMIT_S):
            while "percent" not in await self.run(f"{QUESTION} || true"):
                pass

    async def see(self, command: str) -> str:
        """The card that the panel shows after a command."""
        with SerialLine(self.board.port) as line:
            line.open()
            await self.run(command)
            return await asyncio.to_thread(drawn_card, line)


def drawn_card(line: SerialLine) -> str:
    """The id of the next card that the board reports as drawn."""
    for text in line.lines(LIMIT_S):
        report = json.loads(text) if text.startswith("{") else {}
        if report.get("event") == "drawn" and report["card"]:
            return str(report["card"])
    raise AssertionError("no card is drawn")


STEPS = {
    r"\. \.venv/bin/activate": Newcomer.activate,
    r"voxcard device flash --board (\S+)": Newcomer.ask_for_the_image,
    r"voxcard device flash (\S+\.bin) --board (\S+)": Newcomer.flash,
    r"voxcard devices add (\S+) --json > (\S+)": Newcomer.add,
    r"voxcard device deploy --board (\S+) --settings (\S+) --wifi Home": Newcomer.deploy,
    re.escape(QUESTION): Newcomer.ask,
    r"voxcard release build --board diy-s3-oled -o (\S+)": Newcomer.build_release,
    r"voxcard update hall \S+": Newcomer.update,
}


@pytest.fixture
def newcomer(tmp_path_factory):
    # A short name: the bridge's control socket lies deep in it, and a path of one has 107 bytes.
    person = Newcomer(tmp_path_factory.mktemp("new"))
    person.person.environ["VOXCARD_WIFI_PASSWORD"] = "a password"
    with person.board:
        yield person


def test_the_hardware_part_is_ten_lines_that_are_all_followed():
    assert f"`{RUN}`" in TEXT and "make setup" in TEXT
    before_updates = COMMANDS[: COMMANDS.index(QUESTION) + 1]
    assert len(before_updates) + len(CONFIG.text.splitlines()) <= 10
    for pattern in STEPS:
        assert any(re.fullmatch(pattern, each) for each in COMMANDS), pattern


def test_a_newcomer_has_a_device_that_answers_and_shows_a_card(runner, newcomer):
    async def follow() -> None:
        newcomer.configure()
        async with newcomer.person.started(RUN):
            for command in COMMANDS:
                await newcomer.type(command)
            # The firmware is on the board: it comes back by itself.
            starts = newcomer.board.starts
            newcomer.board.press_reset()
            await newcomer.until_back()
            assert newcomer.board.starts == starts + 1
            assert await newcomer.see('voxcard ask hall "where is my order 1042"')

    runner.run(follow())


def test_without_the_pages_file_the_tools_say_what_is_missing(runner, newcomer):
    async def follow() -> None:
        text = f"[mqtt]\nlisten_port = {newcomer.person.port}\n"
        (newcomer.person.folder / "voxcard.toml").write_text(text)
        newcomer.before = f"{COMMANDS[0]}\n"
        async with newcomer.person.started(RUN):
            said = await newcomer.run("voxcard devices add hall --json > hall.json")
            assert 'for devices of your network: [mqtt] listen = "0.0.0.0"' in " ".join(
                said.split()
            )
            words = "--board diy-s3-oled --settings hall.json --set host=127.0.0.2"
            said = await newcomer.run(
                f"voxcard device deploy {words} --port {newcomer.board.port}"
            )
            assert "It says: No connection to the broker at 127.0.0.2" in said
            assert 'only where voxcard.toml says [mqtt] listen = "0.0.0.0"' in said

    runner.run(follow())
