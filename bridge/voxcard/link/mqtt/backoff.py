"""How long to wait before the next connection attempt."""

BACKOFF_MIN_S, BACKOFF_MAX_S = 1.0, 30.0


def backoff_s(attempt: int, chance: float) -> float:
    """Seconds to wait before connection attempt `attempt` (from 1); `chance` in 0..1 spreads it
    over half of that time, so that a home does not come back all at once."""
    full = min(BACKOFF_MAX_S, BACKOFF_MIN_S * 2.0 ** min(attempt - 1, 8))
    return full * (0.5 + chance / 2)
