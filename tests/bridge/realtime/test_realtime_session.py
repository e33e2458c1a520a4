"""A session is kept, renewed, carried over, and let go at whatever point a turn is closed."""

import asyncio
import gc
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fakes.realtime_home import (
    LOUD,
    QUESTION,
    QUIET,
    Home,
    OpenMicrophone,
    frames,
    microphone,
    parts,
    sound_ms,
    texts,
    until,
)
from fakes.realtime_server import Answer, RealtimeServer
from voxcard.assistants import Done, Heard, NextUtterance, Speech, ToolReply, Transcript
from voxcard.assistants.realtime.wire import connection as wire_connection
from voxcard.errors import VoxcardError

CALL = ("home_light", '{"on": true}', "c1")
SENTENCE = ((QUIET, 320), (LOUD, 640), (QUIET, 800))


def run(conversation):
    async def limited():
        async with asyncio.timeout(60):
            await conversation()

    asyncio.run(limited())


def test_turns_share_one_session():
    async def conversation():
        async with RealtimeServer(*[Answer(text="Yes.")] * 3) as server:
            async with Home(server.url) as home:
                home.conversation.prepare()
                await home.ask("one")
                home.conversation.prepare()
                await home.ask()
                await home.ask("three")
            assert len(server.peers) == 1
            # The times of the server are counted over the whole session, ours by turn.
            assert len(server.peers[0].audio) > 0

    run(conversation)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_the_minute_changes_no_instructions(tmp_path, is_wanted):
    async def conversation():
        mine = tmp_path / "prompt.txt"
        mine.write_text("Speak like a king." + "Now: {time}." * is_wanted, encoding="utf-8")
        async with RealtimeServer() as server, Home(server.url, prompt=str(mine)) as home:
            noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
            for seconds in (0, 59, 60, 119, 121):
                home.place = replace(home.place, now=noon + timedelta(seconds=seconds))
                await home.ask(f"{seconds}")
            told = [
                event["session"].get("instructions") for event in server.sent("session.update")
            ]
            assert [each for each in told if each is not None] == [
                "Speak like a king." + "Now: Tuesday, 2026-12-01 12:00+00:00." * is_wanted
            ]
            items = [event["item"] for event in server.sent("conversation.item.create")]
            said = [(item["role"], item["content"][0]["text"]) for item in items]
            times = [
                ("system", "It is now Tuesday, 2026-12-01 12:01+00:00."),
                ("system", "It is now Tuesday, 2026-12-01 12:02+00:00."),
            ]
            assert [each for each in said if each[0] == "system"] == times * is_wanted
            # It stands before the question it is for.
            questions = [each[1] if each[0] == "user" else "now" for each in said]
            now = ["now"] * is_wanted
            assert questions == ["0", "59", *now, "60", "119", *now, "121"]
            # A new session begins with the time of its own.
            server.peers[0].drop()
            await home.ask("again")
            (first, *_) = [
                each for each in server.peers[1].events if each["type"] == "session.update"
            ]
            assert ("12:02" in first["session"]["instructions"]) == is_wanted

    run(conversation)


def test_the_end_of_speech_is_counted_in_each_turn_and_not_in_the_session():
    async def conversation():
        async with RealtimeServer(*[Answer(text="Yes.")] * 2) as server:
            async with Home(server.url) as home:
                first = (await home.ask())[0]
                second = (await home.ask())[0]
            assert abs(first.end_ms - second.end_ms) <= 40

    run(conversation)


def test_an_old_session_is_renewed_between_turns_and_goes_on_from_what_was_said(monkeypatch):
    async def conversation():
        replies = (
            Answer(text="It is on.", calls=(CALL,)),
            Answer(text="Done."),
            Answer(text="Off."),
        )
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            await home.ask("light on", replies=[ToolReply(text="on now", id="c1")])
            monkeypatch.setattr(home.conversation._session.connection, "_expires_s", 0.0)
            assert texts(await home.ask("and off")) == ["Off."]
            assert len(server.peers) == 2
            await until(lambda: server.peers[0].closed.is_set())
            sent = server.peers[1].events
            items = [each["item"] for each in sent if each["type"] == "conversation.item.create"]
            assert items == [
                text("user", "input_text", "light on"),
                text("assistant", "output_text", "It is on."),
                {
                    "type": "function_call",
                    "call_id": "c1",
                    "name": "home_light",
                    "arguments": '{"on": true}',
                },
                {"type": "function_call_output", "call_id": "c1", "output": "on now"},
                text("assistant", "output_text", "Done."),
                text("user", "input_text", "and off"),
            ]

    def text(role, kind, words):
        return {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}

    run(conversation)


