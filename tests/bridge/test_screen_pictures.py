"""Every state and page on every shape of screen is the picture a person has looked at."""

from tools import screen_pictures


def test_the_firmware_draws_the_golden_pictures():
    # After a wanted change: python tools/screen_pictures.py, then look at what differs.
    assert screen_pictures.differences() == []
