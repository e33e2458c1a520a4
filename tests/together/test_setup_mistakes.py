"""Mistakes of whoever sets up a home: the person is told what it is, and what to do."""

import asyncio
import contextlib

import pytest
from fakes.app import Bridge
from fakes.bridge import WireDevice
from together.brokers import ANONYMOUS, HOST, Iotcore, Mosquitto
from voxcard.link import presence
from voxcard.link.embedded_broker import free_port

from tools.sim.simulated_device import SimulatedDevice

LIMIT_S = 240


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation

    asyncio.run(limited())


async def told(bridge, start):
    """The problem that begins with `start`, once it is there; with "", "" when there is none."""
    for _ in range(LIMIT_S * 20):
        problems, _ = await bridge.request("problems")
        for problem in [problem for problem in problems or [""] if problem.startswith(start)]:
            if start or not problem:
                return problem
        await asyncio.sleep(0.05)
    raise AssertionError(f"there is no problem {start!r}")


@contextlib.asynccontextmanager
async def started(broker):
    await broker.start()
    try:
        yield broker
    finally:
        await broker.stop()


def bridge_of(folder, broker, version=3):
    folder.mkdir(exist_ok=True)
    return Bridge(folder, broker.port, embedded=False, version=version)


def test_two_bridges_at_one_broker_name_each_other(tmp_path):
    async def conversation():
        async with (
            started(Iotcore(tmp_path)) as broker,
            bridge_of(tmp_path / "a", broker) as first,
        ):
            async with bridge_of(tmp_path / "b", broker) as second:
                for bridge in (first, second):
                    problem = await told(bridge, "Another bridge serves the devices of voxcard")
                    assert problem.endswith("give it a [mqtt] root and devices of its own.")
            assert await told(first, "") == ""

    run(conversation())


def test_two_devices_of_one_id_are_named_by_the_bridge_and_by_themselves(tmp_path):
    async def conversation():
        async with (
            started(Iotcore(tmp_path)) as broker,
            bridge_of(tmp_path / "bridge", broker) as bridge,
            SimulatedDevice(tmp_path / "one", "kitchen", port=broker.port) as one,
            SimulatedDevice(tmp_path / "two", "kitchen", port=broker.port) as two,
        ):
            problem = await told(bridge, "Two devices have the id kitchen")
            assert problem.endswith('Give one of them another id: its setting "id".')
            for device in (one, two):
                await device.logged("Another device may use the id kitchen", LIMIT_S)

    run(conversation())


def test_a_retained_command_is_named_and_not_carried_out(tmp_path):
    async def conversation():
        async with (
            started(Iotcore(tmp_path)) as broker,
            WireDevice(broker.port, "stranger") as stranger,
            bridge_of(tmp_path / "bridge", broker),
        ):
            order = b'{"type":"system","command":"reboot"}'
            stranger._client.publish("voxcard/kitchen/down", order, retain=True)
            device = SimulatedDevice(tmp_path / "device", "kitchen", port=broker.port)
            async with device:
                await device.logged("Clear it: mosquitto_pub -r -n -t voxcard/kitchen/down")
                await device.wait("state", LIMIT_S, state="idle")
                assert device.starts == 1

    run(conversation())


def test_a_device_that_a_stranger_takes_offline_comes_back_by_itself(tmp_path):
    async def conversation():
        async with (
            started(Iotcore(tmp_path)) as broker,
            bridge_of(tmp_path / "bridge", broker),
            SimulatedDevice(tmp_path / "device", "kitchen", port=broker.port) as device,
            WireDevice(broker.port, "stranger") as stranger,
        ):
            await device.wait("state", state="idle")
            device.skip("state")
            stranger._client.publish("voxcard/kitchen/status", b'{"online":false}', retain=True)
            await device.logged("another set the status to offline")
            await device.wait("state", LIMIT_S, state="idle")

    run(conversation())


# What the bridge may do there, the version of MQTT, and why nothing is carried.
ACCESS = (
    ("topic read voxcard/#", 3, "nothing comes back"),
    ("topic write voxcard/#", 3, "nothing comes back"),
    ("topic readwrite home/#", 3, "nothing comes back"),
    ("topic read voxcard/#", 5, "Not authorized"),
    ("topic write voxcard/#", 5, "nothing comes back"),
)


@pytest.mark.usefixtures("walled")
@pytest.mark.parametrize(("rule", "version", "reason"), ACCESS)
def test_an_access_list_that_leaves_the_bridge_out_is_named(
    tmp_path, monkeypatch, rule, version, reason
):
    monkeypatch.setattr(presence, "ECHO_S", 1.0)

    async def conversation():
        (tmp_path / "acl").write_text(f"{rule}\n")
        (tmp_path / "acl").chmod(0o600)
        more = f"{ANONYMOUS}acl_file {tmp_path / 'acl'}\n"
        async with (
            started(Mosquitto(tmp_path, more=more)) as broker,
            bridge_of(tmp_path / "bridge", broker, version) as bridge,
        ):
            problem = await told(bridge, "The broker does not carry what the bridge writes")
            assert f"({reason})" in problem
            assert problem.endswith("must let everybody read and write voxcard/#.")

    run(conversation())


# What a device may do at its broker.
DEVICE_ACCESS = ("topic read voxcard/kitchen/#", "topic write voxcard/kitchen/#", "topic read x")


@pytest.mark.usefixtures("walled")
@pytest.mark.parametrize("rule", DEVICE_ACCESS)
def test_an_access_list_that_leaves_a_device_out_is_named_on_its_screen(tmp_path, rule):
    async def conversation():
        (tmp_path / "acl").write_text(f"{rule}\n")
        (tmp_path / "acl").chmod(0o600)
        more = f"{ANONYMOUS}acl_file {tmp_path / 'acl'}\n"
        async with (
            started(Mosquitto(tmp_path, more=more)) as broker,
            SimulatedDevice(tmp_path / "device", "kitchen", port=broker.port) as device,
        ):
            await device.logged("must let this device read and write voxcard/kitchen/#.", LIMIT_S)

    run(conversation())


def test_a_device_without_a_bridge_says_so(tmp_path):
    async def conversation():
        port = free_port(HOST)
        async with SimulatedDevice(tmp_path / "alone", "kitchen", port=port) as device:
            line = await device.logged("No connection to the broker")
            assert "check that it runs" in line and "user" not in line
        async with (
            started(Iotcore(tmp_path)) as broker,
            SimulatedDevice(tmp_path / "device", "kitchen", port=broker.port) as device,
        ):
            await device.logged("The bridge does not answer. Check that it is running.", LIMIT_S)

    run(conversation())
