"""Callbacks from a relay to the bridge."""

from collections.abc import Callable
from dataclasses import dataclass

from voxwire.message import Timers, Update

from voxcard.session.turn.context import Watch
from voxcard.session.turn.record import TurnRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayEvents:
    """Called on the loop; each must be quick.

    `lost()`: the device speaks without a session. `heard()`: it speaks in its session. `doubt()`:
    it may not know of its session. `turn(record)`: a turn is finished. `part(kind, text, detail)`:
    see `context.Watch`, for every turn. `greeted()`: it has a new session. `update(message)`: it
    speaks of a release it is offered. `timers(message)`: what it keeps of timers is this now.
    """

    lost: Callable[[], None]
    heard: Callable[[], None]
    doubt: Callable[[], None]
    turn: Callable[[TurnRecord], None]
    part: Watch = lambda kind, text, detail: None
    greeted: Callable[[], None] = lambda: None
    update: Callable[[Update], None] = lambda message: None
    timers: Callable[[Timers], None] = lambda message: None
