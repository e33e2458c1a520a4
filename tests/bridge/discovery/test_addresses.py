"""At which addresses devices reach a broker."""

import socket

import pytest
from voxcard.discovery import addresses
from voxcard.discovery.addresses import Place, find, usable

INTERFACES = [
    ("lo", "127.0.0.1"),
    ("docker0", "172.17.0.1"),
    ("br-5e1f", "172.18.0.1"),
    ("wlan0", "192.168.1.11"),
    ("eth0", "192.168.1.10"),
    ("eth1", "169.254.7.7"),
    ("wg0", "10.8.0.1"),
    ("br0", "192.168.9.1"),
]


def test_networks_inside_the_computer_and_tunnels_hold_no_device():
    assert usable(INTERFACES, "") == ("192.168.1.11", "192.168.1.10", "192.168.9.1")


def test_the_address_with_the_route_to_the_network_comes_first():
    assert usable(INTERFACES, "192.168.1.10")[0] == "192.168.1.10"
    assert usable(INTERFACES, "172.17.0.1")[0] == "192.168.1.11"


@pytest.fixture
def home(monkeypatch):
    """A computer with two addresses, and a name server that knows three names."""
    own = ("192.168.1.10", "192.168.7.1")
    names = {
        "broker.lan": ["192.168.1.20"],
        "homeserver": ["127.0.1.1"],
        "me.lan": ["192.168.7.1"],
    }

    def look_up(host, *_):
        if host not in names and not host[0].isdigit():
            raise socket.gaierror
        return [(2, 1, 6, "", (address, 0)) for address in names.get(host, [host])]

    monkeypatch.setattr(addresses, "_own_addresses", lambda: own)
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return own


@pytest.mark.parametrize(
    ("host", "at", "interfaces"),
    [
        ("0.0.0.0", ("192.168.1.10", "192.168.7.1"), "all"),
        ("192.168.7.1", ("192.168.7.1",), ("192.168.7.1",)),
        ("me.lan", ("192.168.7.1",), ("192.168.7.1",)),
        ("broker.lan", ("192.168.1.20",), "all"),
        ("10.0.0.2", ("10.0.0.2",), "all"),
        ("homeserver", (), "all"),
        ("nobody.lan", (), "all"),
    ],
)
def test_a_broker_is_found_at_its_addresses_and_announced_where_they_are(
    home, host, at, interfaces
):
    interfaces = home if interfaces == "all" else interfaces
    assert find(host) == Place(addresses=at, interfaces=interfaces)


def test_this_computers_own_addresses_are_those_of_its_network():
    for address in find("0.0.0.0").addresses:
        assert addresses.is_reachable(address)
