"""Which broker is announced, and what devices read of it."""

import pytest
from voxcard import config
from voxcard.discovery.announcement import announcement, broker_host
from zeroconf import service_type_name

MOSQUITTO = {"host": "10.0.0.2", "user": "bridge", "password": "secret"}
BROKERS = [
    # [mqtt], auto, on
    ({}, None, None),
    ({"listen": "0.0.0.0"}, "0.0.0.0", "0.0.0.0"),
    ({"listen": "192.168.1.10"}, "192.168.1.10", "192.168.1.10"),
    ({"host": "localhost"}, None, "0.0.0.0"),
    ({"host": "127.0.0.1"}, None, "0.0.0.0"),
    ({"host": "::1"}, None, "0.0.0.0"),
    (MOSQUITTO, "10.0.0.2", "10.0.0.2"),
    ({"host": "broker.lan"}, "broker.lan", "broker.lan"),
]


def mqtt(**values):
    return config.parse({"mqtt": values}, environ={}).mqtt


@pytest.mark.parametrize(("values", "auto", "on"), BROKERS)
def test_a_broker_is_announced_where_devices_can_reach_it(values, auto, on):
    assert broker_host(mqtt(**values), "auto") == auto
    assert broker_host(mqtt(**values), "on") == on
    assert broker_host(mqtt(**values), "off") is None


def announced(computer="homeserver", **values):
    addresses = ("192.168.1.10", "192.168.7.1")
    return announcement(
        mqtt(**values), computer=computer, instance="0123456789ab", addresses=addresses
    )


def test_a_device_reads_the_port_the_addresses_and_the_root():
    service = announced(listen="0.0.0.0", listen_port=1884, root="home")
    assert service.name == "Voxcard on homeserver._voxcard._tcp.local."
    assert service.target == "voxcard-0123456789ab.local."
    assert service.port == 1884
    assert service.addresses == ("192.168.1.10", "192.168.7.1")
    assert service.txt == {"v": "1", "id": "0123456789ab", "root": "home", "tls": "0"}


def test_a_broker_with_tls_is_named_as_its_certificate_names_it():
    assert announced(host="broker.lan", tls=True, port=8883).txt["tls"] == "1"
    assert announced(host="broker.lan", tls=True).txt["host"] == "broker.lan"
    assert "host" not in announced(host="10.0.0.2", tls=True).txt
    assert "host" not in announced(host="broker.lan").txt


def test_no_secret_and_no_user_is_announced():
    assert "secret" not in str(announced(**MOSQUITTO))
    assert "bridge" not in str(announced(**MOSQUITTO))


@pytest.mark.parametrize(
    ("computer", "label"),
    [
        ("home.example.org", "Voxcard on home"),
        ("x" * 90, "Voxcard on " + "x" * 49),
        ("küche" * 20, "Voxcard on " + "küche" * 8 + "k"),
        ("", "Voxcard on"),
        ("ha\x00ll\x7f_1\n", "Voxcard on hall_1"),
    ],
)
def test_any_name_of_a_computer_makes_a_label_with_room_for_a_number(computer, label):
    name = announced(computer, listen="0.0.0.0").name
    assert name.partition("._voxcard")[0] == label
    assert len(label.encode()) <= 60
    assert service_type_name(name, strict=True) == "_voxcard._tcp.local."  # raises otherwise