def test_a_session_ends_before_the_server_ends_it():
    async def conversation():
        expires_at = int(time.time()) + 121
        async with RealtimeServer(expires_at=expires_at) as server, Home(server.url) as home:
            await home.ask("one")
            assert 0 <= home.conversation._session.connection.left_s <= 2
        async with RealtimeServer() as server, Home(server.url) as home:
            await home.ask("one")
            left_s = home.conversation._session.connection.left_s
            assert 54 * 60 < left_s <= 55 * 60

    run(conversation)


def test_an_open_talk_goes_on_in_another_session_when_its_own_ends():
    async def conversation():
        talk = OpenMicrophone()
        talk.say(*SENTENCE)
        async with RealtimeServer(Answer(text="One."), Answer(text="Two.")) as server:
            async with Home(server.url) as home:
                seen = []
                turn = home.conversation.turn(Heard(audio=talk.__aiter__(), open=True))
                async for part in parts(turn, played_ms=[("One.", 400)]):
                    seen.append(part)
                    if isinstance(part, NextUtterance) and len(server.peers) == 1:
                        await server.peers[0].close()
                        listening = asyncio.create_task(say_more(server, talk))
                    elif isinstance(part, NextUtterance):
                        talk.close()
                await listening
            assert texts(seen) == ["One.", "Two."] and seen[-1] == Done()
            assert len(server.peers) == 2 and server.peers[1].truncated == []

    async def say_more(server, talk):
        await until(lambda: len(server.peers) == 2)
        talk.say(*SENTENCE)

    run(conversation)


