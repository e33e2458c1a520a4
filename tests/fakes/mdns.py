"""Questions by mDNS on the loopback interface, as a device asks them: one packet, any port."""

import asyncio
import contextlib
import socket
import struct
import uuid

from voxcard.discovery.addresses import Place
from zeroconf import DNSIncoming

LOOPBACK = Place(addresses=("127.0.0.1",), interfaces=("127.0.0.1",))
PTR, TXT, A, SRV = 12, 16, 1, 33
# Another run of these tests on this computer hears and answers, too.
COMPUTER = f"hall-{uuid.uuid4().hex[:8]}"
INSTANCE = uuid.uuid4().hex[:12]
SERVICE = f"Voxcard on {COMPUTER}._voxcard._tcp.local."


def query(kind, name, *, unicast=False):
    labels = b"".join(bytes([len(label)]) + label for label in name.encode().split(b"."))
    question = struct.pack(">2H", kind, 0x8001 if unicast else 1)
    return struct.pack(">6H", 0x4711, 0, 1, 0, 0, 0) + labels + b"\0" + question


async def answers(packet, wanted):
    """Records that come for a packet from a port of its own, once `wanted(records)`: all of us.

    Those of one service lie in one packet.
    """
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.setblocking(False)
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        records = []
        while not wanted(records):
            own.sendto(packet, ("224.0.0.251", 5353))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    while not wanted(records):
                        data = await loop.sock_recv(own, 9000)
                        assert data[:2] == packet[:2]  # the question's own number
                        records += _ours(DNSIncoming(data).answers())
        return records


def _ours(records):
    """The records of one answer, if they are of a bridge on COMPUTER."""
    return records if any(f"on {COMPUTER}" in str(record) for record in records) else []


def names(records):
    return {record.alias for record in records if record.type == PTR}
