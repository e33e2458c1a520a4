"""The channels of a device: who publishes on which, with which quality of service."""

from collections import namedtuple

from voxwire.errors import WireError
from voxwire.topics import check_id

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
        Channel("offer", "bridge", 1, True),
        Channel("blob/up", "device", 1, False),
        Channel("blob/down", "bridge", 1, False),
    )
}


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
