"""Sound files in an answer: played where they stand, and what a failing one does to the turn."""

import asyncio

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, FakeHub, run_virtual
from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    Hush,
    Media,
    NextReply,
    Sentence,
    ShowCard,
    Speech,
    Stage,
    Transcript,
)
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolOutcome

FRAME = bytes(1280)  # 40 ms
FAILS = "home does not answer. The sound is left out."


class Files:
    """A reader: `frames` of each URL's sound, then its error if it has one."""

    def __init__(self, **urls):
        self.urls = urls
        self.open = 0

    async def read(self, media):
        self.open += 1
        try:
            frames, error = self.urls[media.url]
            for _ in range(frames):
                await asyncio.sleep(0.01)
                yield Speech(pcm=FRAME, rate_hz=16000)
            if error:
                raise VoxcardError(*error)
        finally:
            self.open -= 1


def typed(*parts, **urls):
    """(the device after one turn of these parts, its record)."""

    async def turn(heard):
        yield Transcript(text="hello")
        for part in parts:
            yield part

    async def conversation():
        files = Files(**urls)
        device = FakeDevice(FakeAssistant(turn), read_media=files.read)
        device.greet()
        asked = device.relay.turns.ask(text="go", watch=lambda *_: None)
        await asyncio.gather(asked, return_exceptions=True)
        record = await device.done()
        assert device.relay.state == "idle" and files.open == 0
        return device, record

    return run_virtual(conversation())


def test_it_plays_where_it_stands_and_its_words_are_a_sentence():
    device, record = typed(
        Sentence(text="Listen."),
        Speech(pcm=FRAME * 2, rate_hz=16000),
        Media(url="bell", text="Ding dong."),
        Sentence(text="That was it."),
        Speech(pcm=FRAME, rate_hz=16000),
        bell=(5, ()),
    )
    assert [told["text"] for told in device.heard if told.get("state") == "sentence_start"] == [
        "Listen.",
        "Ding dong.",
        "That was it.",
    ]
    assert (record.frames_down, record.error) == (8, "")
    assert record.reply == "Listen. Ding dong. That was it."


def test_it_plays_while_it_comes():
    device, _ = typed(Media(url="bell"), bell=(30, ()))
    assert len(device.frames) == 30 and device.at_ms[0] < 20


@pytest.mark.parametrize("frames", [0, 5])
def test_one_that_fails_is_one_sentence_and_the_turn_goes_on_to_its_end(frames):
    device, record = typed(
        Media(url="bell", text="Ding."),
        Sentence(text="That was it."),
        Speech(pcm=FRAME, rate_hz=16000),
        Ask(),
        Done(),
        bell=(frames, ("home does not answer.", "The sound is left out.")),
    )
    said = [told["text"] for told in device.heard if told.get("state") == "sentence_start"]
    assert said == ["Ding.", "That was it.", FAILS]
    assert (record.error, device.heard[-1]["text"]) == (FAILS, FAILS)
    assert [told["listen"] for told in device.heard if told.get("state") == "stop"] == [False]


def test_of_two_that_fail_the_first_is_told():
    first, second = ("The first is away.",), ("The second is away.",)
    _, record = typed(Media(url="a"), Media(url="b"), a=(0, first), b=(0, second))
    assert record.error == "The first is away."


def test_a_fault_of_the_reader_ends_the_turn_with_an_apology():
    _, record = typed(Media(url="unknown"))
    assert record.error == "Something went wrong here. Please try again."


def test_a_turn_that_is_aborted_lets_go_of_the_sound():
    async def turn(heard):
        yield Media(url="bell", text="Ding dong ding dong.")

    async def conversation():
        files = Files(bell=(1000, ()))
        assistant = FakeAssistant(turn)
        device = FakeDevice(assistant, read_media=files.read)
        device.greet()
        asked = asyncio.create_task(device.relay.turns.ask(text="go", watch=lambda *_: None))
        await device.frame_count(10)
        device.say("abort", id="a1", seq=device.frames[4][2] << 8 | device.frames[4][3])
        await device.done()
        await asyncio.gather(asked, return_exceptions=True)
        assert assistant.cut_off[0].played_ms == 200
        await asyncio.sleep(0)
        assert files.open == 0

    run_virtual(conversation())


class Stuck(Files):
    """The sound of each URL stops coming after its frames."""

    async def read(self, media):
        async for speech in super().read(media):
            yield speech
        self.open += 1
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.open -= 1


@pytest.mark.parametrize("frames", [0, 5])
def test_hush_comes_through_at_once_while_a_sound_does_not_come(frames):
    seen = []

    async def turn(heard):
        loop = asyncio.get_running_loop()
        yield Sentence(text="Listen.")
        yield Speech(pcm=FRAME * 2, rate_hz=16000)
        yield Media(url="radio", text="A song.")
        await asyncio.sleep(1)
        began_s = loop.time()
        reply = yield Hush()
        seen.extend([reply.played_ms, loop.time() - began_s, files.open])
        yield Sentence(text="As you like.")
        yield Speech(pcm=FRAME, rate_hz=16000)

    async def conversation():
        device = FakeDevice(FakeAssistant(turn), read_media=files.read)
        device.greet()
        await device.relay.turns.ask(text="go", watch=lambda *_: None)
        record = await device.done()
        played_ms, waited_s, still_open = seen
        assert played_ms == (2 + frames) * 40 and waited_s < 0.01 and still_open == 0
        assert record.error == "" and record.reply == "Listen. A song. As you like."
        assert record.frames_down == 2 + frames + 1

    files = Stuck(radio=(frames, ()))
    run_virtual(conversation())


async def light(arguments, on_progress):
    return ToolOutcome(text="on")


def test_what_is_not_said_does_not_wait_for_a_sound_and_what_is_said_does():
    at_s = {}

    async def turn(heard):
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        yield Media(url="bell")
        for part in (
            Stage(name="after"),
            Emotion(name="happy"),
            NextReply(wait=False),
            CallTool(id="a", name="light", arguments={}),
            Transcript(text="hm", partial=True),
            ShowCard(source={"card": "One"}),
            Ask(),
        ):
            yield part
            at_s[type(part).__name__] = loop.time() - began_s
        yield Sentence(text="That was it.")
        at_s["Sentence"] = loop.time() - began_s
        yield Media(url="bell")
        yield Done()

    async def conversation():
        files = Files(bell=(30, ()))
        device = FakeDevice(FakeAssistant(turn), hub=FakeHub(light=light), read_media=files.read)
        device.greet()
        await device.relay.turns.ask(text="go", watch=lambda *_: None)
        record = await device.done()
        assert at_s.pop("Sentence") == pytest.approx(0.3) and set(at_s.values()) == {0.0}
        assert record.frames_down == 60 and files.open == 0

    run_virtual(conversation())


def test_a_bridge_that_plays_no_files_says_so():
    async def turn(heard):
        yield Media(url="bell")

    async def conversation():
        device = FakeDevice(FakeAssistant(turn))
        device.greet()
        with pytest.raises(VoxcardError, match="Sound files are not played here"):
            await device.relay.turns.ask(text="go", watch=lambda *_: None)

    run_virtual(conversation())
