"""Settings for a device: checked by the firmware's own table, secrets in no word."""

import pytest
from voxcard.cable import device_settings
from voxcard.errors import VoxcardError

SECRET = "hunter22"


def test_a_file_of_devices_add_is_taken():
    text = '{"id": "kitchen", "host": "10.0.0.2", "port": 1883, "password": "hunter22"}'
    values = device_settings.from_text(text, "kitchen.json")
    assert values == {"id": "kitchen", "host": "10.0.0.2", "port": 1883, "password": SECRET}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id = kitchen", r"kitchen.json is no JSON\. .*devices add"),
        ("[1]", "no JSON object"),
        ('{"hots": "x"}', r"no setting hots\. Settings are: .*host"),
        ('{"port": 99999, "password": "hunter22"}', "port must be"),
        ('{"password": 22222222}', "password must be"),
        ('{"id": "K!"}', "id may hold only"),
    ],
)
def test_what_is_no_setting_is_refused_without_its_secrets(text, said):
    with pytest.raises(VoxcardError, match=said) as refused:
        device_settings.from_text(text, "kitchen.json")
    assert SECRET not in str(refused.value) and "22222222" not in str(refused.value)


def test_words_are_texts_and_numbers():
    values = device_settings.from_words(["name=Kitchen 2", "volume=30"])
    assert values == {"name": "Kitchen 2", "volume": 30}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("password=hunter22", "Others can read password in a command line.*--settings"),
        ("volume", "volume is no setting.*NAME=VALUE"),
        ("volume=loud", "volume must be"),
    ],
)
def test_a_word_that_is_no_setting_is_refused(word, said):
    with pytest.raises(VoxcardError, match=said) as refused:
        device_settings.from_words([word])
    assert SECRET not in str(refused.value)


def test_a_wifi_is_what_the_firmware_reads():
    assert device_settings.wifi("Home", SECRET, "de") == {
        "ssid": "Home", "password": SECRET, "country": "DE", "address": None
    }  # fmt: skip
    assert device_settings.wifi("Café", "")["password"] == ""


@pytest.mark.parametrize(
    ("name", "password", "country", "said"),
    [
        ("", SECRET, "", "1 to 32 bytes"),
        ("é" * 17, SECRET, "", "1 to 32 bytes"),
        ("Home", "short", "", "8 to 64 characters"),
        ("Home", SECRET, "Germany", "two letters"),
    ],
)
def test_a_wifi_that_no_board_could_join_is_refused(name, password, country, said):
    with pytest.raises(VoxcardError, match=said) as refused:
        device_settings.wifi(name, password, country)
    assert "short" not in str(refused.value) and SECRET not in str(refused.value)
