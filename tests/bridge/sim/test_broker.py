"""The broker a simulated device connects to, of a bridge's configuration."""

import pytest
from voxcard import config
from voxcard.access.accounts import EmbeddedAccounts
from voxcard.errors import VoxcardError
from voxcard.sim.broker import Broker, of_bridge


def mqtt(tmp_path, **keys):
    return config.parse({"mqtt": keys}, file=tmp_path / "voxcard.toml", environ={}).mqtt


def test_without_a_file_it_is_the_embedded_broker_of_this_computer():
    assert of_bridge(config.parse({}, environ={}).mqtt, "sim-1") == Broker()


def test_another_broker_is_entered_as_the_bridge_is(tmp_path):
    named = mqtt(tmp_path, host="10.0.0.9", port=1884, user="u", password="p", root="home")
    assert of_bridge(named, "sim-1").settings() == {
        "host": "10.0.0.9",
        "port": 1884,
        "user": "u",
        "password": "p",
        "topics": "home",
    }


def test_an_embedded_broker_for_the_network_wants_the_devices_own_password(tmp_path):
    open_one = mqtt(tmp_path, listen="0.0.0.0", accounts="accounts")
    with pytest.raises(VoxcardError, match="Run: voxcard devices add sim-1"):
        of_bridge(open_one, "sim-1")
    password = EmbeddedAccounts(tmp_path / "accounts").add("sim-1")
    assert of_bridge(open_one, "sim-1") == Broker(user="sim-1", password=password)


def test_tls_needs_a_file_of_the_authority(tmp_path):
    with pytest.raises(VoxcardError, match="Name the file of the broker's authority"):
        of_bridge(mqtt(tmp_path, host="h", tls=True), "sim-1")
    named = of_bridge(mqtt(tmp_path, host="h", tls=True, ca_file="ca.pem"), "sim-1")
    assert named.ca == str(tmp_path / "ca.pem")


def test_a_password_is_not_shown():
    assert "secret" not in repr(Broker(password="secret"))
