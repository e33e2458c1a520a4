"""Checks the broker's host as it is written in the configuration."""

import string

_LETTERS = frozenset(string.ascii_letters + string.digits + ".-_:%")


def check(host: str) -> str:
    """Return `host`; ValueError says, after "must be", what a host is."""
    what = "a name or an address, without "
    if "://" in host:
        raise ValueError(what + host.partition(":")[0] + "://")
    if host.count(":") == 1:
        raise ValueError(what + "a port")
    for character in host:
        if character.isascii() and character not in _LETTERS:
            raise ValueError(what + repr(character))
    try:
        host.encode("idna")
    except UnicodeError:
        raise ValueError("a name with 1 to 63 letters between two points") from None
    return host


def bare(host: str) -> str:
    """The name or address in what looks like a URL."""
    address = host.partition("://")[2] or host
    address = address.partition("/")[0].rpartition("@")[2].strip(" []")
    return address.partition(":")[0] if address.count(":") == 1 else address
