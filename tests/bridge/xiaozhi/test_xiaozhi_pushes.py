"""What a xiaozhi server begins by itself: speech, alerts and calls, and staying connected."""

import asyncio

import pytest
from fakes.xiaozhi_home import Home, parts_of, texts, until
from fakes.xiaozhi_server import XiaozhiServer, answer, opus
from voxcard.assistants import CallTool, Done, Emotion, Sentence, ShowCard, Speech, ToolReply
from voxcard.assistants.xiaozhi import connector


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            return await conversation()

    return asyncio.run(limited())


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(connector, "RETRIES_S", (0.01,))


class Listening:
    """A home whose device waits for turns that the server begins."""

    def __init__(self, server, **more):
        self.home = Home(server.url, **{"stay_connected": True, **more})
        self._server = server

    async def __aenter__(self):
        await self.home.__aenter__()
        self.begun = self.home.conversation.begun()
        self.next = asyncio.ensure_future(anext(self.begun))
        self.session = await self._server.session()
        await self.session.tools_ready.wait()
        return self

    async def __aexit__(self, *_):
        self.next.cancel()
        await asyncio.gather(self.next, return_exceptions=True)
        await self.begun.aclose()
        await self.home.__aexit__()


def test_speech_that_the_server_starts_begins_a_turn():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            await device.session.say("The washing is done.", "Take it out.")
            begin = await device.next
            assert not begin.urgent
            parts = await parts_of(begin.open())
            assert texts(parts) == ["The washing is done.", "Take it out."]
            said = b"".join(part.pcm for part in parts if isinstance(part, Speech))
            assert len(said) == 48 * 600 * 2 and parts[-1] == Done()
            assert texts(await device.home.ask("hi")) == ["You said hi."]

    run(conversation)


def test_sound_before_its_start_belongs_to_it_and_alone_begins_nothing():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            await device.session.audio(opus(120))
            await device.session.say("Hello.")
            parts = await parts_of((await device.next).open())
            said = b"".join(part.pcm for part in parts if isinstance(part, Speech))
            assert len(said) == 48 * 420 * 2
            await device.session.audio(opus(120))
            await device.session.send("stt", text="x")
            await device.session.send("llm", emotion="happy")
            await device.session.tts("stop")
            await device.session.mcp(id=97, method="ping")
            await until(lambda: device.session.responses[-1]["id"] == 97)
            assert texts(await device.home.ask("hi")) == ["You said hi."]
            assert device.home.conversation._pushes._begins.empty()

    run(conversation)


def test_an_alert_is_an_urgent_turn_with_a_card():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            await device.session.send("alert", status="Oven", message="Too hot", emotion="shocked")
            begin = await device.next
            assert begin.urgent
            assert await parts_of(begin.open()) == [
                Emotion(name="shocked"),
                ShowCard(
                    source={"title": "Oven", "blocks": [{"type": "text", "text": "Too hot"}]}
                ),
                Sentence(text="Too hot"),
                Done(),
            ]

    run(conversation)


def test_a_call_out_of_nothing_goes_through_a_turn():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            called = asyncio.ensure_future(device.session.call("home.light", {"on": True}, 6))
            parts = await parts_of((await device.next).open(), [ToolReply(text="on")])
            assert CallTool(name="home.light", arguments={"on": True}, id="1") in parts
            assert parts[-1] == Done()
            assert (await called)["result"]["content"] == [{"type": "text", "text": "on"}]

    run(conversation)


def test_a_call_that_nobody_would_make_is_refused():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            home.conversation.prepare()
            session = await server.session()
            await session.tools_ready.wait()
            reply = await session.call("home.light", {"on": True}, 6)
            assert reply["error"]["message"] == "The device is not ready"

    run(conversation)


def test_a_question_goes_before_speech_that_has_not_begun():
    async def conversation():
        async with XiaozhiServer(answer) as server, Listening(server) as device:
            await device.session.tts("start")
            await device.session.sentence("A long story.")
            begin = await device.next
            await until(lambda: device.home.conversation._link.busy)
            assert texts(await device.home.ask("hi")) == ["You said hi."]
            last = [each["type"] for each in device.session.messages[-2:]]
            assert last == ["abort", "listen"]
            assert await parts_of(begin.open()) == [Done()]

    run(conversation)


