"""Every command in README and docs is run as it stands there, by somebody who follows the pages.

That person has the project's files, an empty home folder, a device and a bridge.
"""

import asyncio
import configparser
import importlib.util
import re
import shlex
import signal
import sqlite3
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path

import pytest
from fakes.cable.bootloader import bootloader
from fakes.cable.images import image
from fakes.documents import PAGES, ROOT, blocks, commands
from fakes.home_assistant.run import ServerRun, answers
from fakes.home_assistant.server import TOKEN, WHISPER, HomeServer
from fakes.home_assistant.sound import wav
from fakes.realtime_server import Answer, RealtimeServer
from together.follower import LIMIT_S, Follower
from voxcard.cable import boards
from voxcard.history.store import History
from voxcard.link.embedded_broker import free_port

QUESTION = 'voxcard ask kitchen "what time is it"'


async def planned(follower: Follower, command: str) -> None:
    await follower.run(command.replace("make", "make -n", 1))


async def served(follower: Follower, command: str) -> None:
    """A bridge of its own: another home, another port, the same words."""
    other = Follower(follower.home / f"other-{free_port('127.0.0.1')}")
    text = f"[mqtt]\nlisten_port = {other.port}\n"
    (other.home / ".config" / "voxcard").mkdir(parents=True)
    (other.home / ".config" / "voxcard" / "voxcard.toml").write_text(text)
    (other.folder / "my.toml").write_text(text)
    async with other.started(command):
        assert (await other.run("voxcard devices")).startswith("No device yet")


async def watched(follower: Follower, command: str) -> None:
    process = await follower.spawn(f"exec {command}")
    line = asyncio.ensure_future(process.stdout.readline())
    async with asyncio.timeout(LIMIT_S):
        while not line.done():
            await follower.run(QUESTION)
        assert (await line).startswith(b"kitchen: ")
        process.send_signal(signal.SIGINT)
        await process.communicate()
    assert process.returncode == 0


async def simulated(follower: Follower, command: str) -> None:
    process = await follower.spawn(f"exec {command}", asyncio.subprocess.PIPE)
    lines = []
    async with asyncio.timeout(LIMIT_S):
        while not (lines and lines[-1].startswith("Ready.")):
            lines.append((await process.stdout.readline()).decode())
            assert lines[-1], "".join(lines)
        output, _ = await process.communicate(b"what time is it\nscreen\nquit\n")
    assert "says   It is " in output.decode() and process.returncode == 0


async def paired(follower: Follower, command: str) -> None:
    assert "No device shows that code." in await follower.run(command, code=1)


async def removed(follower: Follower, command: str) -> None:
    """Its plug is pulled and put back: nobody needs a password at this broker."""
    await follower.run(command)
    await follower.device.kill()
    await follower.device.start()
    await follower.until_there()


async def asked(follower: Follower, command: str, text: str, **keys: str) -> str:
    """Ask a bridge of its own, whose file is `text`; what was printed."""
    person = Follower(follower.home / f"asks-{free_port('127.0.0.1')}")
    text += f"\n[mqtt]\nlisten_port = {person.port}\n"
    (person.folder / "voxcard.toml").write_text(text, encoding="utf-8")
    person.environ.update(keys)
    async with person.started("voxcard run"), person.device:
        await person.until_there()
        return await person.run(command)


def only_block(word: str) -> str:
    """The one configuration on the pages that names `word`."""
    [block] = [each for page in PAGES for each in blocks(page) if word in each.text]
    return block.text


async def asked_house(follower: Follower, command: str) -> None:
    """A Home Assistant is a program."""
    text = only_block("HOUSE_TOKEN")
    [room] = re.findall(r'kitchen = "(\w+)"', text)

    async def script(run: ServerRun) -> None:
        house.sounds[run.url] = wav(bytes(3200))
        await answers("The lights are on.")(run)

    async with HomeServer(script) as house:
        house.pipelines = [{**WHISPER, "name": "Home Assistant"}]
        house.devices = [{"id": room, "name": "Kitchen", "identifiers": []}]
        text = text.replace("http://homeassistant.local:8123", house.url)
        said = await asked(follower, command, text, HOUSE_TOKEN=TOKEN)
        assert "The lights are on." in said
        assert [run.request["device_id"] for run in house.runs] == [room]


async def asked_live(follower: Follower, command: str) -> None:
    """The server of OpenAI is a program."""
    async with RealtimeServer(Answer(text="I see a cat.")) as server:
        key = 'key_env = "OPENAI_API_KEY"\n'
        text = only_block('kind = "realtime"\n' + key).replace(key, f'{key}url = "{server.url}"\n')
        said = await asked(follower, command, text, OPENAI_API_KEY="sk-live")
        assert "I see a cat." in said and server.keys[0] == "Bearer sk-live"


async def explained(follower: Follower, command: str) -> None:
    """A command that is only named."""
    assert "Usage: voxcard" in await follower.run(f"{command} --help")


async def refused(follower: Follower, command: str) -> None:
    """It says which image is to be downloaded."""
    assert "micropython.org/download" in await follower.run(command, code=1)


