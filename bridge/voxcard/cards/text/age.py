"""How old something is, in the fewest characters a footer can hold."""

from datetime import UTC, datetime


def age(fetched_at: str, now: float) -> str:
    """`now`, `12m`, `2h` or `3d` since an ISO 8601 time (UTC when it names no zone); empty when
    it is no time. `now` is in seconds since 1970."""
    try:
        then = datetime.fromisoformat(fetched_at)
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        seconds = now - then.timestamp()
    except (ValueError, OverflowError):
        return ""
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{int(seconds // 60)}m"
    if seconds < 86_400:
        return f"{int(seconds // 3600)}h"
    return f"{int(seconds // 86_400)}d"
