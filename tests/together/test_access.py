"""Who may do what at a broker with passwords, and with an access list where it has one."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from together.brokers import Broker
from together.home import LIMIT_S, Home, Person, at
from voxcard.link.mqtt import Address, MqttClient


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


def test_a_device_with_a_wrong_password_is_told_what_to_check(guarded, tmp_path):
    async def conversation():
        broker = guarded(tmp_path)
        await broker.start()
        try:
            async with Home(broker, tmp_path).device(password="not it") as device:
                line = await device.logged("assword")
                assert " warning mqtt: The broker " in line and "user 'sim-1'" in line
                assert "not it" not in "".join(device.log)
        finally:
            await broker.stop()

    run(conversation)


def test_with_its_password_a_device_talks(guarded, tmp_path):
    async def talk(person: Person):
        turn = await person.ask("set the volume to 60")
        assert turn["reply"] == "The volume is now 60 percent."

    async def conversation():
        async with Home(guarded(tmp_path), tmp_path) as home:
            await at(home, talk)

    run(conversation)


@contextlib.asynccontextmanager
async def client(broker: Broker, user: str, *listens: str) -> AsyncIterator[tuple]:
    """(client, its messages) of `user`, connected and subscribed."""
    messages: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
    up = asyncio.Event()
    found = {key: broker.bridge[key] for key in ("host", "port", "tls", "ca_file")}
    made = MqttClient(
        Address(**found, user=user, password=broker.passwords[user]),
        subscriptions=[(topic, 1) for topic in listens],
        on_message=lambda topic, payload, retained: messages.put_nowait((topic, payload)),
        on_link=lambda is_up: up.set() if is_up else None,
    )
    task = asyncio.create_task(made.run())
    try:
        await up.wait()
        yield made, messages
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_the_access_list_lets_no_device_speak_or_listen_for_another(walled, tmp_path):
    async def conversation():
        broker = walled(tmp_path)
        await broker.start()
        try:
            async with (
                client(broker, "bridge", "voxcard/+/up") as (bridge, heard),
                client(broker, "sim-1", "voxcard/sim-2/down", "voxcard/sim-1/down") as (
                    device,
                    told,
                ),
            ):
                assert device.publish("voxcard/sim-2/up", b"as another")
                assert device.publish("voxcard/sim-1/up", b"as itself")
                assert await heard.get() == ("voxcard/sim-1/up", b"as itself")
                assert bridge.publish("voxcard/sim-2/down", b"to another")
                assert bridge.publish("voxcard/sim-1/down", b"to itself")
                assert await told.get() == ("voxcard/sim-1/down", b"to itself")
        finally:
            await broker.stop()

    run(conversation)