async def flashed(follower: Follower, command: str) -> None:
    """An image of that name goes into a chip that is a program."""
    name, board = command.split()[3], command.split()[-1]
    (follower.folder / name).write_bytes(image())
    with bootloader(boards.read(board, ROOT / "boards").chip, follower.home) as port:
        assert "MicroPython 1.28.0 is on it" in await follower.run(f"{command} --port {port}")


async def deployed(follower: Follower, command: str) -> None:
    """A board that is a program; it stays plugged in."""
    where = f"--port {follower.plugged_board().port}"
    if "--settings" not in command:
        await follower.run(f"{command} {where}")
        return
    words = f"{command} --set host=127.0.0.1 --set port={follower.port} {where}"
    assert "hall is ready and has found the bridge." in await follower.run(words)


async def reset(follower: Follower, command: str) -> None:
    await deployed(follower, f"{command} --yes")


async def tried(follower: Follower, command: str) -> None:
    """A person who sees and hears nothing, and presses nothing."""
    board = follower.plugged_board()
    words = f"yes n | {command} --press 1 --port {board.port}"
    assert "ok      broker: There and back" in await follower.run(words, code=1)


async def monitored(follower: Follower, command: str) -> None:
    board = follower.plugged_board()
    process = await follower.spawn(f"exec {command} --port {board.port}")
    async with asyncio.timeout(LIMIT_S):
        line = asyncio.ensure_future(process.stdout.readline())
        while not line.done():
            board.press_reset()
            await asyncio.wait((line,), timeout=1)
        process.send_signal(signal.SIGINT)
        await process.communicate()
    assert process.returncode == 0


async def updated(follower: Follower, command: str) -> None:
    """Of devices that are away, or take no updates: one sentence says so."""
    (follower.folder / "FILE").write_bytes(b"")
    output = await follower.run(f"{command} || true")
    sentences = "takes no updates|no key|is offline|no update|no device|for the board|no release"
    assert re.search(sentences, output, re.IGNORECASE), output


async def announced(follower: Follower, command: str) -> None:
    """A device that is away is not waited for: it has its line, and the command fails."""
    if "hall" not in await follower.run("voxcard devices"):
        await follower.run("voxcard devices add hall")
    (follower.folder / "gong.mp3").write_bytes((follower.folder / "question.wav").read_bytes())
    (follower.folder / "menu.json").write_bytes((follower.folder / "card.json").read_bytes())
    output = await follower.run(f"{command} --wait 0 || echo exit $?")
    ends = re.findall(r"^(\S+): (played$|refused: \1 is not online\.)", output, re.MULTILINE)
    devices = [device for device, _ in ends]
    assert len(set(devices)) == len(devices) and "hall" in devices, output
    assert ("kitchen", "played") in ends, output
    assert output.endswith("exit 1\n") == any(end != "played" for _, end in ends), output


async def previewed(follower: Follower, command: str) -> None:
    await follower.run(command.replace("<id>", "diy-s3-oled"))


async def run(follower: Follower, command: str) -> None:
    await follower.run(command)


async def made(follower: Follower, command: str) -> None:
    """The packages of this environment stand for those that pip would fetch."""
    await follower.run(command)
    folder = Path(command.split()[-1].replace("~", str(follower.home)))
    [packages] = (follower.folder / folder).glob("lib/python3*/site-packages")
    (packages / "here.pth").write_text(sysconfig.get_path("purelib"))


async def installed(follower: Follower, command: str) -> None:
    await follower.run(f"{command} --quiet --no-index --no-build-isolation")


async def named_extra(follower: Follower, command: str) -> None:
    """The packages of this environment are those of every extra."""
    extras = metadata.metadata("voxcard").get_all("Provides-Extra")
    assert re.findall(r'"voxcard\[([a-z]+)\]"', command)[0] in extras


async def found(follower: Follower, command: str) -> None:
    assert importlib.util.find_spec(command.split()[2]) is not None


async def read(follower: Follower, command: str) -> None:
    """What changes the computer is not run: its files are there, its voxcard is understood."""
    words = shlex.split(command)
    for word in words:
        assert not word.startswith("examples/") or (ROOT / word).is_file(), command
    if "/opt/voxcard/bin/voxcard" in words:
        at = words.index("/opt/voxcard/bin/voxcard")
        await explained(follower, " ".join(["voxcard", *words[at + 1 :]]))
    if words[-1] == "voxcard" and "systemctl" in words:
        assert (ROOT / "examples" / "voxcard.service").is_file()


async def queried(follower: Follower, command: str) -> None:
    """A statement that a history as the bridge writes it answers."""
    _, named, statement = shlex.split(command)
    assert Path(named).name == "history.sqlite3"
    file = follower.home / f"queried-{free_port('127.0.0.1')}.sqlite3"
    history = History(file, keep_days=1, keep_count=1)
    history.add_turn("kitchen", time.time(), {"transcript": "hello"})
    history.close()
    with closing(sqlite3.connect(file)) as database:
        assert len(database.execute(statement).fetchall()) == 1


