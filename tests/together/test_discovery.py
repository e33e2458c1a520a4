"""The firmware under MicroPython finds a bridge that is announced on the loopback interface."""

import asyncio
import json
import os
from pathlib import Path

from fakes.mdns import COMPUTER, INSTANCE, LOOPBACK
from voxcard import config
from voxcard.discovery.announcer import Announcer
from voxcard.sim import interpreter

LIMIT_S = 240.0
TESTS = Path(__file__).parents[1]


async def found():
    """What a device finds, which asks for the bridge that it knows."""
    paths = (TESTS.parent / "firmware", TESTS, ".frozen")
    program = TESTS / "fakes" / "device" / "finding.py"
    device = await asyncio.create_subprocess_exec(
        interpreter.find(), program, "5353", INSTANCE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "MICROPYPATH": ":".join(map(str, paths))},
    )  # fmt: skip
    output, _ = await device.communicate()
    return json.loads(output.splitlines()[-1])


def announced(**mqtt):
    parsed = config.parse({"mqtt": mqtt}, environ={})
    return Announcer(
        parsed.mqtt, "auto", computer=COMPUTER, instance=INSTANCE, find=lambda host: LOOPBACK
    )


def search(announcer):
    async def run():
        task = asyncio.create_task(announcer.run())
        try:
            async with asyncio.timeout(LIMIT_S):
                bridge = None
                while bridge is None or bridge[1] != INSTANCE:
                    bridge = await found()
                return bridge
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return asyncio.run(run())


def test_a_device_reads_everything_that_it_needs():
    label, bridge_id, address, port, host, root, tls, protocol = search(
        announced(listen="0.0.0.0", listen_port=1884, root="home")
    )
    assert (label, bridge_id) == (f"Voxcard on {COMPUTER}", INSTANCE)
    assert (address, port, host, root) == ("127.0.0.1", 1884, "", "home")
    assert (tls, protocol) == (False, "1")


def test_it_reads_the_name_of_the_certificate_of_a_broker_with_tls():
    bridge = search(announced(host="broker.lan", port=8883, tls=True))
    assert (bridge[3], bridge[4], bridge[6]) == (8883, "broker.lan", True)
