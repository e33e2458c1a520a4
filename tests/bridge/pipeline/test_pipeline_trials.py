"""A pause is transcribed on trial: at the end of a sentence its transcript is there already."""

import asyncio

import pytest
from fakes import speech
from fakes.pipeline_home import Home, texts
from fakes.pipeline_servers import HttpServer, WyomingServer, chats
from voxcard.assistants import EndOfSpeech, Heard, Sentence, Transcript
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.pipeline.speech.trials import TRIALS_MAX, Trials
from voxcard.config import Server

LIMIT_S = 20
SUBJECT = Subject("The server", "key", Server(url="http://a"))


class Transcripts:
    """A transcriber that writes down how many bytes it heard; it answers when it is let."""

    def __init__(self):
        self.calls = []  # bytes of each transcription whose audio ended
        self.open = 0
        self.may = asyncio.Event()
        self.problem = None
        self.enough = 0  # bytes after which it has heard an end itself; 0: never

    async def transcribe(self, audio, locale):
        self.open += 1
        try:
            heard = b""
            async for piece in audio:
                heard += piece
                if self.enough and len(heard) >= self.enough:
                    return f"{len(heard)} heard"
            self.calls.append(heard)
            if self.problem:
                raise self.problem
            await self.may.wait()
            return f"{len(heard)} {locale}"
        finally:
            self.open -= 1


def run(scene):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            server = Transcripts()
            trials = Trials(server, "en")
            try:
                await scene(server, trials)
            finally:
                await trials.stop()
            assert server.open == 0

    asyncio.run(limited())


async def settle():
    """Let every task run until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_the_transcript_of_a_pause_that_was_the_end_is_there():
    async def scene(server, trials):
        trials.hear(b"12", pausing=False)
        trials.hear(b"34", pausing=True)
        server.may.set()
        await settle()
        assert server.calls == [b"1234"]
        trials.hear(b"..", pausing=True)  # silence: the server is not asked for it
        assert await trials.text() == "4 en" and server.calls == [b"1234"]

    run(scene)


def test_who_speaks_on_is_heard_from_the_first_word():
    async def scene(server, trials):
        trials.hear(b"12", pausing=True)
        await settle()
        trials.hear(b"--", pausing=True)
        trials.hear(b"34", pausing=False)
        server.may.set()
        assert await trials.text() == "6 en"
        assert server.calls == [b"12", b"12--34"]

    run(scene)


def test_the_pauses_of_a_halting_speaker_are_not_all_tried():
    async def scene(server, trials):
        for _ in range(TRIALS_MAX + 4):
            trials.hear(b"aa", pausing=False)
            trials.hear(b"bb", pausing=True)
            await settle()
        assert len(server.calls) == TRIALS_MAX
        server.may.set()
        assert await trials.text() == f"{(TRIALS_MAX + 4) * 4} en"

    run(scene)


def test_nothing_said_asks_nobody():
    async def scene(server, trials):
        assert not trials.over and await trials.text() == "" and server.calls == []

    run(scene)


def test_a_failed_trial_is_known_at_once():
    async def scene(server, trials):
        server.problem = SUBJECT.away()
        trials.hear(b"12", pausing=True)
        await settle()
        assert trials.over
        with pytest.raises(ServerProblem):
            await trials.text()

    run(scene)


def test_a_server_that_hears_the_end_itself_is_believed():
    async def scene(server, trials):
        server.enough = 4
        trials.hear(b"1234", pausing=False)
        await settle()
        assert trials.over and await trials.text() == "4 heard"

    run(scene)


def question(*pauses_ms):
    """Loud stretches of 640 ms with pauses between them, and silence around."""
    stretches = [(speech.QUIET, 320), (speech.LOUD, 640)]
    for pause in pauses_ms:
        stretches += [(speech.QUIET, pause), (speech.LOUD, 640)]
    return speech.audio(*stretches, (speech.QUIET, 2016))


async def heard_over(home, pcm, **more):
    turn = home.conversation.turn(Heard(audio=speech.microphone(pcm), **more))
    return [part async for part in turn]


@pytest.mark.parametrize(
    ("policy", "pause_ms", "whole"),
    [
        ("aggressive", 320, True),
        ("aggressive", 448, False),
        ("default", 448, True),
        ("default", 736, False),
        ("relaxed", 1248, True),
        ("relaxed", 1376, False),
    ],
)
def test_a_policy_says_which_pause_ends_the_sentence(policy, pause_ms, whole):
    async def conversation():
        async with (
            HttpServer(chats("Yes.")) as chat,
            WyomingServer("is it on") as server,
            Home(chat.url, server.url, server.url, end_of_speech=policy) as home,
        ):
            parts = await heard_over(home, question(pause_ms))
            end = next(part for part in parts if isinstance(part, EndOfSpeech))
            assert (end.end_ms == 320 + 640 + pause_ms + 640) is whole
            assert Transcript(text="is it on") in parts

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def test_a_wyoming_server_hears_a_resumed_sentence_from_its_beginning():
    async def conversation():
        async with (
            HttpServer(chats("Yes.")) as chat,
            WyomingServer("is it on") as server,
            Home(chat.url, server.url, server.url) as home,
        ):
            pcm = question(320)
            parts = await heard_over(home, pcm)
            assert texts(parts) == ["Yes."]
            kinds = [kind for kind, _ in server.events]
            # Once on trial in the pause between, once in that at the end.
            assert kinds.count("transcribe") == kinds.count("audio-stop") == 2
            loud = bytes(server.audio).count(speech.LOUD[:512])
            one = speech.audio((speech.LOUD, 640)).count(speech.LOUD[:512])
            assert loud == 3 * one

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def test_soft_words_of_a_held_button_are_transcribed():
    async def conversation():
        soft = bytes(each if at % 2 == 0 else each // 5 for at, each in enumerate(speech.LOUD))
        async with (
            HttpServer(chats("Yes.")) as chat,
            WyomingServer("is it on") as server,
            Home(chat.url, server.url, server.url) as home,
        ):
            tail = bytes(1024) * 12 + soft * 20
            pcm = speech.audio((speech.QUIET, 320), (speech.LOUD, 640)) + tail
            await heard_over(home, pcm, held=True)
            assert bytes(server.audio).endswith(tail)

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def test_an_excuse_is_in_the_language_of_the_turn():
    async def conversation():
        async with (
            HttpServer(chats("Nie.")) as chat,
            WyomingServer("[Musik]") as server,
            Home(chat.url, server.url, server.url) as home,
        ):
            parts = await heard_over(home, question(), locale="de-CH")
            excused = "Das habe ich leider nicht verstanden."
            assert Sentence(text=excused, excuse=True) in parts
            silent = await heard_over(home, bytes(9000 * 32), locale="nl")
            assert texts(silent) == ["Ik heb niets gehoord."]

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))
