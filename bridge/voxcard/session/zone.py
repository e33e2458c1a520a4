"""The offset of local time from UTC, now and after its next change."""

import time
from collections.abc import Callable
from dataclasses import dataclass

AHEAD_S = 400 * 86400  # further ahead no change is looked for
_STEP_S = 7 * 86400  # shorter than any time between two changes that matter


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """Seconds east of UTC; from the Unix second `offset_at` on they are `next_offset`."""

    utc_offset: int
    next_offset: int | None = None
    offset_at: int | None = None


def local_offset(unix_s: float) -> int:
    """Of this computer's zone."""
    return time.localtime(unix_s).tm_gmtoff


def zone_at(now_s: int, offset_of: Callable[[int], int] = local_offset) -> Zone:
    """The zone of `offset_of` as it is at `now_s`; takes about a hundred calls of it."""
    offset = offset_of(now_s)
    for before in range(now_s, now_s + AHEAD_S, _STEP_S):
        if offset_of(before + _STEP_S) == offset:
            continue
        low, high = before, before + _STEP_S  # the change lies in (low, high]
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset_of(middle) == offset else (low, middle)
        return Zone(utc_offset=offset, next_offset=offset_of(high), offset_at=high)
    return Zone(utc_offset=offset)
