"""Every process of the home is killed, at a moment of a turn that the seed chooses."""

import asyncio
import os
import random
import signal
from pathlib import Path

from together.home import Home, Person

from chaos.record import Record
from chaos.recovery import news, settled, whole

LONG = "This announcement is long enough to be cut short by whatever happens in the middle of it."
MOMENT_S = 1.5  # a turn is about that long
STOPPED_S = 5.0
START_S = 120.0  # of a process, on a machine that is busy


async def busy(person: Person, chance: random.Random) -> "asyncio.Task[str]":
    """Begin an announcement and wait for some moment of it."""
    said = person.tell("say", text=LONG)
    await asyncio.sleep(chance.random() * MOMENT_S)
    return said


async def kills(home: Home, person: Person, record: Record, name: str, seed: int) -> None:
    chance = random.Random(seed)
    card = await settled(person)

    async def broker() -> int:
        said = await busy(person, chance)
        await home.broker.stop()
        await home.broker.start()
        await said
        return await whole(person, card)

    async def bridge() -> int:
        await busy(person, chance)
        await home.bridge.kill()
        await home.bridge.start()
        return await whole(person, card)

    async def device() -> int:
        said = await busy(person, chance)
        await person.device.kill()
        await person.device.start(START_S)
        await said
        return await whole(person, card)

    async def server() -> int:
        said = await busy(person, chance)
        for child in children(home.bridge.pid, "orders_server"):
            os.kill(child, signal.SIGKILL)
        await said
        lost = await whole(person, card)
        await home.bridge.tools(person.id, "orders.where_is_order", START_S)
        return lost

    async def stopped() -> int:
        said = await busy(person, chance)
        os.kill(home.bridge.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(STOPPED_S)
        finally:
            os.kill(home.bridge.pid, signal.SIGCONT)
        await said
        return await whole(person, card)

    for kind, count, harm in (
        ("kill the device", 4, device),
        ("kill the broker", 2, broker),
        ("kill the tool server", 2, server),
        ("stop the bridge for 5 s", 2, stopped),
        ("kill the bridge", 2, bridge),
    ):
        for _ in range(count):
            await record.harm(name, kind, harm, lambda: news(person))


def children(pid: int, word: str) -> list[int]:
    """Processes below `pid` whose command line holds `word`."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
        except (OSError, ValueError, IndexError):
            continue
        if parent == pid and word in command:
            found.append(int(folder.name))
    return found
