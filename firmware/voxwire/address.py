"""Where a home's broker is and under which root its topics lie, as a person writes them."""

from voxwire.errors import WireError

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%"


def check_host(host: str) -> str:
    """Return `host`; WireError unless it is a name or an address, without protocol and port."""
    if "://" in host:
        raise WireError("host", "must be a name or an address, without %s://" % host.split(":")[0])
    if host.count(":") == 1:
        raise WireError("host", "must be a name or an address, without a port")
    for character in host:
        if ord(character) < 128 and character not in _PLAIN:
            raise WireError("host", "must be a name or an address, without %r" % character)
    for label in host[: -1 if host.endswith(".") else None].split("."):
        if ":" not in host and not 1 <= len(label) <= 63:
            raise WireError("host", "must be a name or an address, with 1 to 63 letters a part")
    return host


def check_root(root: str) -> str:
    """Return `root`; WireError unless it is levels of a topic, with a / between them."""
    for level in root.split("/"):
        if not level:
            raise WireError("root", "must have a word before and after each /")
        for character in level:
            if character in "+#$" or ord(character) < 33 or ord(character) == 127:
                raise WireError(
                    "root", "must be words with / between them, without %r" % character
                )
    return root
