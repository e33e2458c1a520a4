"""The parts that run on this computer, with the models that are shipped: no stand-ins."""

import asyncio

import pytest
from fakes import pipeline_home, speech
from fakes.pipeline_servers import HttpServer, chats
from voxcard import audio
from voxcard.assistants import Done, EndOfSpeech, Heard, Sentence, Speech, Transcript
from voxcard.assistants.offline.speech.voices import PiperVoice
from voxcard.assistants.pipeline.assistant import Pipeline
from voxcard.errors import VoxcardError

from tools.bench import offline

LIMIT_S = 120


def run(conversation):
    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def as_heard(text):
    """`text` as a microphone hears it, the same in every run, without silence around it."""
    voice = PiperVoice(steady=True)
    voice.load()
    return offline.speech(voice, text)


def test_the_voice_speaks_and_the_recogniser_understands_it_over_a_pause():
    async def conversation():
        async with HttpServer(chats("I took a photo of the garden.")) as chat:
            assistant = Pipeline("mine", pipeline_home.settings(chat.url, "local", "local"))
            await asyncio.to_thread(assistant.check)
            await assistant.start()
            try:
                talk = assistant.conversation(pipeline_home.place, list)
                first, second = as_heard("What is the capital"), as_heard("of France?")
                pcm = bytes(16_000) + first + bytes(32 * 350) + second + bytes(64_000)
                turn = talk.turn(Heard(audio=speech.microphone(pcm)))
                parts = [part async for part in turn]
                (heard,) = [part.text for part in parts if isinstance(part, Transcript)]
                assert "capital" in heard and "France" in heard
                (end,) = [part for part in parts if isinstance(part, EndOfSpeech)]
                assert end.end_ms > (len(first) + 16_000) / 32 + 350
                assert Sentence(text="I took a photo of the garden.") in parts
                spoken = [part for part in parts if isinstance(part, Speech)]
                assert sum(len(part.pcm) / 2 / part.rate_hz for part in spoken) > 1.0
                assert parts[-1] == Done()
                # What it said says so to the same ears.
                pcm = b"".join(part.pcm for part in spoken)
                pcm = audio.resample(pcm, spoken[0].rate_hz, 16000)
                engine = assistant._running()
                again = await engine.transcriber.transcribe(speech.microphone(pcm), "en")
                assert "photo" in again and "garden" in again
            finally:
                await assistant.stop()
                await assistant.stop()

    run(conversation)


def test_silence_and_noise_are_no_words_to_the_recogniser():
    async def conversation():
        assistant = Pipeline("mine", pipeline_home.settings("http://a/v1", "local", "local"))
        await assistant.start()
        try:
            transcriber = assistant._running().transcriber
            assert await transcriber.transcribe(speech.microphone(b""), "en") == ""
            assert await transcriber.transcribe(speech.microphone(bytes(64_000)), "en") == ""
        finally:
            await assistant.stop()

    run(conversation)


@pytest.mark.parametrize(
    ("key", "value", "names"),
    [("stt_model", "/nowhere", "/nowhere"), ("voice", "/nowhere/x.onnx", "/nowhere/x.onnx")],
)
def test_a_model_that_is_not_there_is_said_before_anything_starts(key, value, names):
    settings = pipeline_home.settings("http://a/v1", "local", "local", **{key: value})
    with pytest.raises(VoxcardError) as caught:
        Pipeline("mine", settings).check()
    assert names in str(caught.value) and caught.value.remedy
