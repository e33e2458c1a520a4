"""The clock of an ESP32: it begins at 2000-01-01 at each power-up and counts from there."""

import time

from machine import RTC

_2000_S = 946684800  # from 1970 to 2000
# An unset clock says 2000; certificates are of later years.
_SET_YEAR = 2024


def set_time(now_s: int) -> None:
    """Set it to seconds since 1970, UTC."""
    # The port's own epoch, whatever it was built with.
    if time.gmtime(0)[0] == 2000:
        now_s -= _2000_S
    year, month, day, hour, minute, second, weekday = time.gmtime(now_s)[:7]
    RTC().datetime((year, month, day, weekday, hour, minute, second, 0))


def unix():
    """Seconds since 1970, UTC; None while it is not set."""
    if not is_set():
        return None
    return time.time() + (_2000_S if time.gmtime(0)[0] == 2000 else 0)


def is_set() -> bool:
    """Whether it was set since power-up."""
    return time.gmtime()[0] >= _SET_YEAR


def ask_network() -> str:
    """Set it by NTP where it is not set; "" or why that failed. Blocks for a second or two.

    TLS needs the time before the bridge can say it: certificates have dates.
    """
    if is_set():
        return ""
    try:
        import ntptime  # frozen into stock images

        ntptime.settime()
    except (ImportError, OSError, OverflowError) as error:
        return "no time from the network (%s)" % error
    return ""
