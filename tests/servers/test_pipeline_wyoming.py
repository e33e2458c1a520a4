"""The pipeline with real Wyoming servers: wyoming-faster-whisper and wyoming-piper."""

import asyncio
from contextlib import aclosing

from fakes import speech
from fakes.pipeline_home import Home, place, settings, texts
from fakes.pipeline_servers import HttpServer, called, chats
from voxcard import audio
from voxcard.assistants import (
    CallTool,
    EndOfSpeech,
    Heard,
    NextReply,
    Speech,
    ToolReply,
    Transcript,
)
from voxcard.assistants.pipeline.assistant import Pipeline
from voxcard.toolhub.model import ToolSpec

LIMIT_S = 120
SILENCE = bytes(32_000)  # 1 s
PHOTO = ToolSpec(name="self.camera.take_photo", description="", input_schema={}, source="device")


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


async def said(assistant, text):
    """`text` as the voice says it: pcm16 at 16 kHz between silences."""
    return SILENCE + heard_again([part async for part in assistant.say(text, "en")]) + SILENCE


def heard_again(parts):
    """What was spoken, as a microphone hears it."""
    spoken = [part for part in parts if isinstance(part, Speech)]
    return audio.resample(b"".join(part.pcm for part in spoken), spoken[0].rate_hz, 16000)


async def answered(turn):
    """The parts of a turn whose one call is answered."""
    call_id, reply = "", None
    while True:
        try:
            part = await turn.asend(reply)
        except StopAsyncIteration:
            return
        yield part
        reply = None
        if isinstance(part, CallTool):
            call_id = part.id
        elif isinstance(part, NextReply) and call_id:
            call_id, reply = "", ToolReply(text="Taken.", id=call_id)


def test_a_question_is_heard_a_tool_called_and_the_answer_spoken_by_real_servers(whisper, piper):
    async def conversation():
        scripts = (
            chats(*called("self_camera_take_photo", "{}")),
            chats("I took a photo. It is on the screen, Dr. Smith."),
        )
        async with HttpServer(*scripts) as chat:
            assistant = Pipeline("mine", settings(chat.url, whisper, piper, limit_s=60))
            await assistant.start()
            try:
                talk = assistant.conversation(place, lambda: [PHOTO])
                pcm = await said(assistant, "Please take a photo of the garden.")
                turn = talk.turn(Heard(audio=speech.microphone(pcm)))
                parts = [part async for part in answered(turn)]
                heard = next(part.text for part in parts if isinstance(part, Transcript))
                assert heard == "Please take a photo of the garden."
                end = next(part for part in parts if isinstance(part, EndOfSpeech))
                assert abs(end.end_ms - (len(pcm) // 32 - 1000)) < 300
                assert texts(parts) == [
                    "I took a photo.",
                    "It is on the screen, Dr. Smith.",
                ]
                # What was spoken says so to other ears, to its last word.
                back = talk.turn(Heard(audio=speech.microphone(heard_again(parts)), held=True))
                async with aclosing(back):
                    while not isinstance(part := await anext(back), Transcript):
                        pass
                assert "took a photo" in part.text.lower() and "Smith" in part.text
            finally:
                await assistant.stop()

    run(conversation)


def test_a_sentence_of_two_is_one_synthesis_with_all_of_its_sound(piper):
    async def conversation():
        async with Home("http://127.0.0.1:1/v1", piper, piper) as home:
            one = await said(home.assistant, "It is sunny.")
            speaker = home.assistant._running().speaker
            both = b""
            async for part in speaker.speak("It is sunny. It is sunny.", "en"):
                both += part.pcm
            # The server ends the sound of each sentence by an audio-stop of its own.
            assert len(both) / 44.1 > 1.5 * (len(one) / 32 - 2000)

    run(conversation)
