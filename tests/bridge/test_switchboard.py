"""Topics find their device; garbage finds the log."""

import asyncio
import gc
import json
import logging
import weakref

import pytest
from fakes.admission import Known
from fakes.bridge import HELLO, FakeAssistant, FakeDevice, FakeHub, run_virtual
from voxcard.errors import VoxcardError
from voxcard.link.devices import Devices
from voxcard.link.hello_requests import HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.problems import Problems
from voxcard.link.roster import ABSENT_S, DEVICES_MAX, QUIET_S
from voxcard.session.relays import Relays
from voxcard.switchboard import Options, Switchboard, subscriptions


class Desk:
    """A switchboard whose relays are those of fake devices."""

    def __init__(self, cards="full"):
        self.asked = []
        self.devices = {}
        self.now_s = 0.0
        self.problems = Problems(lambda: self.now_s)
        self.relays = Relays()
        self.registry = Devices(lambda: 0.0, iter(("s1", "s2", "s3")).__next__)
        self.board = Switchboard(
            "voxcard",
            self.registry,
            self.relays,
            make_relay=self.make,
            requests=self.requests(),
            watch=HelloWatch("voxcard", self.problems, lambda: self.now_s),
            options=lambda device_id: Options(name="", locale="en", cards=cards),
            admission=Known(),
        )

    def requests(self):
        return HelloRequests(
            lost=lambda: self.relays.lost(self.registry.all()),
            has_session=self.relays.has_session,
            root="voxcard",
            publish=self.publish,
            now_s=lambda: self.now_s,
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
        assert desk.asked == [] and desk.relays.state("kitchen") == "offline"
        desk.send("hello", HELLO)
        assert desk.relays.state("kitchen") == "idle"
        desk.send("status", {"online": False})
        assert desk.relays.state("kitchen") == "offline"

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
        assert desk.relays.state("kitchen") == "offline"
        desk.later(2)
        assert desk.asked == ["kitchen"]
        desk.send("hello", HELLO)
        assert desk.relays.state("kitchen") == "idle"
        desk.later(600)
        assert desk.asked == ["kitchen"]

    run_virtual(conversation())


def test_a_device_that_is_really_gone_is_not_asked_for_ever():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.send("status", {"online": False})
        desk.later(3600)
        assert 1 <= len(desk.asked) <= 4

    run_virtual(conversation())


def test_now_and_then_everybody_who_is_online_without_a_session_is_asked():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.devices["kitchen"].relay.gone("it said goodbye")
        assert desk.relays.lost(desk.registry.all()) == ["kitchen"]
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
        assert (desk.relays.state("kitchen"), device.signs, desk.asked) == ("idle", [], [])

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
        assert desk.relays.state("kitchen") == "offline"
        desk.board.link(True)
        desk.send("status", {"online": True}, retained=True)
        assert desk.asked == ["kitchen"]
        desk.send("hello", HELLO)
        assert desk.devices["kitchen"].heard[-1]["session_id"] == "s2"
        await desk.relays.close()
        assert desk.devices["kitchen"].told()[-1] == "goodbye"

    run_virtual(conversation())


def test_the_stricter_wish_about_cards_holds():
    async def conversation():
        desk = Desk(cards="text")
        desk.send("hello", {**HELLO, "cards": "off"})
        assert desk.devices["kitchen"].relay.screen.cards._mode == "off"
        desk.send("hello", HELLO)
        assert desk.devices["kitchen"].relay.screen.cards._mode == "text"

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
            desk.relays.relay("attic")
        assert str(caught.value) == "There is no device attic. Devices: kitchen."

    run_virtual(conversation())


class Flood(Desk):
    """A switchboard that many ids speak to; its real relays share one fake device's parts."""

    def __init__(self, limit, known=()):
        self.asked, self.devices = [], {}
        self.relays = Relays()
        # Those in memory, and how many there ever were.
        self.in_memory, self.count = weakref.WeakSet(), 0
        self.now_s = 0.0
        self.problems = Problems(lambda: self.now_s)
        self.registry = Devices(lambda: 0.0)
        self.hub = FakeHub()
        self.admission = Known(known)
        self.board = Switchboard(
            "voxcard",
            self.registry,
            self.relays,
            make_relay=self.make,
            requests=self.requests(),
            watch=HelloWatch("voxcard", self.problems, lambda: self.now_s),
            options=lambda device_id: Options(name="", locale="en", cards="full"),
            admission=self.admission,
            now_s=lambda: self.now_s,
            limit=limit,
        )

    def make(self, device_id):
        # Kept by the switchboard alone, as in the bridge.
        relay = FakeDevice(FakeAssistant(), self.hub, device_id=device_id).relay
        self.in_memory.add(relay)
        self.count += 1
        return relay

    def hello(self, device_id):
        self.send("hello", {**HELLO, "id": device_id}, device=device_id)

    def speak(self, device_id):
        session_id = self.registry.get(device_id).session_id
        message = {"type": "event", "name": "button", "session_id": session_id}
        self.send("up", message, device=device_id)


def test_fifteen_thousand_ids_of_a_stranger_take_bounded_memory_and_a_real_device_talks():
    async def conversation():
        home = Flood(DEVICES_MAX)
        home.hello("kitchen")
        home.speak("kitchen")
        for number in range(15_000):
            if number % 3:
                home.hello(f"stranger-{number}")
            else:
                home.send("status", {"online": True}, device=f"stranger-{number}", retained=True)
            if number % 100 == 0:
                await asyncio.sleep(0)  # the link reads in pieces, and tasks run between them
        for _ in range(3):
            await asyncio.sleep(0)  # the last ones that were forgotten let go of their talks
        gc.collect()
        assert home.count > DEVICES_MAX and len(home.in_memory) <= DEVICES_MAX
        assert len(home.registry.all()) == DEVICES_MAX
        assert len(home.relays) <= DEVICES_MAX
        assert len(home.board._routes) == 3 * len(home.relays)
        assert len(home.hub.attached) <= DEVICES_MAX
        assert len(asyncio.all_tasks()) <= DEVICES_MAX + 10
        session_id = home.registry.get("kitchen").session_id
        listen = {"type": "listen", "id": "t1", "state": "start", "session_id": session_id}
        home.send("up", {**listen, "seq": 0})
        assert home.relays.state("kitchen") == "listening"

    run_virtual(conversation())


def test_a_device_of_the_home_finds_its_place_among_strangers_and_keeps_it():
    async def conversation():
        home = Flood(10, known=["kitchen"])
        for number in range(30):
            home.hello(f"stranger-{number}")
        home.hello("kitchen")
        for number in range(30, 60):
            home.hello(f"stranger-{number}")
        assert home.relays.state("kitchen") == "idle"
        assert len(home.registry.all()) == 10

    run_virtual(conversation())


def test_devices_that_find_no_room_are_counted_in_one_line(caplog):
    async def conversation():
        home = Flood(3)
        for device_id in ("a", "b", "c"):
            home.hello(device_id)
            home.speak(device_id)
        for number in range(5):
            home.hello(f"late-{number}")
        assert [device.id for device in home.registry.all()] == ["a", "b", "c"]
        home.board.sweep()
        home.board.sweep()

    with caplog.at_level(logging.WARNING):
        run_virtual(conversation())
    assert [record.getMessage() for record in caplog.records] == [
        "5 more devices said hello than the bridge serves (3)"
    ]


def test_devices_that_are_silent_for_an_hour_make_room_for_others():
    async def conversation():
        home = Flood(2, known=["kitchen"])
        for device_id in ("kitchen", "a"):
            home.hello(device_id)
            home.speak(device_id)
        await asyncio.sleep(QUIET_S + 1)
        home.board.sweep()
        home.hello("b")
        assert [device.id for device in home.registry.all()] == ["b", "kitchen"]

    run_virtual(conversation())


def test_a_device_that_is_away_for_a_week_is_forgotten_unless_it_is_of_the_home():
    async def conversation():
        home = Flood(10, known=["kitchen"])
        for device_id in ("kitchen", "guest", "here"):
            home.hello(device_id)
        for device_id in ("kitchen", "guest"):
            home.send("status", {"online": False}, device=device_id)
        home.now_s = ABSENT_S + 1
        home.board.sweep()
        assert [device.id for device in home.registry.all()] == ["here", "kitchen"]
        with pytest.raises(VoxcardError):
            home.relays.relay("guest")
        home.hello("guest")
        assert home.relays.state("guest") == "idle"

    run_virtual(conversation())


def test_a_device_that_is_not_let_in_gets_no_session_and_is_told():
    async def conversation():
        home = Flood(10, known=["kitchen"])
        home.admission.closed = True
        home.hello("stranger")
        home.hello("kitchen")
        assert home.admission.turned_away == ["stranger"]
        assert home.relays.state("stranger") == "offline"
        assert home.relays.state("kitchen") == "idle"

    run_virtual(conversation())


def test_a_name_that_would_write_on_the_terminal_is_made_one_plain_line():
    async def conversation():
        home = Flood(10)
        rude = {"name": "\x1b[31mred\nline", "board": "\x1b[2J\u202eboard", "firmware": "1\r0"}
        home.send("hello", {**HELLO, **rude})
        device = home.registry.get("kitchen")
        assert device.name == "red line"
        assert (device.capability.board, device.capability.firmware) == ("board", "1 0")

    run_virtual(conversation())


def test_a_hello_that_is_repeated_before_it_was_answered_keeps_its_session():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.send("hello", HELLO)
        heard = desk.devices["kitchen"].heard
        assert [each["session_id"] for each in heard if each["type"] == "hello"] == ["s1", "s1"]
        assert desk.devices["kitchen"].hub.attached == ["kitchen"]

    run_virtual(conversation())


def test_a_hello_that_says_something_else_or_comes_later_opens_a_new_session():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.send("hello", {**HELLO, "cards": "off"})
        event = {"type": "event", "name": "button", "session_id": "s2"}
        desk.send("up", event)
        desk.send("hello", {**HELLO, "cards": "off"})
        heard = desk.devices["kitchen"].heard
        sessions = [each["session_id"] for each in heard if each["type"] == "hello"]
        assert sessions == ["s1", "s2", "s3"]

    run_virtual(conversation())


def test_a_device_that_said_goodbye_and_comes_again_gets_a_new_session():
    async def conversation():
        desk = Desk()
        desk.send("hello", HELLO)
        desk.send("up", {"type": "goodbye", "session_id": "s1"})
        assert desk.relays.state("kitchen") == "offline"
        desk.send("hello", HELLO)
        assert desk.relays.state("kitchen") == "idle"
        heard = desk.devices["kitchen"].heard
        assert [each["session_id"] for each in heard if each["type"] == "hello"] == ["s1", "s2"]

    run_virtual(conversation())
