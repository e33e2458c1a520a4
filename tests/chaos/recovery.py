"""Whether a home is whole: what fails is tried again until it is."""

import asyncio
from pathlib import Path

from together.home import Person
from voxcard.errors import VoxcardError

PAUSE_S = 0.3  # between two attempts
TOOL = "self.get_device_status"


async def settled(person: Person) -> str:
    """What a fault must not take is set and shown, however slow the start; the id of the card."""
    while True:
        try:
            await person.bridge.tools(person.id, TOOL)
            return await person.settle()
        except (VoxcardError, AssertionError, TimeoutError):
            await asyncio.sleep(PAUSE_S)


async def whole(person: Person, card: str) -> int:
    """Return when the device has its volume, its card and talks: how many attempts failed."""
    lost = 0
    while True:
        try:
            await person.bridge.tools(person.id, TOOL)
            await person.unharmed(card)
        except (VoxcardError, AssertionError, TimeoutError):
            lost += 1
            await asyncio.sleep(PAUSE_S)
        else:
            return lost


def news(person: Person) -> int:
    """A number that grows with everything that the device reports and the bridge logs or tells."""
    log: Path = person.bridge.log
    size = log.stat().st_size if log.exists() else 0
    return size + len(person.device.reports) + len(person.bridge.happenings)
