"""How loud a device speaks and chimes, and how bright it is, by day and by night."""

from session import loudness
from settings import Settings

# volume, chime_volume, brightness as set; what they are by night
ROWS = (
    (70, 60, 75, (28, 0, 10)),
    (100, 100, 100, (40, 0, 10)),
    (2, 0, 8, (1, 0, 8)),
    (1, 5, 0, (1, 0, 0)),
    (0, 60, 10, (0, 0, 10)),
)


def device(volume, chimes, brightness, night):
    settings = Settings()
    settings.set("volume", volume)
    settings.set("chime_volume", chimes)
    settings.set("brightness", brightness)
    settings.set("night", night)
    return settings


def test_by_day_everything_is_as_it_is_set():
    for volume, chimes, brightness, _ in ROWS:
        settings = device(volume, chimes, brightness, "off")
        assert loudness.volume(settings) == volume
        assert loudness.chimes(settings) == chimes
        assert loudness.brightness(settings) == brightness


def test_by_night_speech_is_quiet_but_heard_the_screen_dark_and_no_chime_sounds():
    for volume, chimes, brightness, night in ROWS:
        settings = device(volume, chimes, brightness, "on")
        found = loudness.volume(settings), loudness.chimes(settings), loudness.brightness(settings)
        assert found == night


def test_the_night_changes_no_setting_and_no_alarm():
    settings = device(70, 60, 75, "on")
    assert [settings.get(name) for name in ("volume", "chime_volume", "brightness")] == [
        70,
        60,
        75,
    ]
    assert settings.get("alarm_volume") == 70


def test_each_part_gets_its_percent_and_a_board_without_a_lamp_is_not_dimmed():
    told = []
    settings = device(70, 60, 75, "on")
    loudness.apply(settings, told.append, told.append, told.append)
    loudness.apply(settings, told.append, None, told.append)
    assert told == [28, 10, 0, 28, 0]
