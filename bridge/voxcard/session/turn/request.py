"""Request for a turn, from whoever starts it to the turn queue."""

from collections.abc import Callable
from dataclasses import dataclass

from voxcard.session.turn.context import Parts, Watch
from voxcard.session.turn.events import Kind
from voxcard.session.uplink import Microphone


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRequest:
    """`open_parts` starts the assistant's answer, `watch` sees every part of it.

    An empty `id` lets the queue choose one; a voice turn has the id of its `listen` message, and
    its `microphone`. `held`: push to talk.
    """

    kind: Kind
    open_parts: Callable[[], Parts]
    watch: Watch
    id: str = ""
    microphone: Microphone | None = None
    held: bool = False
