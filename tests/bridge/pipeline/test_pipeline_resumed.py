"""A speaker who goes on before the answer began: the whole sentence is answered."""

import asyncio

import pytest
from fakes import speech
from fakes.pipeline_home import Home, texts
from fakes.pipeline_servers import HttpServer, WyomingServer, called, chats, silence
from voxcard.assistants import (
    HEAR_ON_MS,
    CallTool,
    Done,
    EndOfSpeech,
    Heard,
    Resumed,
    Sentence,
    Speech,
    Stage,
    ToolReply,
    Transcript,
)
from voxcard.assistants.pipeline.reopening import Reopening

FIRST = speech.audio((speech.QUIET, 320), (speech.LOUD, 640), (speech.QUIET, 736))
SECOND = speech.audio((speech.LOUD, 640), (speech.QUIET, 2016))


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(limited())


async def said(*stretches):
    """Audio whose stretches wait for what stands before them."""
    for each in stretches:
        if isinstance(each, bytes):
            async for frame in speech.microphone(each):
                yield frame
        else:
            await each()


def kinds(parts):
    return [type(part) for part in parts if not isinstance(part, Speech | Stage)]


async def all_parts(home, audio, *, held=False, on_part=lambda part: None):
    parts, turn, reply = [], home.conversation.turn(Heard(audio=audio, held=held)), None
    while True:
        try:
            part = await turn.asend(reply)
        except StopAsyncIteration:
            return parts
        reply = ToolReply(text="on", id=part.id) if isinstance(part, CallTool) else None
        parts.append(part)
        on_part(part)


def test_the_whole_sentence_is_transcribed_and_asked_and_nothing_else_is_remembered():
    async def conversation():
        asked = asyncio.Event()

        async def slow(request):
            voice.transcript = "turn on the light and the lamp"
            voice.audio.clear()
            asked.set()
            async for piece in silence(request):
                yield piece

        scripts = slow, chats("Both are on."), chats("Yes.")
        async with WyomingServer("turn on the light") as voice, HttpServer(*scripts) as chat:
            async with Home(chat.url, voice.url, voice.url) as home:
                parts = await all_parts(home, said(FIRST, asked.wait, SECOND))
                assert kinds(parts) == [
                    EndOfSpeech, Transcript, Resumed, EndOfSpeech, Transcript, Sentence, Done,
                ]  # fmt: skip
                assert [each.hears_on for each in parts if isinstance(each, EndOfSpeech)] == [
                    True, True,
                ]  # fmt: skip
                assert parts[1].text == "turn on the light"
                assert parts[4].text == "turn on the light and the lamp"
                assert texts(parts) == ["Both are on."]
                # From the first word: both halves and the pause between them.
                assert len(voice.audio) >= (640 + 736 + 640) * 32
                await home.ask("is it on")
            first, second, third = (each.json["messages"][1:] for each in chat.requests)
            assert first == [{"role": "user", "content": "turn on the light"}]
            assert second == [{"role": "user", "content": "turn on the light and the lamp"}]
            assert [each["content"] for each in third] == [
                "turn on the light and the lamp", "Both are on.", "is it on",
            ]  # fmt: skip

    run(conversation)


@pytest.mark.parametrize("deltas", [["It is on."], called("home_light", "{}")])
def test_who_goes_on_after_the_answer_began_is_not_heard(deltas):
    async def conversation():
        began = asyncio.Event()

        def on_part(part):
            if isinstance(part, Sentence | CallTool):
                began.set()

        scripts = chats(*deltas), chats("Yes.")
        async with (
            WyomingServer("is it on") as voice,
            HttpServer(*scripts) as chat,
            Home(chat.url, voice.url, voice.url) as home,
        ):
            audio = said(FIRST, began.wait, SECOND)
            parts = await all_parts(home, audio, on_part=on_part)
        assert Resumed not in kinds(parts) and kinds(parts).count(EndOfSpeech) == 1
        assert isinstance(parts[-1], Done)

    run(conversation)


def test_a_button_that_was_let_go_ends_the_sentence_for_good():
    async def conversation():
        async with (
            WyomingServer("is it on") as voice,
            HttpServer(chats("Yes.")) as chat,
            Home(chat.url, voice.url, voice.url) as home,
        ):
            parts = await all_parts(home, said(FIRST), held=True)
        assert parts[0].hears_on is False and Resumed not in kinds(parts)

    run(conversation)


def test_what_comes_later_than_the_microphone_hears_on_is_not_heard():
    async def conversation():
        late = FIRST + speech.audio((speech.QUIET, HEAR_ON_MS)) + SECOND

        async def slow(request):
            await asyncio.sleep(0.2)
            async for piece in chats("Yes.")(request):
                yield piece

        async with (
            WyomingServer("is it on") as voice,
            HttpServer(slow) as chat,
            Home(chat.url, voice.url, voice.url) as home,
        ):
            parts = await all_parts(home, said(late))
        assert Resumed not in kinds(parts) and texts(parts) == ["Yes."]

    run(conversation)


async def rest(times):
    for _ in range(times):
        await asyncio.sleep(0)


def answer(resumes_after, part_after, part):
    """(parts, whether it was taken back, how the answer ended) of a race in turns of the loop."""

    async def race():
        ended = []

        async def goes_on():
            await rest(resumes_after)
            return True

        async def parts():
            try:
                yield Transcript(text="a")
                await rest(part_after)
                yield part
                await rest(20)
                yield Done()
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise
            finally:
                ended.append("closed")

        reopening = Reopening(goes_on)
        passed = [type(each) async for each in reopening.parts(parts())]
        return passed, reopening.resumed, ended

    return asyncio.run(race())


def test_the_first_of_both_wins():
    sentence = Sentence(text="Yes.")
    assert answer(10, 1, sentence) == ([Transcript, Sentence, Done], False, ["closed"])
    assert answer(1, 10, sentence) == ([Transcript], True, ["cancelled", "closed"])
    assert answer(8, 1, Stage(name="first_token")) == (
        [Transcript, Stage], True, ["cancelled", "closed"],
    )  # fmt: skip


def test_a_failure_of_the_answer_is_not_taken_for_a_speaker_who_goes_on():
    async def fails():
        yield Transcript(text="a")
        raise TimeoutError("the server's")

    async def never():
        await asyncio.get_running_loop().create_future()
        return True

    async def conversation():
        reopening = Reopening(never)
        with pytest.raises(TimeoutError, match="the server's"):
            async for _ in reopening.parts(fails()):
                pass
        assert not reopening.resumed

    run(conversation)


def test_ears_that_fail_leave_the_answer_alone():
    async def broken():
        raise OSError("no model")

    async def conversation():
        async def parts():
            yield Transcript(text="a")
            await rest(5)
            yield Done()

        reopening = Reopening(broken)
        assert [type(part) async for part in reopening.parts(parts())] == [Transcript, Done]
        assert not reopening.resumed

    run(conversation)
