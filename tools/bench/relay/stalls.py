"""Which late frames are the machine's: it let nobody run while they were on their way; pure."""

from collections.abc import Iterable, Sequence

Stall = tuple[float, float]  # (begin, end), seconds of the machine's monotonic clock
LateFrame = tuple[float, float]  # (sent, came) of the same clock


def joined(stalls: Iterable[Stall]) -> list[Stall]:
    """The stalls in their order; those that overlap are one."""
    together: list[Stall] = []
    for begin_s, end_s in sorted(stalls):
        if together and begin_s <= together[-1][1]:
            together[-1] = together[-1][0], max(together[-1][1], end_s)
        else:
            together.append((begin_s, end_s))
    return together


def stalled_ms(frame: LateFrame, stalls: Sequence[Stall]) -> float:
    """For how long of its way the machine stood still; `stalls` do not overlap."""
    sent_s, came_s = frame
    return 1000 * sum(
        max(0.0, min(came_s, end_s) - max(sent_s, begin_s)) for begin_s, end_s in stalls
    )


def machine_late(
    frames: Iterable[LateFrame], stalls: Sequence[Stall], late_ms: float
) -> list[LateFrame]:
    """The frames that took longer than `late_ms`, and without the stalls would not have."""
    return [
        frame
        for frame in frames
        if 1000 * (frame[1] - frame[0]) - stalled_ms(frame, stalls) <= late_ms
    ]
