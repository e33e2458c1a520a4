"""Turns that the assistant begins by itself: when they run, what becomes of those that fail."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, LogLines, run_virtual
from voxcard.assistants import Ask, Begun, Done, Failed, Sentence, Speech, Transcript
from voxcard.errors import VoxcardError
from voxcard.session.begun_turns import AGAIN_S, WAITING_MAX

FRAME = bytes(1280)  # 40 ms


def says(text, *more, frames=25):
    async def turn():
        yield Sentence(text=text)
        yield Speech(pcm=FRAME * frames, rate_hz=16000)
        for part in more:
            yield part

    return turn


class Reminds(FakeAssistant):
    """Begins what is put into its queue, for as long as the device is there."""

    def __init__(self, *turns):
        super().__init__(*turns)
        self.queue = asyncio.Queue()
        self.listeners = 0

    async def begun(self):
        self.listeners += 1
        try:
            while True:
                yield await self.queue.get()
        finally:
            self.listeners -= 1

    def begin(self, turn, *, urgent=False):
        self.queue.put_nowait(Begun(open=turn, urgent=urgent))


def home(scene, *turns):
    """Run `scene(device, assistant)`; afterwards the device is idle and nothing is left."""

    async def conversation():
        assistant = Reminds(*turns)
        device = FakeDevice(assistant)
        device.greet()
        await scene(device, assistant)
        device.relay.gone("It is switched off.")
        for _ in range(5):
            await asyncio.sleep(0)
        assert assistant.listeners == 0 and device.relay.state == "offline"
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return device

    return run_virtual(conversation())


def sentences(device):
    return [told["text"] for told in device.heard if told.get("state") == "sentence_start"]


async def answers(heard):
    yield Transcript(text="hello")
    yield Sentence(text="Good day.")
    yield Speech(pcm=FRAME * 25, rate_hz=16000)
    yield Done()


def test_a_turn_of_its_own_runs_on_an_idle_device():
    async def scene(device, assistant):
        assistant.begin(says("The eggs are done."))
        record = await device.done()
        assert (record.kind, record.reply, record.error) == ("begun", "The eggs are done.", "")
        assert device.told()[1:] == [
            f"turn {record.turn} thinking",
            "tts start",
            "tts sentence_start The eggs are done.",
            "tts stop",
            f"turn {record.turn} done",
        ]

    home(scene)


def test_it_may_end_in_a_question():
    async def scene(device, assistant):
        assistant.begin(says("Shall I wake you again?", Ask()))
        await device.done()
        assert [told["listen"] for told in device.heard if told.get("state") == "stop"] == [True]

    home(scene)


def test_it_waits_for_the_running_turn_and_keeps_the_order_of_what_waits():
    async def scene(device, assistant):
        first = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
        await device.until("tts start")
        assistant.begin(says("First."))
        await asyncio.sleep(0.1)
        said = asyncio.create_task(device.relay.turns.say("Second."))
        await asyncio.sleep(0.1)
        assistant.begin(says("Third."))
        await device.done(4)
        await asyncio.gather(first, said)
        assert sentences(device) == ["Good day.", "First.", "Second.", "Third."]

    home(scene, answers)


def test_one_that_waits_is_not_lost_however_long_the_turn_before_takes():
    async def slow(heard):
        await asyncio.sleep(50)
        yield Sentence(text="At last.")
        yield Speech(pcm=FRAME * 25 * 30, rate_hz=16000)

    async def scene(device, assistant):
        first = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
        assistant.begin(says("Still here."))
        await device.done(2)
        await first
        assert sentences(device) == ["At last.", "Still here."]

    home(scene, slow)


def test_an_urgent_one_ends_the_running_turn_at_once():
    async def scene(device, assistant):
        asked = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
        await device.frame_count(6)
        assistant.begin(says("Smoke in the kitchen!"), urgent=True)
        first = await device.done(1)
        second = await device.done(2)
        assert (first.kind, second.kind) == ("text", "begun") and first.frames_down < 10
        told = device.told()
        assert told.index(f"turn {first.turn} done") < told.index(f"turn {second.turn} thinking")
        with pytest.raises(VoxcardError, match="Something urgent came first"):
            await asked

    home(scene, answers)


def test_an_urgent_one_ends_an_announcement_and_what_waits_comes_after_it():
    async def scene(device, assistant):
        async def long(text, locale):
            yield Speech(pcm=FRAME * 100, rate_hz=16000)

        assistant.say = long
        said = asyncio.create_task(device.relay.turns.say("A long story."))
        await device.frame_count(6)
        assistant.begin(says("Later."))
        await asyncio.sleep(0)
        assistant.begin(says("Smoke!"), urgent=True)
        await device.done(3)
        assert sentences(device) == ["A long story.", "Smoke!", "Later."]
        # The device knows of no turn in an announcement.
        assert (await device.until("tts stop"))["cut"] is True
        with pytest.raises(VoxcardError, match="urgent"):
            await said

    home(scene)


def test_an_urgent_one_lets_another_urgent_one_speak():
    async def scene(device, assistant):
        for text in ("Smoke!", "Water!"):
            assistant.begin(says(text), urgent=True)
        await device.done(2)
        assert [record.frames_down for record in device.records] == [25, 25]

    home(scene)


def test_a_person_who_speaks_ends_it():
    async def scene(device, assistant):
        assistant.begin(says("A long story.", frames=100))
        await device.frame_count(6)
        device.say("abort", id="b1", seq=device.frames[2][2] << 8 | device.frames[2][3])
        device.say("listen", id="t1", state="start", seq=100)
        first = await device.done(1)
        await device.done(2)
        assert first.interrupted and assistant.cut_off[0].played_ms == 120

    home(scene, answers)


@pytest.mark.parametrize("fault", ["open", "raises", "failed", "refuses"])
def test_one_that_fails_ends_itself_alone(fault):
    def breaks():
        raise RuntimeError("no such reminder")

    async def raises():
        raise RuntimeError("no such reminder")
        yield Done()

    async def refuses():
        raise VoxcardError("The calendar is away.", "Start it.")
        yield Done()

    async def failed():
        yield Failed(message="The calendar is away.")

    async def scene(device, assistant):
        begin = {"open": breaks, "raises": raises, "failed": failed, "refuses": refuses}[fault]
        assistant.begin(begin)
        assistant.begin(says("The eggs are done."))
        first, second = await device.done(1), await device.done(2)
        broken = "Something went wrong here. Please try again."
        away = "The calendar is away." + " Start it." * (fault == "refuses")
        assert first.error == (broken if fault in ("open", "raises") else away)
        assert (second.reply, second.error) == ("The eggs are done.", "")

    home(scene)


def test_an_assistant_whose_list_fails_is_asked_again():
    class Fails(Reminds):
        calls = 0

        async def begun(self):
            self.calls += 1
            if self.calls == 1:
                raise RuntimeError("the server is away")
            async for each in super().begun():
                yield each

    async def conversation():
        assistant = Fails()
        device = FakeDevice(assistant)
        with LogLines("voxcard"):
            device.greet()
            await asyncio.sleep(AGAIN_S + 1)
        assistant.begin(says("The eggs are done."))
        assert (await device.done()).reply == "The eggs are done."
        await device.relay.close()

    run_virtual(conversation())


def test_the_assistant_waits_with_more_than_a_few():
    async def scene(device, assistant):
        for _ in range(WAITING_MAX + 4):
            assistant.begin(says("Ding.", frames=250))
        await device.until("tts start")
        assert assistant.queue.qsize() == 3  # one is in the assistant's hands
        device.relay.gone("It is switched off.")

    home(scene)


def test_a_new_hello_listens_on_and_one_after_the_device_was_gone_listens_again():
    async def scene(device, assistant):
        await asyncio.sleep(0)
        device.greet()
        await asyncio.sleep(0)
        assert assistant.listeners == 1
        device.relay.gone("It is switched off.")
        await asyncio.sleep(0.1)
        assert assistant.listeners == 0
        device.greet()
        await asyncio.sleep(0.1)
        assert assistant.listeners == 1

    home(scene)


def test_an_assistant_that_begins_nothing_is_asked_once():
    async def conversation():
        assistant = FakeAssistant()
        device = FakeDevice(assistant)
        device.greet()
        await asyncio.sleep(100)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtual(conversation())
