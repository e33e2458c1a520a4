"""Letting devices in, over a real broker: with a password, and with the code on a screen."""

import asyncio
import json

from fakes.app import Bridge
from fakes.bridge import LogLines, WireDevice
from voxcard.access.accounts import PairedDevices
from voxcard.link.embedded_broker import EmbeddedBroker, free_port
from voxcard.link.mqtt import Address, MqttClient

LIMIT_S = 60
EVERYWHERE = {"listen": "0.0.0.0"}


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


def stranger(port, **account):
    return MqttClient(
        Address(host="127.0.0.1", port=port, **account),
        subscriptions=[("#", 0)],
        on_message=lambda *_: None,
        on_link=lambda up: None,
    )


async def is_refused(port, **account):
    """Whether the broker turns a client away."""
    with LogLines("voxcard.link.mqtt") as log:
        task = asyncio.create_task(stranger(port, **account).run())
        _, line = await log.lines.get()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    return "refuses" in line or "lost" in line


def test_a_broker_that_others_reach_lets_in_only_who_was_given_a_password(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, mqtt=EVERYWHERE) as bridge:
            assert await is_refused(port)
            assert await is_refused(port, user="kitchen", password="kitchen")
            assert await is_refused(port, user="bridge", password="")
            accounts = bridge.app._admission._accounts
            password = accounts.add("kitchen")
            await bridge.request("access_changed")
            async with WireDevice(port, user="kitchen", password=password) as device:
                await device.until("hello")
                rows, _ = await bridge.request("devices")
                assert [(row["id"], row["access"]) for row in rows] == [("kitchen", "password")]
                accounts.remove("kitchen")
                await bridge.request("access_changed", removed="kitchen")
                while not await is_refused(port, user="kitchen", password=password):
                    pass
            assert await bridge.request("devices") == ([], [])

    run(conversation)


def test_the_broker_of_this_computer_alone_asks_for_no_password(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port), WireDevice(port) as device:
            await device.until("hello")
        assert not (tmp_path / "accounts").exists()

    run(conversation)


def test_a_device_that_is_removed_where_nobody_is_kept_out_is_back_at_once(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port) as bridge, WireDevice(port) as device:
            before = (await device.until("hello"))["session_id"]
            await bridge.request("access_changed", removed="kitchen")
            after = (await device.until("hello"))["session_id"]
            rows, _ = await bridge.request("devices")
            assert after != before and [row["state"] for row in rows] == ["idle"]
            await bridge.request("access_changed", removed="attic")  # was never there

    run(conversation)


def test_a_device_that_is_removed_where_codes_are_asked_for_shows_a_new_one_at_once(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, mqtt={"pairing": "on"}) as bridge:
            PairedDevices(tmp_path / "accounts").add("kitchen")
            await bridge.request("access_changed")
            async with WireDevice(port) as device:
                await device.until("hello")
                PairedDevices(tmp_path / "accounts").remove("kitchen")
                await bridge.request("access_changed", removed="kitchen")
                assert (await device.until("alert"))["status"].startswith("Code ")
                rows, _ = await bridge.request("devices")
                assert [row["access"] for row in rows] == ["waits"]

    run(conversation)


def test_a_device_that_is_removed_waits_for_its_broker_to_turn_it_out(tmp_path):
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        named = {"user": "hub", "pairing": "off"}
        home = Bridge(tmp_path, broker.port, embedded=False, mqtt=named)
        async with home as bridge, WireDevice(broker.port) as device:
            await device.until("hello")
            await bridge.request("access_changed", removed="kitchen")
            assert await bridge.request("devices") == ([], [])
            device.greet()  # as it would when it starts again before that
            await device.until("hello")
        await broker.stop()

    run(conversation)


def test_a_device_shows_a_code_until_a_person_types_it(tmp_path):
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        guarded = Bridge(tmp_path, broker.port, embedded=False, mqtt={"pairing": "on"})
        async with guarded as bridge, WireDevice(broker.port) as device:
            alert = await device.until("alert")
            assert "session_id" not in alert
            code = alert["status"].removeprefix("Code ")
            assert alert["message"] == f"At the bridge's computer: voxcard devices pair {code}"
            rows, _ = await bridge.request("devices")
            assert [(row["id"], row["state"], row["access"]) for row in rows] == [
                ("kitchen", "offline", "waits")
            ]
            assert code not in json.dumps(rows)
            assert (await bridge.request("pair", code=code))[0] == {"id": "kitchen"}
            assert (await device.until("hello"))["session_id"]
        again = Bridge(tmp_path, broker.port, embedded=False, mqtt={"pairing": "on"})
        async with again, WireDevice(broker.port) as device:
            await device.until("hello")
        await broker.stop()

    run(conversation)


def test_no_password_and_no_code_is_in_the_log(tmp_path, caplog):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, mqtt={**EVERYWHERE, "pairing": "on"}) as bridge:
            password = bridge.app._admission._accounts.add("kitchen")
            users = bridge.app._admission._accounts.users()
            await bridge.request("access_changed")
            async with WireDevice(port, "attic", user="kitchen", password=password) as device:
                alert = await device.until("alert")
            return [*users.values(), alert["status"].removeprefix("Code ")]

    secrets = []
    with caplog.at_level("DEBUG"):
        run(lambda: keep(conversation, secrets))
    for secret in secrets:
        assert len(secret) >= 6 and secret not in caplog.text


async def keep(conversation, kept):
    kept += await conversation()