# The first that matches says how a command is run.
RULES = (
    (r"make [a-z0-9-]+( [A-Z]+=\S+)*", planned),
    (r"\. \.venv/bin/activate", run),
    (r"(\.venv/bin/)?voxcard run( --config my\.toml)?", served),
    (r"voxcard watch", watched),
    (r"voxcard sim", simulated),
    (r"voxcard devices( add kitchen)?", run),
    (r"voxcard devices pair \d+", paired),
    (r"voxcard devices remove kitchen", removed),
    (r"voxcard device flash --board \S+", refused),
    (r"voxcard device flash \S+\.bin --board \S+", flashed),
    (r"voxcard device monitor", monitored),
    (r"voxcard device (deploy|logs).*", deployed),
    (r"voxcard device factory-reset", reset),
    (r"voxcard device test-hardware", tried),
    (r"voxcard update (hall|all|kitchen) .*|voxcard update hall", updated),
    (r"voxcard( [a-z]+)+", explained),
    (r'voxcard ask kitchen "turn on the lights"', asked_house),
    (r'voxcard ask kitchen "what can you see\?"', asked_live),
    (r"voxcard announce .*", announced),
    (r"voxcard card preview .*<id>.*", previewed),
    (r"voxcard .+", run),
    (r"python3 -m venv \S+", made),
    (r"\S+/bin/pip install .+", installed),
    (r"python -m pip install .+", named_extra),
    (r"python -m [\w.]+.*", found),
    (r"sqlite3 \S+ .+", queried),
    (r"(ss|sudo tcpdump) .+", read),
    (r"sudo (useradd|python3|/opt/voxcard/bin/pip|install|systemctl|tar) .+", read),
    (r"(sudo -u voxcard|journalctl|git clone) .+", read),
)
LISTED = [(page.name, commands(page)) for page in PAGES]


def rule(command: str):
    """How a command is run, or None."""
    return next((how for pattern, how in RULES if re.fullmatch(pattern, command)), None)


def test_every_command_has_a_rule() -> None:
    listed = [(place, command) for _, steps in LISTED for place, command in steps]
    assert len(listed) > 50
    assert [each for each in listed if rule(each[1]) is None] == []


@pytest.fixture(scope="module")
def follower(runner: asyncio.Runner, tmp_path_factory) -> Iterator[Follower]:
    person = Follower(tmp_path_factory.mktemp("docs"))
    person.write_files()
    ready, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        # An MCP server needs its Python before the bridge starts: adding-a-tool.md.
        page = next(page for page in PAGES if page.name == "adding-a-tool.md")
        for _, command in commands(page):
            if "mcp-env" in command and rule(command) in (made, installed):
                await rule(command)(person, command)
        async with person.started("voxcard run"), person.device:
            await person.until_there()
            ready.set()
            await over.wait()

    async def start() -> asyncio.Task:
        living = asyncio.ensure_future(live())
        waiting = asyncio.ensure_future(ready.wait())
        await asyncio.wait((living, waiting), return_when=asyncio.FIRST_COMPLETED)
        if living.done():
            waiting.cancel()
            await living
        return living

    async def stop(living: asyncio.Task) -> None:
        over.set()
        await living

    living = runner.run(start())
    yield person
    person.unplug()
    runner.run(stop(living))


@pytest.mark.parametrize(("page", "steps"), LISTED, ids=[name for name, _ in LISTED])
def test_the_commands_of_a_page_do_what_they_say(runner, follower, page, steps) -> None:
    async def follow() -> None:
        for place, command in steps:
            try:
                await rule(command)(follower, command)
            except Exception as error:
                raise AssertionError(f"{place}: {command}: {error}") from error

    runner.run(follow())


def test_the_buttons_of_the_documented_tool_are_understood(runner, follower) -> None:
    said = runner.run(follower.run('voxcard ask kitchen "Cancel order 1042"'))
    assert "Order 1042 is cancelled." in said


def test_the_unit_of_the_service_starts_a_bridge(runner, tmp_path) -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "examples" / "voxcard.service")
    service = unit["Service"]
    person = Follower(tmp_path)
    config = tmp_path / "etc" / "voxcard.toml"
    config.parent.mkdir()
    config.write_text(f"[mqtt]\nlisten_port = {person.port}\n")
    person.environ["TMPDIR"] = str(person.home)  # a socket is never put below that
    command = service["ExecStart"].replace("/opt/voxcard", sys.prefix)
    command = command.replace("/etc/voxcard/voxcard.toml", str(config))
    # What systemd makes, with the modes it is told.
    for name, place in (("State", "var/lib"), ("Runtime", "run")):
        made_folder = tmp_path / place / service[f"{name}Directory"]
        made_folder.mkdir(parents=True)
        made_folder.chmod(int(service[f"{name}DirectoryMode"], 8))
    for each in service["Environment"].split():
        name, _, value = each.partition("=")
        person.environ[name] = str(tmp_path / value.strip("/"))

    async def serve() -> None:
        async with person.started(f"exec {command}"):
            assert (tmp_path / "run/voxcard/voxcard/control.sock").exists()
            assert (await person.run("voxcard devices")).startswith("No device yet")

    runner.run(serve())
    assert (tmp_path / "var/lib/voxcard").is_dir() and not (person.home / ".local").exists()
