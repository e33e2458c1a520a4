"""The session of a device: what a hello opens, what a goodbye ends."""

import asyncio
import json

import pytest
from fakes.bridge import HELLO, FakeAssistant, FakeCardMaker, FakeHub, run_virtual
from voxcard.errors import VoxcardError
from voxcard.link.devices import Devices
from voxcard.session.device_session import DeviceSession
from voxcard.session.services import Services


class Wire:
    """Keeps what was sent, unless it is cut."""

    def __init__(self):
        self.session_id = ""
        self.sent = []
        self.is_cut = False

    def send(self, type_name, **values):
        self.sent.append((type_name, values))
        return not self.is_cut


class Home:
    """A session and what it works with."""

    def __init__(self):
        self.wire, self.hub = Wire(), FakeHub()
        self.devices = Devices(lambda: 0.0, iter(("s1", "s2")).__next__)
        cards = FakeCardMaker()
        services = Services(
            hub=self.hub,
            assistant=FakeAssistant(),
            card_maker=cards,
            keep_card=cards.keep,
            spawn=lambda work, name: asyncio.create_task(work, name=name),
        )
        self.session = DeviceSession("kitchen", services, self.wire)

    def accept(self, **hello):
        device = self.devices.hello("kitchen", json.dumps({**HELLO, **hello}).encode())
        return self.session.accept(device, "de")


def run(check):
    async def conversation():
        await check(Home())

    run_virtual(conversation())


def test_a_hello_opens_a_session_and_its_answer_says_how_to_speak():
    async def check(home):
        assert not home.session.is_open
        speaker = home.accept()
        assert home.session.is_open and home.wire.session_id == "s1"
        home.session.answer_hello()
        type_name, values = home.wire.sent[-1]
        assert (type_name, values["session_id"], values["locale"]) == ("hello", "s1", "de")
        assert values["audio_params"] == speaker.audio_params()

    run(check)


def test_a_device_whose_audio_nobody_here_speaks_is_told_so_and_gets_no_session_id():
    async def check(home):
        assert home.accept(sound={**HELLO["sound"], "formats": ["opus"]}) is None
        assert home.wire.session_id == ""
        ((type_name, values),) = home.wire.sent
        assert type_name == "alert" and "audio format" in values["message"]
        home.session.answer_hello()
        assert len(home.wire.sent) == 1

    run(check)


def test_a_new_hello_forgets_what_was_said_in_the_session_before():
    async def check(home):
        home.accept()
        home.session.heard()
        assert home.session.is_first("listen t1") and not home.session.is_first("listen t1")
        home.accept()
        assert home.session.spoken_s is None and home.session.is_first("listen t1")

    run(check)


def test_the_tools_are_there_until_the_session_ends_and_fail_when_nothing_can_be_sent():
    async def check(home):
        home.accept()
        home.session.attach_tools()
        home.hub.send({"id": 1})
        assert home.wire.sent[-1] == ("mcp", {"payload": {"id": 1}})
        home.wire.is_cut = True
        with pytest.raises(VoxcardError, match="cannot be reached"):
            home.hub.send({"id": 2})
        home.session.end("it is gone")
        home.session.end("it is gone")  # there is none any more
        assert home.hub.attached == [] and home.wire.session_id == ""
        assert not home.session.is_open and home.session.spoken_s is None
        assert home.session.device.capability is not None

    run(check)
