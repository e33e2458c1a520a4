"""Topics find their device; garbage finds the log."""

import json
import logging

import pytest
from fakes.bridge import HELLO, FakeAssistant, FakeDevice, run_virtual
from voxcard.errors import VoxcardError
from voxcard.link.devices import Devices
from voxcard.link.hello_requests import HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.problems import Problems
from voxcard.switchboard import Options, Switchboard, subscriptions


class Desk:
    """A switchboard whose relays are those of fake devices."""

    def __init__(self, cards="full"):
        self.asked = []
        self.devices = {}
        self.now_s = 0.0
        self.problems = Problems(lambda: self.now_s)
        self.board = Switchboard(
            "voxcard",
            Devices(lambda: 0.0, iter(("s1", "s2", "s3")).__next__),
            make_relay=self.make,
            requests=HelloRequests(
                lost=lambda: self.board.lost(),
                has_session=lambda device_id: self.board.has_session(device_id),
                root="voxcard",
                publish=self.publish,
                now_s=lambda: self.now_s,
            ),
            watch=HelloWatch("voxcard", self.problems, lambda: self.now_s),
            options=lambda device_id: Options(name="", locale="en", cards=cards),
        )

    def make(self, device_id):
        self.devices[device_id] = FakeDevice(FakeAssistant())
        return self.devices[device_id].relay

    def publish(self, topic, payload):
        assert json.loads(payload) == {"type": "system", "command": "hello"}
        self.asked.append(topic.split("/")[1])
        return True

    def later(self, seconds):
        """Every second of that time is looked at."""
        for _ in range(round(seconds)):
            self.now_s += 1.0
            self.board._requests.look()

    def send(self, channel, payload, *, device="kitchen", retained=False):
        payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.board.message(f"voxcard/{device}/{channel}", payload, retained)


def test_everything_that_devices_send_is_subscribed_to():
    assert subscriptions("home") == [
        ("home/+/hello", 1),
        ("home/+/status", 1),
        ("home/+/up", 1),
        ("home/+/mic", 0),
        ("home/+/blob/up", 1),
    ]


def test_a_device_that_was_online_before_the_bridge_is_asked_for_its_hello():
    async def conversation():
        desk = Desk()
        desk.send("status", {"online": True}, retained=True)
        desk.send("status", {"online": False}, device="attic", retained=True)
        assert desk.asked == ["kitchen"]
        desk.send("hello", HELLO)
        desk.send("status", {"online": True}, retained=True)
        assert desk.asked == ["kitchen"]
        assert desk.devices["kitchen"].heard[0]["session_id"] == "s1"

    run_virtual(conversation())


def test_a_device_that_just_came_says_hello_by_itself():
    async def conversation():
        desk = Desk()
        desk.send("status", {"online": True})
        assert desk.asked == [] and desk.board.state("kitchen") == "offline"
        desk.send("hello", HELLO)
        assert desk.board.state("kitchen") == "idle"
        desk.send("status", {"online": False})
        assert desk.board.state("kitchen") == "offline"

    run_virtual(conversation())


def test_a_device_that_speaks_to_a_bridge_that_does_not_know_it_is_asked_for_its_hello():
    async def conversation():
        for channel in ("up", "mic", "blob/up"):
            desk = Desk()
            desk.send(channel, b"{}")
            assert desk.asked == []
            desk.later(2)
            assert desk.asked == ["kitchen"]

    run_virtual(conversation())


def test_a_device_whose_status_was_set_to_offline_by_another_is_found_again():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.send("status", {"online": False})
        assert desk.board.state("kitchen") == "offline"
        desk.send("status", {"online": True})
        desk.later(2)
        assert desk.asked == ["kitchen"]
        desk.send("hello", HELLO)
        assert desk.board.state("kitchen") == "idle"
        desk.later(600)
        assert desk.asked == ["kitchen"]

    run_virtual(conversation())


def test_now_and_then_everybody_who_is_online_without_a_session_is_asked():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.devices["kitchen"].relay.gone("it said goodbye")
        assert desk.board.lost() == ["kitchen"]
        desk.later(150)
        assert desk.asked == ["kitchen"]

    run_virtual(conversation())


def test_what_is_retained_where_nothing_may_be_is_dropped_with_its_remedy(caplog):
    async def conversation():
        desk = Desk()
        for channel in ("hello", "up", "mic", "blob/up"):
            desk.send(channel, HELLO, retained=True)
        desk.send("hello", HELLO)
        device = desk.devices["kitchen"]
        desk.send("up", {"type": "goodbye", "session_id": "s1"}, retained=True)
        assert (desk.board.state("kitchen"), device.signs, desk.asked) == ("idle", [], [])

    with caplog.at_level(logging.WARNING):
        run_virtual(conversation())
    assert [record.getMessage() for record in caplog.records] == [
        f"voxcard/kitchen/{channel} has a retained message, which is dropped."
        f" Clear it: mosquitto_pub -r -n -t voxcard/kitchen/{channel}"
        for channel in ("hello", "up", "mic", "blob/up", "up")
    ]


def test_two_devices_that_take_turns_with_one_id_are_named():
    async def conversation():
        desk = Desk()
        for boot in ("a", "b", "a"):
            assert desk.problems.all() == ()
            desk.send("hello", {**HELLO, "boot": boot})
        (problem,) = desk.problems.all()
        assert problem.startswith("Two devices have the id kitchen and take")

    run_virtual(conversation())


def test_losing_the_broker_ends_every_session_and_a_new_hello_opens_one():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.board.link(False)
        assert desk.board.state("kitchen") == "offline"
        desk.board.link(True)
        desk.send("status", {"online": True}, retained=True)
        assert desk.asked == ["kitchen"]
        desk.send("hello", HELLO)
        assert desk.devices["kitchen"].heard[-1]["session_id"] == "s2"
        await desk.board.close()
        assert desk.devices["kitchen"].told()[-1] == "goodbye"

    run_virtual(conversation())


def test_the_stricter_wish_about_cards_holds():
    async def conversation():
        desk = Desk(cards="text")
        desk.send("hello", {**HELLO, "cards": "off"})
        assert desk.devices["kitchen"].relay.device_cards._mode == "off"
        desk.send("hello", HELLO)
        assert desk.devices["kitchen"].relay.device_cards._mode == "text"

    run_virtual(conversation())


def test_garbage_on_every_topic_is_a_line_that_names_device_and_field(caplog):
    async def conversation():
        desk = Desk()
        for channel in ("hello", "status", "up", "mic", "blob/up"):
            desk.send(channel, b"\xff\0")
        desk.board.message("elsewhere/kitchen/up", b"", False)
        desk.board.message("voxcard/K!/hello", b"{}", False)
        desk.send("hello", {**HELLO, "sound": {"formats": ["mp3"]}})

    with caplog.at_level(logging.WARNING):
        run_virtual(conversation())
    assert [record.getMessage() for record in caplog.records] == [
        "kitchen: hello: is not JSON",
        "kitchen: status: is not JSON",
        "a message on 'elsewhere/kitchen/up' is dropped, topic: is not under voxcard",
        "a message on 'voxcard/K!/hello' is dropped, id: may hold only a-z, 0-9 and the hyphen",
        "kitchen: hello.sound.formats: has none of ima-adpcm, opus, pcm16",
    ]


def test_an_unknown_device_is_an_error_that_names_the_known_ones():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        with pytest.raises(VoxcardError) as caught:
            desk.board.relay("attic")
        assert str(caught.value) == "There is no device attic. Devices: kitchen."

    run_virtual(conversation())
