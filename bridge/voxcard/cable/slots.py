"""What has to be done so that a board's idle slot holds a firmware; pure.

A board holds the firmware twice, in the folders SLOTS; the file /slot names the one that runs
(firmware/launcher.py). Only the other one is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass

SLOTS = ("app_a", "app_b")
Hashes = Mapping[str, str]  # path below the slot to SHA-256


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Paths below the slot: to remove from the idle one first, to copy from the other, to send."""

    remove: tuple[str, ...]
    copy: tuple[str, ...]
    send: tuple[str, ...]


def other(slot: str) -> str:
    """The slot that is not `slot`."""
    return SLOTS[1 - SLOTS.index(slot)]


def plan(wanted: Hashes, active: Hashes, idle: Hashes) -> Plan:
    """What makes `wanted` of `idle`; what `active` holds need not come over the cable."""
    missing = [path for path in sorted(wanted) if idle.get(path) != wanted[path]]
    return Plan(
        remove=tuple(path for path in sorted(idle) if idle[path] != wanted.get(path)),
        copy=tuple(path for path in missing if active.get(path) == wanted[path]),
        send=tuple(path for path in missing if active.get(path) != wanted[path]),
    )
