"""What docs/privacy.md says of a home with the offline assistant, seen on a real bridge."""

import asyncio
import sys
from pathlib import Path

import pytest
from together import brokers
from together.home import Home, at
from voxcard.history.store import History

AUDITED = Path(__file__).parents[1] / "fakes" / "audited_bridge.py"
SAID = "what is the volume"
REMOTE = {"tcp": 2, "tcp6": 2, "udp": 2, "udp6": 2}  # /proc/net: the column of the other end
LOOPBACK = ("0100007F", "00000000", "0" * 32, "0" * 24 + "01000000", "0" * 16 + "FFFF00000100007F")


def sockets(pid):
    """The other ends of a process's sockets that are not on this computer, as Linux lists them."""
    inodes = set()
    for each in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(each.readlink())
        except FileNotFoundError:  # closed meanwhile
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    found = []
    for kind, column in REMOTE.items():
        for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
            fields = line.split()
            host = fields[column].partition(":")[0]
            if fields[9] in inodes and host not in LOOPBACK:
                found.append((kind, fields[column]))
    return found


@pytest.mark.parametrize("store_audio", [False, True])
def test_offline_nothing_leaves_the_computer_and_sound_is_kept_only_when_asked_for(
    store_audio, tmp_path, spoken
):
    question = spoken(SAID)

    async def conversation(person):
        await person.device.press()
        await person.device.wait("state", state="listening")
        await person.device.hear(question)
        turn = await person.turn()
        assert turn["reply"] == "The volume is 70 percent."
        await person.idle()
        await person.ask("set the volume to 60")
        await person.idle()
        assert sockets(person.bridge.pid) == []

    async def whole():
        home = Home(brokers.Iotcore(tmp_path), tmp_path, history={"store_audio": store_audio})
        addresses = tmp_path / "addresses"
        run = ["run", "--config", str(home.bridge.file)]
        home.bridge._command = [sys.executable, str(AUDITED), str(addresses), *run]
        async with home:
            await at(home, conversation)
        hosts = {line for line in addresses.read_text().splitlines() if line[:1] != "/"}
        assert hosts == {"127.0.0.1"}  # it did connect, so the hook was there
        log, folder = home.log(), home.bridge.folder
        history = History(folder / "history.sqlite", 30, 1000)
        try:
            name = next(iter(home.people))
            turns, recordings = history.turns(name, 9), history.recordings(name, 9)
        finally:
            history.close()
        assert len(turns) == 2 and len(recordings) == int(store_audio)
        files = [path for path in folder.rglob("*") if path.is_file()]
        sound = [path.name for path in files if b"RIFF" in path.read_bytes()]
        assert bool(sound) is store_audio
        assert SAID in log.lower()  # words are in the log, as the page says

    asyncio.run(whole())