def test_a_long_push_that_waits_is_kept_within_limits():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            await device.session.tts("start")
            packets = opus(60)
            for _ in range(1600):
                await device.session.audio(packets)
            await device.session.mcp(id=99, method="ping")
            await until(lambda: device.session.responses[-1]["id"] == 99)
            begin = await device.next
            inbox = device.home.conversation._link._inbox
            assert (len(inbox), inbox.lost) == (1500, 101)
            turn = begin.open()
            assert isinstance(await anext(turn), Speech)
            await turn.aclose()
            await device.session.aborted.wait()

    run(conversation)


def test_what_still_comes_of_a_cut_answer_begins_no_turn():
    async def endless(session, text):
        await session.stt(text)
        await session.tts("start")
        try:
            await session.closed.wait()
        finally:
            await session.tts("start")
            await session.sentence("Leftover.")

    async def conversation():
        async with XiaozhiServer(endless) as server, Listening(server) as device:
            turn = device.home.turn("hi")
            await anext(turn)
            task = asyncio.ensure_future(anext(turn))
            await until(lambda: device.home.conversation._link._inbox is not None)
            await asyncio.wait([task], timeout=0.05)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await turn.aclose()
            await device.session.aborted.wait()
            await device.session.mcp(id=98, method="ping")
            await until(
                lambda: device.session.closed.is_set() or device.session.responses[-1]["id"] == 98
            )
            assert not device.next.done()

    run(conversation)


def test_it_is_connected_again_after_the_server_closed():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            await device.session.socket.close()
            second = await server.session(2)
            await second.tools_ready.wait()
            await second.send("goodbye", session_id=second.id)
            third = await server.session(3)
            await third.tools_ready.wait()
            await third.say("I am back.")
            assert texts(await parts_of((await device.next).open())) == ["I am back."]

    run(conversation)


def test_a_server_that_is_away_is_known_before_anybody_asks_and_found_when_it_is_back():
    async def conversation():
        async with XiaozhiServer() as server:
            port = server.port
        async with Home(server.url, stay_connected=True) as home:
            begun = home.conversation.begun()
            task = asyncio.ensure_future(anext(begun))
            await until(lambda: "cannot be reached" in home.assistant.health())
            async with XiaozhiServer(port=port):
                await until(lambda: home.assistant.health() == "")
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                await begun.aclose()

    run(conversation)


def test_who_stays_away_connects_only_for_a_turn():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            begun = home.conversation.begun()
            task = asyncio.ensure_future(anext(begun))
            assert texts(await home.ask("hi")) == ["You said hi."]
            await server.sessions[0].say("And more.")
            assert texts(await parts_of((await task).open())) == ["And more."]
            await server.sessions[0].socket.close()
            await until(lambda: home.conversation._link.connection is None)
            await asyncio.wait([asyncio.ensure_future(asyncio.sleep(0.05))])
            assert len(server.sessions) == 1
            await begun.aclose()

    run(conversation)


def test_two_pushes_after_each_other_are_two_turns_and_none_is_lost():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:
            await device.session.say("First.")
            await device.session.say("Second.")
            await device.session.mcp(id=97, method="ping")
            await until(lambda: device.session.responses[-1]["id"] == 97)
            assert texts(await parts_of((await device.next).open())) == ["First."]
            second = await anext(device.begun)
            assert texts(await parts_of(second.open())) == ["Second."]

    run(conversation)


def test_more_pushes_than_may_wait_are_dropped_and_the_talk_goes_on():
    async def conversation():
        async with XiaozhiServer() as server, Listening(server) as device:

            async def alert(number):
                await device.session.send(
                    "alert", status="", message=f"alert {number}", emotion="sad"
                )

            await alert(0)
            first = await device.next  # it waits no longer: room for 16 more
            for number in range(1, 30):
                await alert(number)
            await device.session.mcp(id=97, method="ping")
            await until(lambda: device.session.responses[-1]["id"] == 97)
            assert texts(await parts_of(first.open())) == ["alert 0"]
            assert device.home.conversation._pushes._begins.qsize() == 16
            await device.session.say("One too many.")
            await device.session.mcp(id=98, method="ping")
            await until(lambda: device.session.responses[-1]["id"] == 98)
            assert texts(await device.home.ask("hi")) == ["You said hi."]

    run(conversation)
