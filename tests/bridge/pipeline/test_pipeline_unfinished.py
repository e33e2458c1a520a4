"""Answers that did not come to their end, and what is left of many turns."""

import asyncio
import gc
import tracemalloc

from fakes.pipeline_home import Home
from fakes.pipeline_servers import HttpServer, WyomingServer, called, chats, chunk, event, streams
from voxcard.assistants import CallTool, Failed, HeardReply, NextReply, Sentence, ToolReply
from voxcard.assistants.pipeline.chat_server.memory import CHARACTERS_MAX

LIMIT_S = 60
# Turns after which the memory of a conversation is full, and the interpreter's free lists are.
SOME = 200
MANY = 400


def run(conversation):
    asyncio.run(asyncio.wait_for(conversation(), LIMIT_S))


def spoken(text):
    return event(chunk({"content": text}))


def messages(server, index):
    """What the chat was told in a request, without the system's."""
    return server.requests[index].json["messages"][1:]


def test_half_an_answer_that_failed_is_not_remembered():
    async def conversation():
        scripts = streams(spoken("It is half past")), chats("Yes.")
        async with HttpServer(*scripts) as chat, WyomingServer() as voice:
            async with Home(chat.url, voice.url, voice.url) as home:
                parts = await home.ask("what time is it")
                assert isinstance(parts[-1], Failed) and parts[-1].retryable
                await home.ask("are you there")
            assert messages(chat, 1) == [{"role": "user", "content": "are you there"}]

    run(conversation)


def test_a_call_that_was_made_before_a_failure_stays_with_its_result():
    async def conversation():
        scripts = chats(*called("home_light", "{}")), streams(spoken("It is")), chats("Yes.")
        async with HttpServer(*scripts) as chat, WyomingServer() as voice:
            async with Home(chat.url, voice.url, voice.url) as home:
                parts = await home.ask("light on", replies=[ToolReply(text="on", id="c1")])
                assert isinstance(parts[-1], Failed)
                await home.ask("is it on")
            kinds = [(each["role"], each["content"]) for each in messages(chat, 2)]
            assert kinds == [
                ("user", "light on"), ("assistant", ""), ("tool", "on"), ("user", "is it on"),
            ]  # fmt: skip

    run(conversation)


def test_of_an_answer_left_after_its_call_what_was_heard_is_remembered():
    async def conversation():
        scripts = (
            chats("One moment. ", *called("home_light", "{}")),
            chats("It is on now. And it is warm."),
            chats("Yes."),
        )
        async with HttpServer(*scripts) as chat, WyomingServer() as voice:
            async with Home(chat.url, voice.url, voice.url) as home:
                turn, reply, sentences, call_id = home.turn("light on"), None, 0, ""
                while sentences < 2:
                    part = await turn.asend(reply)
                    reply = None
                    sentences += isinstance(part, Sentence)
                    if isinstance(part, CallTool):
                        call_id = part.id
                    elif isinstance(part, NextReply) and call_id:
                        reply, call_id = ToolReply(text="on", id=call_id), ""
                await turn.aclose()
                home.conversation.interrupted(HeardReply(text="One moment. It is", played_ms=900))
                await home.ask("is it on")
            told = messages(chat, 2)
            assert [each["role"] for each in told] == [
                "user", "assistant", "tool", "assistant", "user",
            ]  # fmt: skip
            assert told[1]["content"] == "" and told[1]["tool_calls"]
            assert told[3]["content"] == "One moment. It is …"

    run(conversation)


def test_a_call_that_nobody_waited_for_is_told_as_cancelled():
    async def conversation():
        scripts = chats(*called("home_light", "{}")), chats("Yes.")
        async with HttpServer(*scripts) as chat, WyomingServer() as voice:
            async with Home(chat.url, voice.url, voice.url) as home:
                turn = home.turn("light on")
                while not isinstance(await anext(turn), CallTool):
                    pass
                await turn.aclose()
                home.conversation.interrupted(HeardReply(text="", played_ms=0))
                await home.ask("is it on")
            # Every call has a result, or servers refuse the next request.
            assert messages(chat, 1)[2]["content"] == "Cancelled."

    run(conversation)


def test_many_turns_leave_what_some_leave():
    async def conversation():
        async with (
            HttpServer(chats("It is sunny.")) as chat,
            WyomingServer() as voice,
            Home(chat.url, voice.url, voice.url) as home,
        ):

            async def turns(count):
                for _ in range(count):
                    await home.ask("what is the weather " * 10)
                    chat.requests.clear()
                    voice.events.clear()
                gc.collect()
                return tracemalloc.get_traced_memory()[0]

            tracemalloc.start()
            try:
                some = await turns(SOME)
                many = await turns(MANY - SOME)
            finally:
                tracemalloc.stop()
            assert many - some < 2 * CHARACTERS_MAX
            # What is remembered of them is bounded, too.
            await home.ask("and now")
            (request,) = chat.requests
            assert len(request.body) < 2 * CHARACTERS_MAX

    run(conversation)
