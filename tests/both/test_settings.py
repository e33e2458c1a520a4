"""Settings: kinds, limits, what is stored and what is restored."""

from settings import TABLE, SettingError, Settings, check, find, migrate


def refused(name, value):
    try:
        Settings().set(name, value)
    except SettingError as error:
        return str(error)
    raise AssertionError("was taken")


def test_every_default_fits_its_own_limits():
    for row in TABLE:
        setting = find(row[0])
        assert check(setting.name, setting.default) == setting.default


def test_what_was_never_set_is_at_its_default():
    settings = Settings()
    assert settings.get("volume") == 70
    assert settings.get("theme") == "dark"
    assert settings.data() == {}


def test_only_what_was_set_is_stored():
    settings = Settings()
    settings.set("volume", 60)
    assert settings.get("volume") == 60
    assert settings.data() == {"volume": 60}


def test_a_refusal_says_what_is_allowed_and_changes_nothing():
    assert refused("volume", 101) == "volume must be a whole number from 0 to 100."
    assert refused("volume", True) == "volume must be a whole number from 0 to 100."
    assert refused("theme", "pink") == "theme must be one of dark, light."
    assert refused("name", "x" * 49) == "name must be text of 0 to 48 characters."
    assert refused("wings", 2) == "There is no setting wings."
    assert refused("w" * 33, 2) == "There is no setting %s." % ("w" * 32)
    assert refused("root", "home/#") == (
        "root must be words with / between them, without + # $ and blanks."
    )
    assert refused("root", "") == "root must be text of 1 to 64 characters."
    assert refused("id", "Kitchen") == "id may hold only a-z, 0-9 and the hyphen."


LIMITS = (
    # name, the least and the most, the end of the sentence where neither is kept to
    ("volume", 0, 100, "a whole number from 0 to 100"),
    ("alarm_volume", 10, 100, "a whole number from 10 to 100"),
    ("chime_volume", 0, 100, "a whole number from 0 to 100"),
    ("brightness", 0, 100, "a whole number from 0 to 100"),
    ("port", 1, 65535, "a whole number from 1 to 65535"),
    ("id", "", "x" * 32, "text of 0 to 32 characters"),
    ("name", "", "x" * 48, "text of 0 to 48 characters"),
    ("locale", "", "x" * 16, "text of 0 to 16 characters"),
    ("root", "x", "x" * 64, "text of 1 to 64 characters"),
    ("bridge", "", "x" * 64, "text of 0 to 64 characters"),
    ("host", "", "x" * 128, "text of 0 to 128 characters"),
    ("user", "", "x" * 64, "text of 0 to 64 characters"),
    ("password", "", "x" * 128, "text of 0 to 128 characters"),
    ("update_key", "", "x" * 64, "text of 0 to 64 characters"),
    ("ca", "", "x" * 128, "text of 0 to 128 characters"),
)


def test_the_least_and_the_most_are_taken_and_more_is_refused():
    for name, least, most, sentence in LIMITS:
        assert check(name, least) == least and check(name, most) == most
        more = most + "x" if isinstance(most, str) else most + 1
        assert refused(name, more) == "%s must be %s." % (name, sentence)
        if isinstance(least, int):
            assert refused(name, least - 1) == "%s must be %s." % (name, sentence)
    choices = {row[0] for row in TABLE} - {row[0] for row in LIMITS}
    assert choices == {
        "theme", "text_size", "night", "guide", "camera", "microphone", "wake", "cards", "log"
    }  # fmt: skip


def test_a_new_device_is_audible_bright_and_asks_the_usual_port():
    settings = Settings()
    assert [settings.get(name) for name in ("volume", "brightness", "port")] == [70, 75, 1883]


def test_volume_and_brightness_come_back_audible_and_visible():
    settings = Settings()
    assert settings.load({"volume": 0, "brightness": 0}) == ([], [])
    assert settings.get("volume") == 10
    assert settings.get("brightness") == 10
    settings.load({"volume": 5})
    assert settings.get("volume") == 5


def test_zero_is_legal_while_the_device_runs():
    settings = Settings()
    settings.set("volume", 0)
    assert settings.get("volume") == 0


def test_stored_values_of_a_newer_firmware_are_not_taken_and_stored_again():
    stored = {"volume": 400, "theme": "light", "wings": {"left": [1, None]}}
    settings = Settings()
    assert settings.load(stored) == (
        [],
        ["volume must be a whole number from 0 to 100.", "There is no setting wings."],
    )
    assert (settings.get("volume"), settings.get("theme")) == (70, "light")
    assert settings.data() == stored


def test_a_value_that_is_set_takes_the_place_of_a_newer_firmwares():
    settings = Settings()
    settings.load({"volume": 400, "wings": 2})
    settings.set("volume", 40)
    assert settings.data() == {"volume": 40, "wings": 2}


def test_settings_that_are_no_object_are_broken():
    settings = Settings()
    assert settings.load([1]) == (["The settings are not a JSON object."], [])
    assert settings.data() == {}


def test_values_migrate_forward_by_the_steps_they_have_not_had():
    def loudness(data):
        if data.get("volume") == 100:
            data["loudness"] = 11

    def steps_of_two(data):
        data["second"] = True

    data = {"volume": 100}
    assert migrate(data, ()) == 0 and data == {"volume": 100}
    assert migrate(data, (loudness,)) == 1
    assert data == {"volume": 100, "loudness": 11}
    data = {"format": 1, "volume": 100}
    assert migrate(data, (loudness, steps_of_two)) == 2
    assert data == {"format": 1, "volume": 100, "second": True}
    # Of a newer firmware: nothing is done, and it is not done again there.
    assert migrate({"format": 3}, (loudness,)) == 3
    for wrong in ("1", -1, True, None, 1.5, []):
        assert migrate({"format": wrong}, (loudness,)) == 1


def test_the_steps_that_were_done_are_stored():
    settings = Settings()
    assert settings.load({"format": 3, "volume": 40}) == ([], [])
    assert settings.data() == {"format": 3, "volume": 40}


def test_a_stored_name_that_is_no_text_is_left_out():
    settings = Settings()
    assert settings.load({75: 1, "volume": 40}) == (["A setting has a name that is no text."], [])
    assert settings.get("volume") == 40


def test_a_watcher_hears_the_value_now_and_at_every_change():
    settings, heard = Settings(), []
    settings.load({"volume": 30})
    settings.watch("volume", heard.append)
    settings.set("volume", 40)
    settings.set("theme", "light")
    assert heard == [30, 40]


def test_a_boards_own_defaults_go_before_the_tables_and_are_not_stored():
    settings = Settings({"host": "10.0.0.2", "port": 1884})
    assert settings.get("host") == "10.0.0.2"
    settings.set("port", 1885)
    assert settings.get("port") == 1885
    assert settings.data() == {"port": 1885}


def test_a_board_cannot_have_a_default_that_nobody_could_set():
    for wrong in ({"volume": 101}, {"nothing": 1}, {"id": "A"}):
        try:
            Settings(wrong)
        except SettingError:
            continue
        raise AssertionError(wrong)


def test_a_stored_id_or_root_has_its_form_or_is_empty():
    assert check("id", "kitchen-1") == "kitchen-1" and check("id", "") == ""
    for name, wrong in (("id", "Kitchen"), ("id", "bridge"), ("root", "a//b"), ("root", "#")):
        try:
            check(name, wrong)
        except SettingError:
            continue
        raise AssertionError((name, wrong))
