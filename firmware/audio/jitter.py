"""Which ring slot an arriving frame takes and which one is played next: jitter buffer bookkeeping.

A core without storage, clock or sound. It says where a frame goes (`put`) and what the speaker
gets now (`take`); whoever owns the slots copies and decodes. It does not play, wait or log. Times
are ms of one clock, which may wrap at 2**30; sequence numbers wrap at 2**16.
"""

from voxwire.audio import distance
from voxwire.ticks import elapsed_ms

DROPPED = -1  # put: the frame is not wanted
WAIT, GAP, END = -1, -2, -3  # take: nothing yet, a lost frame's place, after the last frame

# A frame further ahead than this is of another stream; nearer ones mean that many were lost.
AHEAD_MAX = 256
HISTORY_BITS = 24


class Jitter:
    """The bookkeeping of one ring of `slots` (a power of two) slots, one frame each.

    Playing starts, and starts again after an underrun, when `start_frames` frames are here, or
    `start_ms` after the first of them, or when the last frame is known. A missing frame is waited
    for as long as the speaker holds more than `low_ms`; then its place is a gap. When nothing has
    come for `quiet_ms` after `finish`, what is missing counts as lost.
    """

    def __init__(self, slots, *, start_frames=3, start_ms=160, low_ms=40, quiet_ms=1000):
        if slots & (slots - 1) or slots < 4:
            raise ValueError("a ring has 4, 8, 16, 32... slots, not %d" % slots)
        self.slots = slots
        self.start_frames = start_frames
        self.start_ms = start_ms
        self.low_ms = low_ms
        self.quiet_ms = quiet_ms
        self._full = bytearray(slots)
        self.begin(None, 0)

    def begin(self, base, now_ms: int) -> None:
        """Expect a new stream whose first frame is `base` (None: whichever comes first)."""
        for slot in range(self.slots):
            self._full[slot] = 0
        self.next_seq = base
        self.last_seq = None
        self.held = 0  # frames in the ring
        self.lost = self.late = self.duplicate = self.stray = 0
        self._came = 0  # bit n: the frame n + 1 before next_seq has come, in time or late
        self._filling = True
        self._filling_ms = self._heard_ms = now_ms

    def put(self, seq: int, now_ms: int) -> int:
        """The slot for frame `seq`, or DROPPED (late, duplicate, stray: counted)."""
        if self.next_seq is None:
            self.next_seq = seq
        ahead = distance(seq, self.next_seq)
        if ahead < 0:
            return self._behind(-ahead)
        beyond_end = self.last_seq is not None and distance(seq, self.last_seq) > 0
        if ahead >= AHEAD_MAX or beyond_end:
            self.stray += 1
            return DROPPED
        self._heard_ms = now_ms
        # More came than the ring holds (a stall, then a burst): the oldest make room, so that
        # playing is at once as near to the sender again as it was.
        while ahead >= self.slots:
            self._skip()
            ahead -= 1
        slot = seq & (self.slots - 1)
        if self._full[slot]:
            self.duplicate += 1
            return DROPPED
        if self.held == 0 and self._filling:
            self._filling_ms = now_ms
        self._full[slot] = 1
        self.held += 1
        return slot

    def finish(self, last_seq, now_ms: int) -> None:
        """No frame comes after `last_seq`; None: after what has come there is nothing more."""
        if last_seq is None:
            last_seq = self._newest()
        elif self.next_seq is None:
            self.next_seq = last_seq  # a stream of which only the end may still come
        self.last_seq = last_seq
        self._heard_ms = now_ms

    def take(self, now_ms: int, buffered_ms: int) -> int:
        """What to play after the `buffered_ms` the speaker still holds: a slot, GAP, WAIT or END.

        The slot is free for `put` again at the next call that may await; use it before.
        """
        if self._ended():
            return END
        if self.held == 0:
            return self._empty(now_ms, buffered_ms)
        if self._filling and not self._filled(now_ms):
            return WAIT
        slot = self.next_seq & (self.slots - 1)
        if self._full[slot]:
            self._filling = False
            self._full[slot] = 0
            self.held -= 1
            self._advance(1)
            return slot
        if buffered_ms > self.low_ms:
            return WAIT
        self._filling = False
        self.lost += 1
        self._advance(0)
        return GAP

    def _ended(self):
        if self.last_seq is None:
            return False
        return self.next_seq is None or distance(self.next_seq, self.last_seq) > 0

    def _empty(self, now_ms, buffered_ms):
        if self.last_seq is not None and elapsed_ms(now_ms, self._heard_ms) >= self.quiet_ms:
            missing = distance(self.last_seq, self.next_seq) + 1
            self.lost += missing
            self._pass(missing)
            return END
        if buffered_ms == 0:
            self._filling = True
        return WAIT

    def _filled(self, now_ms):
        return (
            self.held >= self.start_frames
            or self.last_seq is not None
            or elapsed_ms(now_ms, self._filling_ms) >= self.start_ms
        )

    def _behind(self, back):
        if back > AHEAD_MAX:
            self.stray += 1
        elif back <= HISTORY_BITS and self._came >> (back - 1) & 1:
            self.duplicate += 1
        else:
            self.late += 1
            if back <= HISTORY_BITS:
                self._came |= 1 << (back - 1)
        return DROPPED

    def _skip(self):
        slot = self.next_seq & (self.slots - 1)
        came = self._full[slot]
        if came:
            self._full[slot] = 0
            self.held -= 1
        self.lost += 1
        self._advance(came)

    def _advance(self, came):
        self._pass(1)
        self._came |= came

    def _pass(self, count):
        self._came = self._came << min(count, HISTORY_BITS) & ((1 << HISTORY_BITS) - 1)
        self.next_seq = (self.next_seq + count) & 0xFFFF

    def _newest(self):
        if self.next_seq is None:
            return 0
        newest = -1
        for ahead in range(self.slots):
            if self._full[(self.next_seq + ahead) & (self.slots - 1)]:
                newest = ahead
        return (self.next_seq + newest) & 0xFFFF
