"""Topic names: who publishes on which, with which quality of service (design section 3.1)."""

from collections import namedtuple

from voxwire.errors import WireError

ROOT = "voxcard"
ID_LENGTH = 32

Channel = namedtuple("Channel", ("name", "sender", "qos", "retained"))

CHANNELS = {
    channel.name: channel
    for channel in (
        Channel("hello", "device", 1, False),
        Channel("status", "device", 1, True),
        Channel("up", "device", 1, False),
        Channel("down", "bridge", 1, False),
        Channel("mic", "device", 0, False),
        Channel("spk", "bridge", 0, False),
        Channel("blob/up", "device", 1, False),
        Channel("blob/down", "bridge", 1, False),
    )
}


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
    return "/".join((root, device_id, CHANNELS[channel].name))


def subscription(root: str, channel: str) -> str:
    """The filter that matches `channel` of every device."""
    return "/".join((root, "+", CHANNELS[channel].name))


def parse(root: str, name: str) -> "tuple[str, str]":
    """Split a topic into device id and channel name; WireError if it is none of ours."""
    prefix = root + "/"
    if not name.startswith(prefix):
        raise WireError("topic", "is not under " + root)
    device_id, _, channel = name[len(prefix) :].partition("/")
    if channel not in CHANNELS:
        raise WireError("topic", "has no channel of the protocol")
    return check_id(device_id), channel
