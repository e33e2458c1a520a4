"""The broker, the bridge or the device goes, at the start or in mid-turn, and comes back."""

import asyncio

import pytest
from together.brokers import Iotcore
from together.home import LIMIT_S, Home, Person

LONG = "This announcement is long enough to be cut short by whatever happens in the middle of it."


@pytest.fixture(scope="module")
def home(runner, tmp_path_factory):
    """A home whose broker and bridge may be taken away."""
    folder = tmp_path_factory.mktemp("breakable")
    home = Home(Iotcore(folder), folder)
    try:
        runner.run(home.start())
        yield home
    finally:
        runner.run(home.stop())


async def speaking(person: Person) -> "asyncio.Task[str]":
    """Begin a turn and wait until the device speaks."""
    said = person.tell("say", text=LONG)
    await person.device.wait("speaker", state="start")
    return said


def test_a_bridge_and_a_device_that_start_before_the_broker_come_up_with_it(tmp_path):
    async def conversation():
        broker = Iotcore(tmp_path)
        home = Home(broker, tmp_path)
        await home.bridge.start()
        try:
            async with home.device() as device:
                where = f"127.0.0.1:{broker.port}"
                await device.logged(f"No connection to the broker at {where}")
                assert f"WARNING broker {where}: " in home.log()
                await broker.start()
                person = Person(home, device)
                await person.ready()
                await person.talks()
                # One line each, however often they tried.
                assert home.log().count(f"WARNING broker {where}: ") == 1
        finally:
            await home.stop()

    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


def test_a_broker_that_restarts_in_mid_turn_costs_that_turn_alone(talk):
    async def conversation(person: Person):
        card = await person.settle()
        said = await speaking(person)
        await person.home.broker.stop()
        assert (await person.turn())["error"] == "The connection to the broker was lost."
        assert await said == "The connection to the broker was lost."
        await person.device.wait("state", state="offline")
        await person.device.logged("the broker at ")
        await person.home.broker.start()
        await person.ready()
        await person.unharmed(card)

    talk(conversation)


def test_a_device_that_dies_in_mid_turn_is_ready_when_it_is_back(talk):
    async def conversation(person: Person):
        card = await person.settle()
        said = await speaking(person)
        await person.device.kill()
        assert (await person.turn())["error"] == "The device went away."
        assert await said == "The device went away."
        assert f"{person.id}: offline" in person.home.log()
        person.device.skip("state")
        await person.device.start()
        await person.ready()
        await person.unharmed(card)

    talk(conversation)


def test_a_bridge_that_dies_in_mid_turn_is_missed_and_found_again(talk):
    async def conversation(person: Person):
        card = await person.settle()
        await speaking(person)
        await person.bridge.kill()
        await person.device.wait("state", 15, state="connecting")
        await person.device.logged("The bridge does not answer. Check that it is running.")
        await person.bridge.start()
        await person.ready()
        await person.unharmed(card)

    talk(conversation)


def test_a_bridge_that_stops_says_goodbye_and_is_found_again(talk):
    async def conversation(person: Person):
        card = await person.settle()
        said = await speaking(person)
        await person.bridge.stop()
        assert await said in ("The bridge stops.", "The bridge stopped before it answered.")
        await person.device.wait("state", 2, state="connecting")
        await person.bridge.start()
        await person.ready()
        await person.unharmed(card)

    talk(conversation)
