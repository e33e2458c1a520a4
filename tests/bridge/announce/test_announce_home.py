"""Announcements through a whole bridge: its devices, its quiet hours, its tool."""

import asyncio
import logging
from datetime import datetime, timedelta

import pytest
from fakes.app import Bridge
from fakes.bridge import LogLines, WireDevice
from voxcard import config
from voxcard.announce.night import TRIES_MAX, NightMode
from voxcard.announce.quiet_hours import parse_hours
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import free_port


def around_now():
    """Quiet hours that began an hour ago, and the time at which they end."""
    begin, end = (datetime.now() + timedelta(hours=each) for each in (-1, 2))
    return {"quiet_hours": f"{begin:%H:%M}-{end:%H:%M}", "in_quiet_hours": "refuse"}, end


def run(conversation):
    asyncio.run(asyncio.wait_for(conversation(), 20))


def home(tmp_path, scene, **announcements):
    async def conversation():
        port = free_port("127.0.0.1")
        started = Bridge(tmp_path, port, announcements=announcements)
        async with started as bridge, WireDevice(port) as device:
            await device.until("hello")
            await scene(bridge, device)

    run(conversation)


def states(reports):
    return [(each["device"], each["state"]) for each in reports]


def test_it_is_played_where_the_device_is_and_waits_where_it_is_not(tmp_path):
    async def scene(bridge, device):
        values = {"devices": ["kitchen"], "text": "Dinner."}
        ends, reports = await bridge.request("announce", **values)
        assert states(reports) == [("kitchen", "begins"), ("kitchen", "played")]
        assert ends[0]["delivered"]
        with LogLines("voxcard.session.device_session", logging.INFO) as log:
            device.publish("status", online=False)
            while "gone" not in (await log.lines.get())[1]:
                pass
        ends, reports = await bridge.request("announce", **values, wait_s=1)
        assert states(reports) == [("kitchen", "waits"), ("kitchen", "expired")]
        ends, reports = await bridge.request("announce", **values, wait_s=0)
        assert states(reports) == [("kitchen", "refused")]
        with pytest.raises(VoxcardError, match=r"kitchen is not online\. Switch it on"):
            await bridge.request("say", device="kitchen", text="Dinner.")

    home(tmp_path, scene)


def test_quiet_hours_refuse_what_is_not_urgent_with_the_hour_of_their_end(tmp_path):
    settings, until = around_now()

    async def scene(bridge, _):
        values = {"devices": [], "text": "Dinner."}
        [end], _ = await bridge.request("announce", **values)
        assert end["state"] == "refused"
        assert end["text"] == f"kitchen has quiet hours until {until:%H:%M}."
        with pytest.raises(VoxcardError, match="has quiet hours until"):
            await bridge.request("say", device="kitchen", text="Dinner.")
        [end], _ = await bridge.request("announce", **values, urgent=True)
        assert end["state"] == "played"
        await bridge.request("say", device="kitchen", text="Dinner.", urgent=True)

    home(tmp_path, scene, **settings)


REFUSED = [
    ({"devices": ["attic"], "text": "x"}, "There is no device attic"),
    ({"devices": ["kitchen"]}, "There is nothing to announce"),
    ({"devices": ["kitchen"], "text": "…"}, "There are no words in that text"),
    ({"devices": ["kitchen"], "text": "x" * 4001}, "4000 are spoken at most"),
    ({"devices": ["kitchen"], "card": {"v": 1}}, "That is no card"),
]


def test_what_cannot_be_announced_is_refused_before_any_device_hears_it(tmp_path):
    async def scene(bridge, device):
        for values, problem in REFUSED:
            with pytest.raises(VoxcardError, match=problem):
                await bridge.request("announce", **values)
        ends, _ = await bridge.request("announce", devices=["kitchen", "kitchen"], text="x")
        assert states(ends) == [("kitchen", "played")], "once, however often it is named"

    home(tmp_path, scene)


def test_an_assistant_has_a_tool_that_names_the_devices(tmp_path):
    async def scene(bridge, device):
        bridge.app._announcing.look()
        specs, _ = await bridge.request("tool_list", device="kitchen", scope="ai")
        [spec] = [each for each in specs if each["name"] == "bridge.announce"]
        assert spec["input_schema"]["properties"]["where"]["enum"] == ["everyone", "kitchen"]
        values = {"device": "kitchen", "scope": "user", "name": "bridge.announce"}
        outcome, _ = await bridge.request(
            "tool_call", **values, arguments={"text": "Dinner.", "where": "kitchen"}
        )
        assert outcome["text"] == "It will be said there."
        outcome, _ = await bridge.request("tool_call", **values, arguments={"text": "Dinner."})
        assert outcome["is_error"] and outcome["text"].startswith("There is no other device")
        assert "Dinner." in (await device.until("tts sentence_start"))["text"]

    home(tmp_path, scene)


def test_the_configuration_has_hours_of_the_home_and_of_devices():
    settings = config.parse(
        {
            "announcements": {"quiet_hours": "22:00-07:00"},
            "devices": {"attic": {"quiet_hours": "off"}, "bath": {"quiet_hours": "20:00-06:00"}},
        },
        environ={},
    )
    assert settings.device("kitchen").quiet_hours == parse_hours("22:00-07:00")
    assert settings.device("attic").quiet_hours is None
    assert settings.device("bath").quiet_hours == parse_hours("20:00-06:00")
    for wrong in (
        {"announcements": {"quiet_hours": "late"}},
        {"devices": {"a": {"quiet_hours": "1"}}},
    ):
        with pytest.raises(VoxcardError, match=r'quiet_hours .* Write them as "22:00-07:00"'):
            config.parse(wrong, environ={})


class Switches:
    """A home of one device whose night mode is switched by the hours."""

    def __init__(self, *, works=True):
        self.at = datetime(2026, 5, 4, 21, 59)
        self.there, self.works = ["kitchen"], works
        self.switched = []
        self.tasks = []
        self.night = NightMode(
            hours=lambda device: parse_hours("22:00-07:00") if device == "kitchen" else None,
            now=lambda: self.at,
            devices=lambda: self.there,
            switch=self.switch,
            spawn=lambda work, name: self.tasks.append(asyncio.ensure_future(work)),
        )

    async def switch(self, device, on):
        self.switched.append((device, on))
        return self.works

    async def look(self, hours=0, times=1):
        self.at += timedelta(hours=hours)
        for _ in range(times):
            self.night.look()
            await asyncio.gather(*self.tasks)


def test_night_mode_is_switched_when_the_hours_begin_and_end_and_once():
    async def scene():
        home = Switches()
        await home.look(times=3)
        await home.look(hours=1, times=3)
        await home.look(hours=9, times=3)
        assert home.switched == [("kitchen", False), ("kitchen", True), ("kitchen", False)]
        home.there = []
        await home.look(hours=15, times=3)
        assert len(home.switched) == 3, "it is away"
        home.there = ["kitchen", "attic"]
        await home.look(times=3)
        assert home.switched[3:] == [("kitchen", True)]

    asyncio.run(scene())


def test_a_device_that_cannot_is_not_asked_for_ever():
    async def scene():
        home = Switches(works=False)
        await home.look(times=100)
        assert len(home.switched) == TRIES_MAX

    asyncio.run(scene())
