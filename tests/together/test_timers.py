"""Timers in a whole home: they ring with the bridge and the broker gone, and after a power cut."""

import asyncio
import wave

from together.brokers import Iotcore
from together.home import Home, Person

RING_S = 20.0


def own_home(runner, tmp_path, conversation):
    """A home whose broker and bridge a conversation may end."""

    async def run():
        home = Home(Iotcore(tmp_path / "broker"), tmp_path)
        try:
            await home.start()
            person = Person(home, home.device())
            await person.device.start()
            await person.ready("self.timer.start")
            try:
                await asyncio.wait_for(conversation(person), 120)
            finally:
                await person.device.kill()
        finally:
            await home.stop()

    runner.run(run())


def loudest(device):
    with wave.open(str(device.speaker)) as file:
        pcm = file.readframes(file.getnframes())
    return max((abs(each) for each in memoryview(pcm).cast("h")), default=0)


async def timers_of(person):
    rows = await person.bridge.request("devices")
    return next(row["timers"] for row in rows if row["id"] == person.id)


async def rings(device, ringing=True):
    await device.wait("timers", RING_S, ringing=ringing)


def test_a_timer_rings_with_bridge_and_broker_killed_while_it_rings(runner, tmp_path):
    async def conversation(person):
        home, device = person.home, person.device
        record = await person.ask("set a pizza timer for four seconds")
        assert record["reply"] == "The pizza timer is set for 4 seconds."
        await rings(device)
        assert (await person.happening("timer"))["text"] == "rings: pizza"
        await home.bridge.stop()
        await home.broker.stop()
        await device.wait("state", RING_S, state="offline")
        samples = (await device.wait("speaker", RING_S, state="stop"))["samples"]
        again = await device.wait("speaker", RING_S, state="stop")
        assert again["samples"] > samples, "it goes on"
        await device.press()
        await rings(device, False)
        assert loudest(device) > 1000
        assert not (device.folder / "timers.json").exists()

    own_home(runner, tmp_path, conversation)


def test_a_timer_that_was_set_rings_without_bridge_and_broker(runner, tmp_path):
    async def conversation(person):
        await person.ask("set a timer for six seconds")
        await person.home.bridge.stop()
        await person.home.broker.stop()
        await rings(person.device)
        await person.device.press(ms=1000)
        await rings(person.device, False)

    own_home(runner, tmp_path, conversation)


def test_a_power_cut_takes_no_timer_and_a_press_that_silences_is_no_turn(talk):
    async def conversation(person):
        device = person.device
        await person.ask("set a timer for eight seconds called tea")
        await person.ask("set a timer for an hour called roast")
        await device.kill()
        device.skip("state")
        await device.start()
        await person.ready("self.timer.start")
        assert [line.split(":")[0] for line in await timers_of(person)] == [
            "tea timer",
            "roast timer",
        ]
        await rings(device)
        device.skip("state")
        await device.press()
        await rings(device, False)
        record = await person.ask("how long is left")
        assert record["reply"].startswith("The roast timer has 5")
        states = [each["state"] for each in device.reports if each["event"] == "state"]
        assert "listening" not in states

    talk(conversation)


def test_without_a_clock_after_a_power_cut_the_bridge_puts_it_right(talk):
    async def conversation(person):
        await person.ask("set a timer for an hour")
        device = person.device
        await device.kill()
        await asyncio.sleep(3)
        device.config = {**device.config, "clock": None}
        device.skip("state")
        await device.start()
        await person.ready("self.timer.start")
        (line,) = await timers_of(person)
        assert line.startswith("1 hour timer: 59 min"), line

    talk(conversation)


def test_each_by_its_name_all_of_them_and_the_bridges_copy(talk):
    async def conversation(person):
        await person.ask("set a pizza timer for twenty minutes")
        await person.ask("set an egg timer for ten minutes")
        assert len(await timers_of(person)) == 2
        assert (await person.ask("pause the pizza timer"))["reply"].startswith(
            "The pizza timer is paused with 19 minutes"
        )
        assert (await person.ask("add two minutes to the egg timer"))["reply"].startswith(
            "The egg timer has 11 minutes"
        )
        assert (await timers_of(person))[0].endswith("left, paused")
        assert (await person.ask("cancel all timers"))["reply"] == "2 timers cancelled."
        assert await timers_of(person) == []
        assert (await person.ask("cancel the timer"))["reply"] == "There is no timer."

    talk(conversation)


def test_a_reminder_is_shown_and_spoken_and_stopped_by_word(talk):
    async def conversation(person):
        await person.ask("remind me in three seconds to turn the roast")
        await rings(person.device)
        told = await person.happening("timer")
        assert told["text"] == "rings: turn the roast"
        await person.device.wait("state", RING_S, state="speaking")
        assert (await person.turn())["reply"] == "turn the roast"
        await person.idle()
        assert (await person.ask("stop"))["reply"] == "Okay."
        await rings(person.device, False)

    talk(conversation)
