"""Names of topics, and what a device's id and the root of them may be (design section 3.1)."""

from voxwire.errors import WireError

ROOT = "voxcard"
ID_LENGTH = 32


def check_id(device_id: str) -> str:
    """Return `device_id`; WireError unless it is 1 to 32 of a-z, 0-9 and the hyphen.

    `bridge` is none: bridges have their topics there.
    """
    if not isinstance(device_id, str) or not 1 <= len(device_id) <= ID_LENGTH:
        raise WireError("id", "must have 1 to %d characters" % ID_LENGTH)
    for character in device_id:
        if not ("a" <= character <= "z" or "0" <= character <= "9" or character == "-"):
            raise WireError("id", "may hold only a-z, 0-9 and the hyphen")
    if device_id == "bridge":
        raise WireError("id", "must not be bridge: bridges have their topics there")
    return device_id


def check_root(root: str) -> str:
    """Return `root`; WireError unless it is levels of a topic, with a / between them."""
    for level in root.split("/"):
        if not level or [each for each in level if each in "+#$" or each <= " "]:
            raise WireError("root", "must be words with / between them, without + # $ and blanks")
    return root


def topic(root: str, device_id: str, channel: str) -> str:
    """The topic of `channel` for one device, for example `voxcard/kitchen/up`."""
    return "/".join((root, device_id, channel))
