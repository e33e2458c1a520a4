"""The search for the bridge over real sockets; a responder stands at the group's address."""

import asyncio
import time

from fakes.device.announcement import announcement
from fakes.device.mdns import Responder
from fakes.device.setup import HERE, free_ports
from provisioning import discovery

ONE = announcement(b"one", bytes((10, 0, 0, 1)), (b"v=1", b"id=one", b"root=voxcard"))
TWO = announcement(b"two", bytes((10, 0, 0, 2)), (b"v=1", b"id=two", b"root=voxcard"))


async def test_a_bridge_is_found_by_one_question():
    async with Responder([ONE]) as home:
        bridge = await discovery.find(group=home.group)
        assert (bridge.id, bridge.address, bridge.port) == ("one", "10.0.0.1", 1883)
        assert len(home.questions) == 1


async def test_of_several_the_known_one_is_taken_though_it_answers_last():
    async with Responder([b"nonsense", ONE, TWO]) as home:
        assert (await discovery.find("two", group=home.group)).id == "two"
        assert (await discovery.find("", group=home.group)).id == "one"


async def test_a_question_that_was_lost_is_asked_again():
    async with Responder([ONE], from_question=2) as home:
        assert (await discovery.find(group=home.group)).id == "one"
        assert len(home.questions) == 2


async def test_nobody_answers_and_the_loop_goes_on_meanwhile():
    turns = 0

    async def count():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep_ms(20)

    task = asyncio.create_task(count())
    wait_ms, discovery.WAIT_MS = discovery.WAIT_MS, 200
    began_ms = time.ticks_ms()
    try:
        assert await discovery.find(group=(HERE, free_ports()[1])) is None
    finally:
        discovery.WAIT_MS = wait_ms
        task.cancel()
    assert turns > 10 and time.ticks_diff(time.ticks_ms(), began_ms) >= 3 * 200
