"""The Realtime back end with the server of speech-to-speech, whose models alone are scripted."""

import asyncio

from fakes.realtime_home import (
    LOUD,
    QUIET,
    Home,
    OpenMicrophone,
    sound_ms,
    texts,
)
from voxcard.assistants import (
    CallTool,
    Done,
    EndOfSpeech,
    Heard,
    HeardReply,
    Speech,
    ToolReply,
    Transcript,
)


def run(conversation):
    async def limited():
        async with asyncio.timeout(60):
            await conversation()

    asyncio.run(limited())


async def ask_aloud(home):
    """Speak, and answer the call of the model; the microphone stays open until it is heard."""
    talk = OpenMicrophone()
    talk.say((QUIET, 320), (LOUD, 640), (QUIET, 800))
    seen, turn, reply, call_id = [], home.conversation.turn(Heard(audio=talk)), None, ""
    while True:
        try:
            part = await turn.asend(reply)
        except StopAsyncIteration:
            return seen
        seen.append(part)
        reply = None
        if isinstance(part, EndOfSpeech):
            talk.close()
        elif isinstance(part, CallTool):
            call_id = part.id
        elif type(part).__name__ == "NextReply" and call_id:
            reply, call_id = ToolReply(text="on now", id=call_id), ""


def test_a_typed_question_is_answered(speech_to_speech):
    async def conversation():
        async with Home(speech_to_speech) as home:
            seen = await home.ask("good morning")
            assert texts(seen) == ["Hello."] and seen[-1] == Done()
            assert sound_ms(seen) == 240  # six letters of 40 ms

    run(conversation)


def test_a_spoken_sentence_is_written_down_its_tool_runs_and_its_output_is_said(speech_to_speech):
    async def conversation():
        async with Home(speech_to_speech) as home:
            seen = await ask_aloud(home)
            (call,) = [part for part in seen if isinstance(part, CallTool)]
            assert (call.name, call.arguments) == ("home.light", {"on": True})
            assert Transcript(text="switch the light on") in seen
            assert texts(seen) == ["It said on now."] and seen[-1] == Done()
            assert sound_ms(seen) == 15 * 40
            # The same session again: it heard to the end of the first question.
            assert texts(await ask_aloud(home)) == ["It said on now."]

    run(conversation)


def test_an_answer_that_is_cut_off_leaves_a_session_that_works(speech_to_speech):
    async def conversation():
        async with Home(speech_to_speech) as home:
            async for part in (turn := home.conversation.turn(Heard(text="good morning"))):
                if isinstance(part, Speech):
                    break
            await turn.aclose()
            home.conversation.interrupted(HeardReply(text="Hel", played_ms=80))
            assert texts(await home.ask("once more")) == ["Hello."]

    run(conversation)
