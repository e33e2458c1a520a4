"""What a device knows of the turn that runs, and who has gone silent in it."""

from voxwire.session import ACCEPT_MS, MICROPHONE_MS, SILENCE_MS

BRIDGE, MICROPHONE = "bridge", "microphone"


class Turn:
    """One turn; `base` is the seq of its first microphone frame."""

    def __init__(self, turn_id: str, base: int, *, accepted: bool = False):
        self.id = turn_id
        self.base = base
        self.mode = None  # not known before the button is released or held long enough
        self.asked_ms = None  # when `listen start` was sent
        self.accepted = accepted
        self.ending = False  # the person is done, the bridge has not accepted yet

    @property
    def known(self) -> bool:
        """Whether the bridge may know of it."""
        return self.accepted or self.asked_ms is not None


def lost(unaccepted_ms: int, silent_ms: int, deaf_ms: int) -> str:
    """What is lost: BRIDGE, MICROPHONE or "".

    `unaccepted_ms` since a turn was asked for that is not accepted yet, `silent_ms` since the
    last word of the bridge in a turn, `deaf_ms` since the last sample; 0 where it does not apply.
    """
    if unaccepted_ms >= ACCEPT_MS or silent_ms >= SILENCE_MS:
        return BRIDGE
    return MICROPHONE if deaf_ms >= MICROPHONE_MS else ""
