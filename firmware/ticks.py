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


class Uptime:
    """Seconds since it was made, for as long as somebody asks at least once in six days."""

    def __init__(self, ticks_ms) -> None:  # type: ignore[no-untyped-def]
        self._ticks_ms = ticks_ms
        self._last_ms = ticks_ms()
        self._rest_ms = self._s = 0

    def seconds(self) -> int:
        """Whole seconds that have passed."""
        now_ms = self._ticks_ms()
        self._rest_ms += elapsed_ms(now_ms, self._last_ms)
        self._last_ms = now_ms
        self._s += self._rest_ms // 1000
        self._rest_ms %= 1000
        return self._s
