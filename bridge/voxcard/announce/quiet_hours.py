"""Hours of a day in which only what is urgent is announced: from one time of the wall clock to
another, over midnight too."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

_SPAN = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9]) ?- ?([01]?[0-9]|2[0-3]):([0-5][0-9])")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start_min` to `end_min`, minutes since midnight; the end is not quiet any more."""

    start_min: int
    end_min: int

    def contains(self, at: datetime) -> bool:
        """Whether it is quiet at the local time `at`."""
        minute = at.hour * 60 + at.minute
        if self.start_min < self.end_min:
            return self.start_min <= minute < self.end_min
        return minute >= self.start_min or minute < self.end_min

    def end(self, at: datetime) -> datetime:
        """When the quiet hours that contain `at` end, by the same clock."""
        hour, minute = divmod(self.end_min, 60)
        end = at.replace(hour=hour, minute=minute, second=0, microsecond=0)
        return end if end > at else end + timedelta(days=1)


def parse_hours(text: str) -> QuietHours:
    """Of "22:00-07:00"; ValueError for anything else, and for a span of no length."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    hour, minute, end_hour, end_minute = map(int, match.groups())
    hours = QuietHours(hour * 60 + minute, end_hour * 60 + end_minute)
    if hours.start_min == hours.end_min:
        raise ValueError(text)
    return hours
