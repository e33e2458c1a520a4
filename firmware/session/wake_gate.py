"""When a device that waits for its wake word lets sound out: while somebody seems to speak."""

OPENED, CLOSED = 1, 2

OPEN_FRAMES = 2  # of the last WINDOW hold voice: a click is over sooner
WINDOW = 5
HANG_MS = 1200  # without voice until it closes; a pause between wake word and command is shorter
LONGEST_MS = 30000  # it closes then: what goes on is no call, and is background from now on


class WakeGate:
    """Counts frames of `frame_ms` that hold voice or do not (audio.level.Gate)."""

    def __init__(self, frame_ms: int) -> None:
        self._hang = HANG_MS // frame_ms
        self._longest = LONGEST_MS // frame_ms
        self.is_open = False
        self._recent = self._quiet = self._frames = 0

    def update(self, voiced: bool) -> int:
        """Take one more frame: OPENED, CLOSED, or 0 when the gate stays as it is."""
        self._recent = (self._recent << 1 | bool(voiced)) & ((1 << WINDOW) - 1)
        if not self.is_open:
            if _ones(self._recent) < OPEN_FRAMES:
                return 0
            self.is_open = True
            self._quiet = self._frames = 0
            return OPENED
        self._frames += 1
        self._quiet = 0 if voiced else self._quiet + 1
        if self._quiet < self._hang and self._frames < self._longest:
            return 0
        self.is_open = False
        self._recent = 0
        return CLOSED


def _ones(bits: int) -> int:
    count = 0
    while bits:
        count += bits & 1
        bits >>= 1
    return count
