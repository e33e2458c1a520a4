"""People call devices by their wake words: real processes, real models, nothing is pressed."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy
import pytest
from together.brokers import DEFAULT
from together.home import LIMIT_S, Home, Person, at
from voxcard.assistants.offline.intents.normalise import normalise

from tools.sim import speech
from tools.sim.speech import RATE_HZ
from tools.sim.stage import orders_server

# The second assistant is known by its answer.
SECOND = """\
sentences:
  - sentences: [are you there]
    reply: "The second one is here."
"""
WORDS = {"okay_nabu": "offline", "hey_jarvis": "second"}
BEFORE_S = 1.0  # of a room before somebody speaks, in which microphones go on
ROOM = 20  # of 32768, the deviation of its noise
GATE = "the gate opens"
ECHO_DB = 12  # how much quieter than the caller a device hears itself

Sound = Callable[..., Path]


@pytest.fixture(scope="module")
def waiting(runner, tmp_path_factory) -> Iterator[Home]:
    """A home whose devices wait for two words, each of another assistant."""
    folder = tmp_path_factory.mktemp("waiting")
    (folder / "second.yaml").write_text(SECOND, encoding="utf-8")
    (over,) = DEFAULT.values()
    settings = {
        "assistant.wake": WORDS,
        "assistants.second": {"kind": "offline", "sentences": str(folder / "second.yaml")},
        "mcp.orders": orders_server(),
        "log": {"level": "debug"},
    }
    home = Home(over(folder), folder, **settings)
    try:
        runner.run(home.start())
        yield home
    finally:
        runner.run(home.stop())


@pytest.fixture
def call(runner, waiting):
    """`call(conversation, **config)` runs one with a device that waits for its word."""
    return lambda conversation, **config: runner.run(
        at(waiting, conversation, **{"wake": "on", **config})
    )


@pytest.fixture
def room(spoken, tmp_path) -> Sound:
    """`room(text, *beside, db=0)`: a sentence in a quiet room, with other sounds beside it."""

    def made(text: str, *beside: numpy.ndarray, db: float = 0) -> Path:
        voice = samples(spoken(text)) * 10 ** (-db / 20)
        parts = [numpy.concatenate([numpy.zeros(int(BEFORE_S * RATE_HZ)), voice]), *beside]
        mixed = numpy.random.default_rng(5).normal(0, ROOM, max(map(len, parts)))
        for part in parts:
            mixed[: len(part)] += part
        path = tmp_path / f"{text}-{db}.wav"
        speech.write(path, mixed.clip(-32768, 32767).astype("<i2").tobytes())
        return path

    return made


def samples(path: Path) -> numpy.ndarray:
    return numpy.frombuffer(speech.read(path)[0], "<i2").astype(float)


def lines(person: Person, words: str) -> int:
    """How many lines of the bridge's log about this device hold `words`."""
    log = person.home.log().splitlines()
    return sum(f"{person.id}" in line and words in line for line in log)


async def answer(person: Person, sound: Path) -> dict:
    """The record of the turn that a sound begins."""
    await person.device.hear(sound)
    turn = await person.turn()
    assert turn["error"] == "" and turn["frames_lost"] == 0
    return turn


def test_a_word_and_a_command_in_one_breath_are_a_turn_without_the_word(call, room):
    async def conversation(person: Person):
        turn = await answer(person, room("okay nabu, what is the volume"))
        assert (turn["kind"], normalise(turn["transcript"])) == ("voice", "what is the volume")
        assert turn["reply"] == "The volume is 70 percent."
        await person.idle()

    call(conversation)


def test_the_word_says_which_assistant_answers(call, room):
    async def conversation(person: Person):
        turn = await answer(person, room("hey jarvis, are you there"))
        assert turn["reply"] == "The second one is here."
        await person.idle()
        turn = await answer(person, room("okay nabu, what is the volume"))
        assert turn["reply"] == "The volume is 70 percent."
        await person.idle()

    call(conversation)


def test_speech_without_the_word_opens_the_gate_and_begins_nothing(call, room):
    burst = numpy.random.default_rng(7).normal(0, 4000, RATE_HZ)

    async def conversation(person: Person):
        await person.device.hear(room("set the volume to eighty", burst))
        await person.device.wait("microphone_done")
        turn = await answer(person, room("okay nabu, what is the volume"))
        assert turn["reply"] == "The volume is 70 percent."  # nobody has set it
        assert lines(person, GATE) >= 2 and lines(person, "wake word") == 1
        await person.idle()

    call(conversation)


def test_a_device_whose_person_has_not_asked_for_it_lets_nothing_out(call, room):
    async def conversation(person: Person):
        await person.device.hear(room("okay nabu, what is the volume"))
        await person.device.wait("microphone_done")
        await person.talks()
        assert lines(person, GATE) == 0

    call(conversation, wake="off")


def test_of_two_devices_the_one_that_hears_the_caller_louder_answers(runner, waiting, room):
    near, far = room("okay nabu, what is the volume"), room("okay nabu, what is the volume", db=14)

    async def conversation():
        async with (
            asyncio.timeout(LIMIT_S),
            waiting.device(wake="on") as first,
            waiting.device(wake="on") as second,
        ):
            people = Person(waiting, first), Person(waiting, second)
            for person in people:
                await person.ready()
            await second.hear(far)
            await first.hear(near)
            turn = await people[0].turn()
            assert turn["reply"] == "The volume is 70 percent."
            await people[0].idle()
            assert lines(people[1], "another device answers") == 1
            assert lines(people[1], "listening") == 0  # it never left idle
            # It is as ready as before.
            assert (await answer(people[1], near))["reply"] == "The volume is 70 percent."

    runner.run(conversation())


def test_the_word_cuts_in_while_the_device_speaks_and_hears_itself(call, room, spoken):
    own = samples(spoken("Your order is being packed. It will be with you on Monday."))

    async def conversation(person: Person):
        async with asyncio.TaskGroup() as group:
            question = group.create_task(person.ask("where is my order 1043"))
            await person.device.wait("speaker", state="start")
            echo = own * 10 ** (-ECHO_DB / 20)
            await person.device.hear(room("okay nabu, what is the volume", echo))
        assert question.result()["interrupted"]
        assert (await person.turn())["reply"] == "The volume is 70 percent."
        await person.idle()

    call(conversation, duplex="full")


def test_a_muted_microphone_hears_nothing_until_a_hand_is_on_the_device(call, room):
    async def conversation(person: Person):
        await person.call("self.microphone.set_mode", mode="off")
        before = lines(person, GATE)
        await person.device.hear(room("okay nabu, what is the volume"))
        await person.device.wait("microphone_done")
        refused = asyncio.create_task(person.call("self.microphone.set_mode", mode="wake_word"))
        await person.device.press()  # no to the question on the screen
        assert (await refused)["is_error"]
        assert (await person.status())["microphone"] == {"mode": "off"}
        assert lines(person, GATE) == before
        await person.device.hold()
        async with asyncio.timeout(10):
            while (await person.status())["microphone"] == {"mode": "off"}:
                pass
        await person.device.release()
        turn = await answer(person, room("okay nabu, what is the volume"))
        assert turn["reply"] == "The volume is 70 percent."
        await person.idle()

    call(conversation)
