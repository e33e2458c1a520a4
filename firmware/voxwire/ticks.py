"""Elapsed time between two readings of time.ticks_ms(), which wraps at 2**30 (12.4 days)."""

_HALF = 1 << 29  # twice this is no small integer on a 32-bit board: it is added in two steps


def elapsed_ms(now_ms: int, then_ms: int) -> int:
    """How long ago `then_ms` was, up to about six days; 0 if it lies ahead. Allocates nothing.

    What can be longer ago must be noticed before: a limit that has passed is kept as a flag.
    """
    passed_ms = now_ms - then_ms
    if passed_ms < -_HALF:  # the counter has wrapped since
        return passed_ms + _HALF + _HALF
    return passed_ms if 0 <= passed_ms < _HALF else 0
