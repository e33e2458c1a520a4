"""The offset of local time, and where it changes next."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from voxcard.session.zone import Zone, zone_at


def offset_of(name):
    def offset(unix_s):
        found = datetime.fromtimestamp(unix_s, ZoneInfo(name)).utcoffset()
        return int(found.total_seconds())

    return offset


def unix(*moment):
    return int(datetime(*moment, tzinfo=UTC).timestamp())


WINTER = unix(2026, 1, 15, 12)


@pytest.mark.parametrize(
    ("name", "now", "zone"),
    [
        ("Europe/Paris", WINTER, Zone(utc_offset=3600, next_offset=7200,
                                      offset_at=unix(2026, 3, 29, 1))),
        ("Europe/Paris", unix(2026, 3, 29, 1), Zone(utc_offset=7200, next_offset=3600,
                                                    offset_at=unix(2026, 10, 25, 1))),
        ("Europe/Paris", unix(2026, 3, 29, 1) - 1, Zone(utc_offset=3600, next_offset=7200,
                                                        offset_at=unix(2026, 3, 29, 1))),
        ("America/New_York", WINTER, Zone(utc_offset=-18000, next_offset=-14400,
                                          offset_at=unix(2026, 3, 8, 7))),
        ("Australia/Lord_Howe", WINTER, Zone(utc_offset=39600, next_offset=37800,
                                             offset_at=unix(2026, 4, 4, 15))),
        ("Asia/Kathmandu", WINTER, Zone(utc_offset=20700)),
        ("UTC", WINTER, Zone(utc_offset=0)),
    ],
)  # fmt: skip
def test_the_change_is_found_to_the_second(name, now, zone):
    assert zone_at(now, offset_of(name)) == zone
