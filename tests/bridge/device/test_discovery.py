"""The device understands what the bridge's own announcer answers (zeroconf)."""

import asyncio
import os

from voxcard.discovery import mdns
from voxcard.discovery.announcement import SERVICE, Announcement
from voxcard.package_files import firmware

from tools.build import interpreters

# Not the group's address: a computer without a network has no way there.
PROGRAM = """
import asyncio
from provisioning import discovery
bridge = asyncio.run(discovery.find(%r, group=('127.0.0.1', 5353)))
print(bridge and tuple(bridge))
"""


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
    responders = [await mdns.announced(each, ["127.0.0.1"]) for each in services]
    try:
        process = await asyncio.create_subprocess_exec(
            *(interpreters.host().path, "-c", PROGRAM % wanted),
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


def test_a_bridge_is_found_with_all_its_facts():
    assert asyncio.run(found(announcement("box"))) == str(
        ("Voxcard on box", "box", "10.1.2.3", 1899, "", "home", False, "1")
    )


def test_a_bridge_with_tls_says_the_name_of_its_certificate():
    service = announcement("box", tls="1", host="broker.lan")
    assert "1899, 'broker.lan', 'home', True" in asyncio.run(found(service))


def test_nobody_there_is_nobody():
    assert asyncio.run(found()) == "None"
