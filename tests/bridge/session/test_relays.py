"""The relays by device: found by id, asked about their sessions, closed together."""

import json

import pytest
from fakes.bridge import HELLO, FakeAssistant, FakeDevice, run_virtual
from voxcard.errors import VoxcardError
from voxcard.link.devices import Devices
from voxcard.session.relays import Relays


def home():
    """A kitchen whose device said hello, and its registry with an attic that is only online."""
    kitchen = FakeDevice(FakeAssistant())
    relays = Relays()
    relays.add("kitchen", kitchen.relay)
    devices = Devices(lambda: 0.0)
    devices.hello("kitchen", json.dumps(HELLO).encode())
    devices.status("attic", b'{"online":true}')
    devices.status("cellar", b'{"online":false}')
    return kitchen, relays, devices


def test_a_device_without_a_relay_is_an_error_that_names_those_with_one():
    async def conversation():
        kitchen, relays, _ = home()
        assert relays.relay("kitchen") is kitchen.relay and relays.find("attic") is None
        with pytest.raises(VoxcardError, match=r"There is no device attic\. Devices: kitchen\."):
            relays.relay("attic")
        assert relays.remove("kitchen") is kitchen.relay and relays.remove("kitchen") is None
        with pytest.raises(VoxcardError, match="none yet"):
            relays.relay("kitchen")
        assert (len(relays), list(relays), relays.ids()) == (0, [], ())

    run_virtual(conversation())


def test_who_is_online_without_a_session_is_lost():
    async def conversation():
        kitchen, relays, devices = home()
        assert relays.state("kitchen") == relays.state("attic") == "offline"
        assert relays.lost(devices.all()) == ["attic", "kitchen"]
        kitchen.greet()
        assert relays.state("kitchen") == "idle" and relays.has_session("kitchen")
        assert relays.lost(devices.all()) == ["attic"]

    run_virtual(conversation())


def test_a_device_spoke_lately_only_if_it_did_so_in_its_session():
    async def conversation():
        kitchen, relays, _ = home()
        kitchen.greet()
        assert not relays.spoke_within("kitchen", 1e9)
        kitchen.say("event", name="button")
        assert relays.spoke_within("kitchen", 1.0) and not relays.spoke_within("kitchen", 0.0)
        assert not relays.spoke_within("attic", 1e9)

    run_virtual(conversation())


def test_closing_says_goodbye_to_everybody_with_a_session():
    async def conversation():
        kitchen, relays, _ = home()
        kitchen.greet()
        await relays.close()
        assert kitchen.told()[-1] == "goodbye"

    run_virtual(conversation())
