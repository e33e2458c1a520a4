"""Problems of the home that only a person can fix, each with its remedy."""

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass

log = logging.getLogger(__name__)

PROBLEMS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    text: str
    until_s: float  # infinity: until it is cleared


class Problems:
    """The problems of now, each logged once. `now_s` is a monotonic clock."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._problems: dict[Hashable, _Problem] = {}

    def set(self, key: Hashable, text: str, *, for_s: float = float("inf")) -> None:
        """There is the problem `key`, for `for_s` from now; `text` says it and the remedy."""
        self._expire()
        known = self._problems.get(key)
        if known is None and len(self._problems) >= PROBLEMS_MAX:
            return
        self._problems[key] = _Problem(text=text, until_s=self._now_s() + for_s)
        if known is None or known.text != text:
            log.warning("%s", text)

    def clear(self, key: Hashable) -> None:
        """The problem `key` is over, if there was one."""
        problem = self._problems.pop(key, None)
        if problem is not None:
            log.info("no longer: %s", problem.text)

    def all(self) -> tuple[str, ...]:
        """The sentences, the oldest problem first."""
        self._expire()
        return tuple(problem.text for problem in self._problems.values())

    def _expire(self) -> None:
        now_s = self._now_s()
        expired = [key for key, problem in self._problems.items() if problem.until_s <= now_s]
        for key in expired:
            del self._problems[key]
