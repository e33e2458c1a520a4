"""Binary frames of the xiaozhi protocol, versions 1 to 3; pure.

Layout, big-endian: 78/xiaozhi-esp32, docs/websocket.md section 3. Version 1 is a bare Opus packet,
2 has a header of 16 bytes, 3 one of 4.
"""

import struct
from typing import NamedTuple

VERSIONS = (1, 2, 3)
AUDIO, JSON = 0, 1
_V2 = struct.Struct(">HHIII")  # version, type, reserved, timestamp in ms, size
_V3 = struct.Struct(">BBH")  # type, reserved, size
_V3_MAX = 0xFFFF


class Frame(NamedTuple):
    """What a binary message carries: `kind` is AUDIO or JSON."""

    kind: int
    payload: bytes


def pack(version: int, opus: bytes, timestamp_ms: int) -> bytes:
    """The binary message of an Opus packet; ValueError for one that has no room in its header."""
    if version == 2:
        return _V2.pack(2, AUDIO, 0, timestamp_ms & 0xFFFFFFFF, len(opus)) + opus
    if version == 3:
        if len(opus) > _V3_MAX:
            raise ValueError("too long a packet for a frame of version 3")
        return _V3.pack(AUDIO, 0, len(opus)) + opus
    return opus


def unpack(version: int, data: bytes) -> Frame:
    """What arrived on a connection of `version`.

    Servers may ignore the version that was asked for (xinnan-tech/xiaozhi-esp32-server does), so
    what does not begin with a header that fits its length is a bare packet.
    """
    if version == 2 and len(data) >= _V2.size:
        number, kind, _, _, size = _V2.unpack_from(data)
        # Gateways leave number and kind at 0.
        if number in (0, 2) and kind in (AUDIO, JSON) and size == len(data) - _V2.size:
            return Frame(kind, data[_V2.size :])
    if version == 3 and len(data) >= _V3.size:
        kind, reserved, size = _V3.unpack_from(data)
        if reserved == 0 and kind in (AUDIO, JSON) and size == len(data) - _V3.size:
            return Frame(kind, data[_V3.size :])
    return Frame(AUDIO, data)
