"""A pause that was taken for the end: the real device hears on, and the whole is answered."""

import asyncio

from fakes.pipeline_servers import HttpServer, WyomingServer, chats, silence
from together.brokers import Iotcore
from together.home import Home, Person, at

from tools.sim import speech

PAUSE_MS = 1000
HALF, WHOLE = "what is the weather", "what is the weather in Berlin tomorrow"
RATE_HZ = 16_000


def settings(chat, voice):
    pipeline = {
        "kind": "pipeline",
        "chat_url": chat,
        "chat_model": "m",
        "stt": voice,
        "tts": voice,
    }
    return {"assistant": {"ranking": ["mine"]}, "assistants.mine": pipeline}


def test_who_goes_on_while_the_assistant_thinks_is_answered_once_and_to_the_whole(tmp_path):
    joe = speech.voice("joe")
    first, second = (speech.speech(joe, each) for each in (HALF, "in Berlin tomorrow"))
    pause = bytes(PAUSE_MS * RATE_HZ // 1000 * 2)
    speech.write(tmp_path / "halves.wav", first + pause + second)

    async def conversation():
        async def never(request):
            voice.transcript = WHOLE
            async for piece in silence(request):
                yield piece

        async with WyomingServer(HALF) as voice, HttpServer(never, chats("Rain.")) as chat:

            async def half_and_half(person: Person):
                await person.device.press()
                await person.device.wait("state", state="listening")
                await person.device.hear(tmp_path / "halves.wav")
                turn = await person.turn()
                assert (turn["transcript"], turn["reply"]) == (WHOLE, "Rain.")
                assert turn["frames_lost"] == 0
                assert turn["frames_up"] * 40 > (len(first) + len(second)) / 32 + PAUSE_MS
                await person.idle()
                states = [
                    each["state"] for each in person.device.reports if each["event"] == "state"
                ]
                assert states[-6:] == [
                    "listening", "thinking", "listening", "thinking", "speaking", "idle",
                ]  # fmt: skip

            folder = tmp_path / "home"
            folder.mkdir()
            options = settings(chat.url, voice.url)
            async with Home(Iotcore(folder), folder, **options) as home:
                await at(home, half_and_half)
            questions = [each.json["messages"][-1]["content"] for each in chat.requests]
            assert questions == [HALF, WHOLE]

    asyncio.run(conversation())