@pytest.mark.parametrize("question", ["typed", "held", "spoken"])
def test_a_session_that_broke_while_it_was_idle_costs_nothing(question):
    async def conversation():
        replies = Answer(text="One."), Answer(text="Two.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            await home.ask("hello")
            # Its end is only seen when something is sent: the network said nothing.
            server.peers[0].drop()
            heard = {
                "typed": Heard(text="again"),
                "held": Heard(audio=microphone(QUESTION), held=True),
                "spoken": Heard(audio=microphone(QUESTION)),
            }[question]
            seen = await home.ask(heard=heard)
            assert texts(seen) == ["Two."] and seen[-1] == Done()
            finals = [each for each in seen if isinstance(each, Transcript) and not each.partial]
            assert len(finals) == 1

    run(conversation)


def test_what_is_cut_off_at_any_part_leaves_no_task_and_a_session_that_works():
    async def conversation():
        answer = Answer(text="One moment, please.", ms=600, calls=(CALL,))
        for heard in ("typed", "held", "spoken"):
            at = 0
            while True:
                replies = answer, Answer(text="It is on."), Answer(text="Next.")
                async with RealtimeServer(*replies) as server, Home(server.url) as home:
                    is_whole = await close_after(home, heard, at)
                    server.replies[:] = [Answer(text="Next.")] * 3
                    assert texts(await home.ask("next")) == ["Next."]
                    # No call waits for its output.
                    await until(lambda peer=server.peers[-1]: not peer.calls)
                if is_whole:
                    break
                at += 1
            assert at > 8

    async def close_after(home, kind, count):
        """Close a turn after `count` parts; whether it was over before."""
        heard = Heard(text="on")
        if kind != "typed":
            heard = Heard(audio=microphone(QUESTION), held=kind == "held")
        turn = parts(home.conversation.turn(heard), replies=[ToolReply(text="on", id="c1")])
        for _ in range(count):
            if await anext(turn, None) is None:
                return True
        await turn.aclose()
        return False

    run(conversation)


def test_a_turn_that_is_cancelled_while_it_waits_leaves_no_task():
    async def conversation():
        for after_ms in range(0, 60, 6):
            replies = Answer(text="One moment.", gate=asyncio.Event()), Answer(text="Next.")
            async with RealtimeServer(*replies) as server, Home(server.url) as home:
                turn = asyncio.create_task(home.ask())
                await asyncio.wait([turn], timeout=after_ms / 1000)
                turn.cancel()
                await asyncio.gather(turn, return_exceptions=True)
                # The server may yet answer the question that was cancelled, to nobody.
                server.replies[:] = [Answer(text="Next.")] * 2
                assert texts(await home.ask("next")) == ["Next."]

    run(conversation)


async def just_connected():
    """Wait until a connection is open, but for what waits for it: that has not run yet."""
    tasks = [task for task in asyncio.all_tasks() if task.get_name() == "realtime connect"]
    await until(tasks[0].done)


def test_a_turn_may_begin_just_as_the_connection_opens():
    async def conversation():
        async with RealtimeServer(Answer(text="Yes.")) as server, Home(server.url) as home:
            home.conversation.prepare()
            await just_connected()
            assert texts(await home.ask("now")) == ["Yes."]
            assert len(server.peers) == 1

    run(conversation)


def test_a_turn_may_be_cancelled_just_as_the_connection_opens_for_the_next():
    async def conversation():
        async with RealtimeServer(Answer(text="Yes.")) as server, Home(server.url) as home:
            home.conversation.prepare()
            turn = asyncio.create_task(home.ask("first"))
            following = asyncio.create_task(home.ask("next"))
            await just_connected()
            turn.cancel()
            assert texts(await following) == ["Yes."]
            assert turn.cancelled() and server.sent("response.create")[1:] == []

    run(conversation)


def test_a_cancelled_question_is_not_answered_in_the_next_turn():
    async def conversation():
        async with RealtimeServer(Answer(text="Late.")) as server, Home(server.url) as home:
            turn = home.conversation.turn(Heard(audio=microphone(QUESTION)))
            await anext(turn)  # the end of speech: the server is about to answer
            await turn.aclose()
            server.replies[:] = [Answer(text="Next.")] * 2
            assert texts(await home.ask("next")) == ["Next."]
            assert len(server.peers) == 2

    run(conversation)


def test_announcements_are_read_word_for_word_in_a_session_of_their_own():
    async def conversation():
        async with RealtimeServer() as server, Home(server.url) as home:
            said = [part async for part in home.assistant.say("The tea is ready.", "en")]
            assert sound_ms(said) == 400 and all(isinstance(part, Speech) for part in said)
            (create,) = server.sent("response.create")
            response = create["response"]
            assert (response["conversation"], response["tool_choice"]) == ("none", "none")
            assert response["input"][0]["content"][0]["text"].endswith(": The tea is ready.")
            await until(lambda: server.peers[0].closed.is_set())

    run(conversation)


def test_an_assistant_that_does_not_run_says_so():
    async def conversation():
        home = Home("ws://127.0.0.1:1/v1")
        assert home.assistant.health() == "It is not running."
        with pytest.raises(VoxcardError, match="The assistant mine is not running"):
            [part async for part in home.assistant.say("x", "en")]
        await home.assistant.stop()

    run(conversation)


def test_two_hundred_turns_leave_no_growth(monkeypatch):
    async def conversation():
        async with RealtimeServer(*[Answer(text="Yes.", ms=40)] * 200) as server:
            async with Home(server.url) as home:
                counts = []
                for at in range(200):
                    spoken = Heard(audio=microphone(frames((LOUD, 80), (QUIET, 640))))
                    await home.ask(heard=spoken if at % 2 else Heard(text="go"))
                    server.peers[0].events.clear()
                    if at in (99, 199):
                        gc.collect()
                        own = Counter(
                            type(each).__name__
                            for each in gc.get_objects()
                            if str(type(each).__module__).startswith("voxcard.assistants")
                        )
                        counts.append((own, len(asyncio.all_tasks())))
                (before, tasks_before), (after, tasks_after) = counts
                # A hundred turns later: what each of them left would be a hundred.
                assert (after - before).total() < 20 and tasks_after <= tasks_before + 2
                assert len(home.conversation._memory.messages()) == 40
            assert len(server.peers) == 1

    monkeypatch.setattr(wire_connection, "RENEW_S", 600.0)
    run(conversation)
