"""The device understands what the bridge's own announcer answers (zeroconf)."""

import asyncio
import os
import socket

from voxcard.discovery import mdns
from voxcard.discovery.announcement import SERVICE, Announcement
from voxcard.package_files import firmware

from tools.build import interpreters

# Not the group's address: a computer without a network has no way there.
PROGRAM = """
import asyncio
from provisioning import discovery
bridge = asyncio.run(discovery.find(%r, group=(%r, 5353)))
print(bridge and tuple(bridge))
"""
# One of the loopback network's for each process. A bridge that a test beside these announces hears
# every address of this computer on which no socket of its own listens.
LOOPBACK = f"127.{os.getpid() >> 16 & 127 | 64}.{os.getpid() >> 8 & 255}.{os.getpid() & 255 or 1}"


def announcement(name: str, **txt: str) -> Announcement:
    return Announcement(
        name=f"Voxcard on {name}.{SERVICE}",
        target=f"voxcard-{name}.local.",
        port=1899,
        addresses=("10.1.2.3",),
        txt={"v": "1", "id": name, "root": "home", "tls": "0", **txt},
    )


async def found(*services: Announcement, wanted: str = "") -> str:
    """What the firmware prints of the bridge it finds while `services` are announced."""
    silent = None if services else _silent()
    responders = [await mdns.announced(each, [LOOPBACK]) for each in services]
    try:
        process = await asyncio.create_subprocess_exec(
            *(interpreters.host().path, "-c", PROGRAM % (wanted, LOOPBACK)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "MICROPYPATH": f"{firmware()}:.frozen"},
        )
        async with asyncio.timeout(60):
            output, _ = await process.communicate()
        return output.decode().strip()
    finally:
        for responder in responders:
            await responder.close()
        if silent:
            silent.close()


def _silent() -> socket.socket:
    """What takes the questions to LOOPBACK where no responder does, and says nothing."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    taken.bind((LOOPBACK, 5353))
    return taken


def test_a_bridge_is_found_with_all_its_facts():
    assert asyncio.run(found(announcement("box"))) == str(
        ("Voxcard on box", "box", "10.1.2.3", 1899, "", "home", False, "1")
    )


def test_a_bridge_with_tls_says_the_name_of_its_certificate():
    service = announcement("box", tls="1", host="broker.lan")
    assert "1899, 'broker.lan', 'home', True" in asyncio.run(found(service))


def test_nobody_there_is_nobody():
    assert asyncio.run(found()) == "None"


def test_a_bridge_at_another_address_is_not_heard():
    async def beside() -> str:
        other = await mdns.announced(announcement("other"), ["127.0.0.1"])
        try:
            return await found()
        finally:
            await other.close()

    assert asyncio.run(beside()) == "None"
