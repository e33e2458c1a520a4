"""Every state and page on every shape of screen is the picture a person has looked at."""

from tools.pictures import screens


def test_the_firmware_draws_the_golden_pictures():
    # After a wanted change: python tools/screens.py, then look at what differs.
    assert screens.differences() == []
