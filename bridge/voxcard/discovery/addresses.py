"""The IPv4 addresses at which devices reach a broker, and the interfaces that lead to them."""

import ipaddress
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import ifaddr

from voxcard.discovery.announcement import EVERYWHERE

# Networks inside this computer, and tunnels: no device is there.
_VIRTUAL = (
    "br-", "cali", "cni", "docker", "flannel", "lxc", "lxdbr", "podman", "tailscale", "tap", "tun",
    "utun", "vboxnet", "veth", "virbr", "vmnet", "wg", "zt",
)  # fmt: skip
_MULTICAST = ("224.0.0.251", 5353)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`addresses` of the broker, likeliest first; `interfaces`: own addresses to speak from."""

    addresses: tuple[str, ...]
    interfaces: tuple[str, ...]


def find(host: str) -> Place:
    """Where the broker `host` is; blocks while a name is looked up.

    No addresses: there is no network, the name is not known, or it has no IPv4 address.
    """
    own = _own_addresses()
    if host == EVERYWHERE:
        return Place(addresses=own, interfaces=own)
    addresses = tuple(dict.fromkeys(filter(is_reachable, _resolved(host))))
    there = tuple(each for each in own if each in addresses)
    return Place(addresses=addresses, interfaces=there or own)


def usable(interfaces: Iterable[tuple[str, str]], first: str) -> tuple[str, ...]:
    """Of (name of the interface, IPv4 address) those in a network, the address `first` first."""
    addresses = [
        address
        for name, address in interfaces
        if not name.startswith(_VIRTUAL) and is_reachable(address)
    ]
    return tuple(sorted(dict.fromkeys(addresses), key=lambda address: address != first))


def is_reachable(address: str) -> bool:
    """Whether another computer can reach an address of IPv4."""
    ip = ipaddress.IPv4Address(address)
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


def _own_addresses() -> tuple[str, ...]:
    interfaces = (
        (adapter.nice_name, str(ip.ip))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4
    )
    return usable(interfaces, _routed())


def _routed() -> str:
    """The own address from which the system would send to all; "" without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_MULTICAST)  # sends nothing
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _resolved(host: str) -> Iterator[str]:
    try:
        rows = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        return
    yield from (str(row[4][0]) for row in rows)
