"""What a person may fill in, and what is said about what is wrong."""

from collections import namedtuple

from provisioning import form
from settings import Settings

Credentials = namedtuple("Credentials", ("ssid", "password", "country", "address"))
HOME = Credentials("home", "correct horse", "DE", None)


def read(known=None, stored=None, **fields):
    settings = Settings()
    for name in stored or {}:
        settings.set(name, stored[name])
    return form.read(fields, known, settings)


def errors(**fields):
    return read(**fields)[1]


def test_a_choice_of_the_list_with_a_password_is_enough():
    wish, wrong = read(pick="home", secret="correct horse")
    assert wrong == {}
    assert (wish.ssid, wish.password, wish.country, wish.anyway) == (
        "home", "correct horse", "", False
    )  # fmt: skip
    assert wish.settings == {"name": "", "host": "", "port": 1883, "user": "", "password": ""}


def test_a_typed_name_goes_before_the_list():
    assert read(pick="home", ssid="hidden", secret="")[0].ssid == "hidden"


def test_each_error_is_at_its_field():
    wrong = errors(
        ssid="", secret="short", country="Germany", name="x" * 49, host="mqtt://box", port="0"
    )
    assert sorted(wrong) == ["country", "host", "name", "port", "ssid"]
    assert wrong["port"] == "Port must be a whole number from 1 to 65535."
    assert wrong["name"] == "Name must be text of 0 to 48 characters."
    assert wrong["country"] == "A country has two letters, such as DE."
    assert errors(ssid="home", secret="short") == {
        "secret": "A Wi-Fi's password has 8 to 63 characters."
    }


def test_what_no_setting_can_be_is_refused():
    for port in ("-1", "1e3", "65536", "999999", "x", "18 83"):
        assert "port" in errors(ssid="home", port=port), port
    for host in ("box:1883", "http://box", "two words", "x" * 129):
        assert "host" in errors(ssid="home", host=host), host
    assert "ssid" in errors(ssid="ü" * 17)
    assert errors(ssid="ü" * 16) == {}


def test_a_key_of_64_digits_is_a_password_and_64_letters_are_none():
    assert errors(ssid="home", secret="0123456789abcdefABCDEF" * 2 + "0" * 20) == {}
    assert "secret" in errors(ssid="home", secret="x" * 64)


def test_an_empty_password_is_the_known_one_of_the_same_network_alone():
    assert read(HOME, ssid="home")[0].password == "correct horse"
    assert read(HOME, ssid="other")[0].password == ""
    assert read(HOME, ssid="home", secret="another one")[0].password == "another one"


def test_the_brokers_password_stays_with_its_host_and_its_user():
    stored = {"host": "box", "user": "hall", "password": "secret"}
    assert (
        read(None, stored, ssid="a", host="box", user="hall")[0].settings["password"] == "secret"
    )
    for host, user in (("evil", "hall"), ("box", "other"), ("", "hall")):
        wish, _ = read(None, stored, ssid="a", host=host, user=user)
        assert wish.settings["password"] == ""
