"""The pipeline with a real language model behind llama.cpp's own server, and real speech servers.

SmolLM2-135M calls no tools: those are asked of stand-ins (tests/bridge/pipeline).
"""

import asyncio

from fakes import speech
from fakes.pipeline_home import TOOLS, place, settings, texts
from voxcard import audio
from voxcard.assistants import Done, Failed, Heard, HeardReply, Speech, Transcript
from voxcard.assistants.pipeline.assistant import Pipeline
from voxcard.assistants.pipeline.chat_server.completion import Call
from voxcard.assistants.pipeline.chat_server.memory import Exchange

LIMIT_S = 300
SILENCE = bytes(32_000)  # 1 s


def test_a_real_model_answers_a_spoken_question_and_remembers_what_was_heard(
    llama, whisper, piper, tmp_path
):
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Answer in one short sentence.", encoding="utf-8")

    async def conversation():
        own = settings(llama, whisper, piper, limit_s=55, prompt=str(prompt))
        assistant = Pipeline("mine", own)
        await assistant.start()
        try:
            talk = assistant.conversation(place, list)
            question = "What is the capital of France?"
            said = [part async for part in assistant.say(question, "en")]
            pcm = audio.resample(b"".join(part.pcm for part in said), said[0].rate_hz, 16000)
            microphone = speech.microphone(SILENCE + pcm + SILENCE)
            parts = [part async for part in talk.turn(Heard(audio=microphone))]
            assert Transcript(text=question) in parts and parts[-1] == Done()
            assert "Paris" in " ".join(texts(parts))
            assert sum(len(part.pcm) for part in parts if isinstance(part, Speech)) > 20_000
            talk.interrupted(HeardReply(text="The capital", played_ms=300))
            again = [part async for part in talk.turn(Heard(text="And of Italy?"))]
            assert texts(again) and again[-1] == Done()
        finally:
            await assistant.stop()

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def test_a_real_server_takes_our_tools_and_results_of_calls(llama, piper):
    """It answers whatever; that it takes every message of ours is what is asked here."""

    async def conversation():
        assistant = Pipeline("mine", settings(llama, piper, piper, limit_s=55))
        await assistant.start()
        try:
            talk = assistant.conversation(place, lambda: TOOLS)
            before = Exchange("Switch the light on.")
            call = Call(id="a", name="home_light", arguments={"on": True})
            before.answer("", [(call, '{"on": true}')])
            before.result("a", "The light is on.")
            before.answer("It is on.")
            talk._memory.keep(before)
            turn = talk.turn(Heard(text="Say yes."))
            failed = [part async for part in turn if isinstance(part, Failed)]
            assert failed == []
        finally:
            await assistant.stop()

    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))
