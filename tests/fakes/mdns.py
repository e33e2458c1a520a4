"""Questions by mDNS on the loopback interface, as a device asks them: one packet, any port."""

import asyncio
import contextlib
import socket
import struct

from voxcard.discovery.addresses import Place
from zeroconf import DNSIncoming

LOOPBACK = Place(addresses=("127.0.0.1",), interfaces=("127.0.0.1",))
PTR, TXT, A, SRV = 12, 16, 1, 33


def query(kind, name, *, unicast=False):
    labels = b"".join(bytes([len(label)]) + label for label in name.encode().split(b"."))
    question = struct.pack(">2H", kind, 0x8001 if unicast else 1)
    return struct.pack(">6H", 0x4711, 0, 1, 0, 0, 0) + labels + b"\0" + question


async def answers(packet, wanted):
    """Packets that come for one from a port of its own, until `wanted(records)`; all records."""
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.setblocking(False)
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        records = []
        while not wanted(records):
            own.sendto(packet, ("224.0.0.251", 5353))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    data = await loop.sock_recv(own, 9000)
                    assert data[:2] == packet[:2]  # the question's own number
                    records += DNSIncoming(data).answers()
        return records


def names(records):
    return {record.alias for record in records if record.type == PTR}
