"""Addresses of hosts: looked up, and told apart by whose they are."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from voxcard.errors import VoxcardError

# The one block of IPv6 that is handed out, and what of it is no host on the Internet: 6to4 and
# Teredo carry an IPv4 address of anybody's choice, 3fff::/20 is for documentation.
_UNICAST = IPv6Network("2000::/3")
_NOT_HOSTS = tuple(map(IPv6Network, ("2002::/16", "2001::/23", "2001:db8::/32", "3fff::/20")))
_SHARED = IPv4Network("100.64.0.0/10")  # of networks over networks, such as a home's VPN
_NAT64 = IPv6Network("64:ff9b::/96")

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
Allows = Callable[[str], bool]


class FetchFailed(VoxcardError):  # noqa: N818 - says what happened
    """Something could not be fetched."""


def is_public(address: str) -> bool:
    """Whether a numeric address is a host on the Internet: not this computer, not this home.

    An IPv4 address inside an IPv6 one counts as itself.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped
        if inner is None and ip in _NAT64:
            inner = IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is None:
            return ip in _UNICAST and not any(ip in net for net in _NOT_HOSTS)
        ip = inner
    return ip.is_global and not (ip.is_multicast or ip.is_reserved)


def is_host(address: str) -> bool:
    """Whether a numeric address may be that of a host: public, of this home, or this computer."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    if is_public(address) or ip.is_loopback:
        return True
    nobody = ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved
    return (ip.is_private and not nobody) or ip in _SHARED


class Resolver:
    """Asks the system for the addresses of a host, in threads of its own: a name server that
    hangs must not hold up the threads that everything else needs."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="addresses")

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Numeric addresses in the system's order; FetchFailed when there is none."""
        loop = asyncio.get_running_loop()
        try:
            entries = await loop.run_in_executor(
                self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            )
        except (OSError, UnicodeError) as error:
            raise FetchFailed(f"{host} is not known.", "Check the link.") from error
        return tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))

    def close(self) -> None:
        """Ends the threads without waiting for a look-up that hangs."""
        self._threads.shutdown(wait=False, cancel_futures=True)
