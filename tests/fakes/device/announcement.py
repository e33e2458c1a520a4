"""An answer of mDNS, as a bridge gives it; written label by label."""

import struct

from provisioning.mdns import SERVICE


def name(labels):
    return b"".join(bytes((len(each),)) + each for each in labels) + b"\x00"


def announcement(label, address, facts):
    target = (label, b"local")
    instance = target[:1] + SERVICE
    rows = (
        (SERVICE, 12, name(instance)),
        (instance, 33, struct.pack(">HHH", 0, 0, 1883) + name(target)),
        (instance, 16, b"".join(bytes((len(each),)) + each for each in facts)),
        (target, 1, address),
    )
    body = b"".join(
        name(owner) + struct.pack(">HHIH", kind, 1, 10, len(data)) + data
        for owner, kind, data in rows
    )
    return struct.pack(">HHHHHH", 0, 0x8400, 0, len(rows), 0, 0) + body
