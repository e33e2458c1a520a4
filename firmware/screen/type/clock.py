"""The wall clock of the idle face, and how a place writes the time and the date."""

from languages import say

_DAY_MS, _MINUTE_MS = 86400000, 60000
_NOON = 720  # minutes
# CLDR 45: the regions that write English with twelve hours; "" is a locale without a region.
_TWELVE_HOURS = ("", "US", "CA", "AU", "NZ", "IN", "PH", "SG", "HK")
_MONTH_FIRST = ("", "US", "CA", "PH")
WEEK = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
SHORT_WEEK = "Mon Tue Wed Thu Fri Sat Sun"
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
HALVES = "AM PM"
DATE = "{w}, {d} {m}"


class Clock:
    """Local time, which goes on by `tick`."""

    def __init__(self):
        self._day, self._ms = None, 0

    def set(self, local_s):
        """It is so many seconds after 1970-01-01 here."""
        self._day, self._ms = int(local_s) // 86400, int(local_s) % 86400 * 1000

    def tick(self, elapsed_ms):
        """Let time go by."""
        self._ms += elapsed_ms
        if self._day is not None:
            self._day += self._ms // _DAY_MS
        self._ms %= _DAY_MS

    @property
    def now(self):
        """(day since 1970-01-01, minute of it), None while nobody has said it."""
        return None if self._day is None else (self._day, self._ms // _MINUTE_MS)

    def wait_ms(self):
        """Until the next minute."""
        return _MINUTE_MS - self._ms % _MINUTE_MS


def _parts(locale):
    """(language, REGION) of a locale."""
    parts = locale.replace("_", "-").split("-")
    return parts[0].lower(), parts[-1].upper() if len(parts) > 1 else ""


def time_of_day(minute, locale):
    """(hours and minutes, half of the day or "") as the place of a locale writes them."""
    language, region = _parts(locale)
    if language == "ko" or (language == "en" and region in _TWELVE_HOURS):
        half = say(HALVES).split()[minute // _NOON]
        return "%d:%02d" % ((minute // 60 + 11) % 12 + 1, minute % 60), half
    return "%d:%02d" % (minute // 60, minute % 60), ""


def date(day, locale, short=False):
    """The weekday, the day and the month in the device's language."""
    language, region = _parts(locale)
    week = say(SHORT_WEEK if short else WEEK).split()
    month, number = month_and_day(day)
    form = say(DATE)
    if language == "en" and region in _MONTH_FIRST:
        form = "{w}, {m} {d}"
    return form.format(w=week[(day + 3) % 7], d=number, m=say(MONTHS).split()[month])


def month_and_day(day):
    """(month from 0, day of the month) of a day since 1970-01-01."""
    # Days from March on, in eras of 400 years (Howard Hinnant, chrono-compatible date algorithms).
    of_era = (day + 719468) % 146097
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return (month + 2) % 12, of_year - (153 * month + 2) // 5 + 1
