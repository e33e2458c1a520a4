"""Turns with a xiaozhi server: spoken, held, open, typed; tools, interruption, emotions."""

import asyncio
import json

import numpy as np
import pytest
from fakes import speech
from fakes.xiaozhi_home import QUESTION, Home, parts_of, talking, texts, until
from fakes.xiaozhi_server import XiaozhiServer, answer, opus
from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    EndOfSpeech,
    Hush,
    NextReply,
    NextUtterance,
    Running,
    Sentence,
    ShowCard,
    Speech,
    Stage,
    ToolReply,
    Transcript,
)


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            return await conversation()

    return asyncio.run(limited())


def kinds(parts):
    """The types of parts, runs of speech as one."""
    names = [type(part).__name__ for part in parts]
    return [name for at, name in enumerate(names) if name != "Speech" or names[at - 1] != name]


def tone_hz(pcm, rate_hz):
    samples = np.frombuffer(pcm, dtype=np.int16).astype(float)
    return float(np.argmax(np.abs(np.fft.rfft(samples))) * rate_hz / len(samples))


def test_a_question_is_heard_and_answered_aloud():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            parts = await home.ask()
            assert kinds(parts) == [
                "EndOfSpeech",
                "Transcript",
                "Stage",
                "Sentence",
                "Speech",
                "Done",
            ]
            assert parts[1] == Transcript(text="hello there")
            assert texts(parts) == ["You said hello there."]
            said = [part for part in parts if isinstance(part, Speech)]
            pcm, rate_hz = b"".join(part.pcm for part in said), said[0].rate_hz
            assert len(pcm) / 2 / rate_hz == pytest.approx(0.3)
            assert tone_hz(pcm[rate_hz // 10 :], rate_hz) == pytest.approx(440, abs=8)
            assert server.sessions[0].modes == ["auto"]
            assert home.assistant.health() == ""

    run(conversation)


def test_what_the_microphone_hears_arrives_whole_in_a_held_turn():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            wave = 12000 * np.sin(2 * np.pi * 300 * np.arange(16000) / 16000)
            parts = await home.ask(pcm=wave.astype(np.int16).tobytes(), held=True)
            assert texts(parts) == ["You said hello there."]
            (session,) = server.sessions
            assert session.modes == ["manual"]
            states = [each["state"] for each in session.messages if each["type"] == "listen"]
            assert states == ["start", "stop"]
            assert 1000 <= session.heard_ms <= 1120
            assert tone_hz(session.pcm[9600:86400], 48000) == pytest.approx(300, abs=5)

    run(conversation)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_binary_frames_of_each_version_go_both_ways(version):
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url, version=version) as home:
            parts = await home.ask()
            assert sum(len(part.pcm) for part in parts if isinstance(part, Speech)) == 28800
            assert server.sessions[0].version == version

    run(conversation)


def test_a_typed_question_is_not_repeated_by_the_servers_hearing():
    async def echo(session, text):
        await session.stt(text.strip("?!"))
        await session.say("Four.", "Or five?")

    async def conversation():
        async with XiaozhiServer(echo) as server, Home(server.url) as home:
            parts = await home.ask("what is 2 + 2?")
            assert [each for each in parts if isinstance(each, Transcript)] == [
                Transcript(text="what is 2 + 2?")
            ]
            assert texts(parts) == ["Four.", "Or five?"]
            assert parts[-2:] == [Ask(), Done()]
            assert Stage(name="first_sentence") in parts and EndOfSpeech() not in parts

    run(conversation)


def test_tools_are_learned_and_called_at_once_and_their_results_go_back():
    async def tools(session, text):
        await session.stt(text)
        await session.mcp(
            id=7, method="tools/call", params={"name": "home.light", "arguments": {"on": True}}
        )
        await session.mcp(id=8, method="tools/call", params={"name": "self_camera_take_photo"})
        replies = [await session.response(), await session.response()]
        words = [each["result"]["content"][0]["text"] for each in replies]
        assert [each["id"] for each in replies] == [7, 8]
        await session.say(*words)

    async def conversation():
        async with XiaozhiServer(tools) as server, Home(server.url) as home:
            replies = [ToolReply(text="it is on", card_shown=True), ToolReply(text="a cat")]
            parts = await home.ask(replies=replies)
            calls = [(each.name, each.arguments) for each in parts if isinstance(each, CallTool)]
            assert calls == [("home.light", {"on": True}), ("self.camera.take_photo", {})]
            assert [each for each in kinds(parts) if each != "NextReply"][:4] == [
                "EndOfSpeech",
                "Transcript",
                "CallTool",
                "CallTool",
            ]
            assert texts(parts) == ["it is on (A card of it is on the screen.)", "a cat"]
            (session,) = server.sessions
            assert [each["name"] for each in session.tools] == [
                "home.light",
                "self.camera.take_photo",
            ]

    run(conversation)


def test_a_failed_tool_is_told_to_the_model_in_words():
    async def tool(session, text):
        await session.stt(text)
        reply = await session.call("home.light", {"on": True}, number=3)
        assert reply["result"]["isError"] is False
        await session.say(reply["result"]["content"][0]["text"])

    async def conversation():
        async with XiaozhiServer(tool) as server, Home(server.url) as home:
            parts = await home.ask(replies=[ToolReply(text="It is unplugged.", is_error=True)])
            assert texts(parts) == ["Error: It is unplugged."]

    run(conversation)


def test_an_unknown_tool_is_refused_without_a_call():
    async def tool(session, text):
        await session.stt(text)
        reply = await session.call("self.reboot", number=3)
        assert reply["error"]["message"] == "Unknown tool: self.reboot"
        await session.say("I may not.")

    async def conversation():
        async with XiaozhiServer(tool) as server, Home(server.url) as home:
            parts = await home.ask()
            assert texts(parts) == ["I may not."]
            assert not [each for each in parts if isinstance(each, CallTool)]

    run(conversation)


def test_speech_goes_on_while_a_tool_runs():
    paused = asyncio.Event()

    async def tool(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.tts("sentence_start", text="Let me look.")
        await session.mcp(
            id=4, method="tools/call", params={"name": "home.light", "arguments": {"on": True}}
        )
        packets = opus(600)
        await session.audio(packets[:4])
        await paused.wait()
        await session.audio(packets[4:])
        await session.response()
        await session.sentence("Done.")
        await session.tts("stop")

    async def conversation():
        async with XiaozhiServer(tool) as server, Home(server.url) as home:
            turn, parts, reply, looks = home.turn(), [], None, 0
            while not parts or parts[-1] != Done():
                part = await turn.asend(reply)
                parts.append(part)
                spoken = [each for each in parts if isinstance(each, Speech)]
                reply = None
                if isinstance(part, NextReply):
                    assert part == NextReply(wait=False)
                    # The tool ends once all of it was spoken, gaps and all.
                    reply = ToolReply(text="on", id="1") if len(spoken) == 10 else Running()
                    looks += len(spoken) == 4
                    if looks == 5:  # a gap of a few looks, which waits for no tool
                        paused.set()
            assert texts(parts) == ["Let me look.", "Done."]

    run(conversation)


def test_an_interrupted_answer_is_stopped_and_its_rest_is_not_of_the_next_turn():
    async def endless(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.tts("sentence_start", text="A long story.")
        while True:
            await session.audio(opus(60))
            await asyncio.sleep(0.01)

    async def conversation():
        async with XiaozhiServer(endless, answer) as server, Home(server.url) as home:
            turn = home.turn()
            while not isinstance(await anext(turn), Speech):
                pass
            await turn.aclose()
            (session,) = server.sessions
            await session.aborted.wait()
            assert texts(await home.ask("and now?")) == ["You said and now?."]
            assert len(server.sessions) == 1
            assert [each for each in session.messages if each["type"] == "abort"] == [
                {"type": "abort", "session_id": "session-0"}
            ]

    run(conversation)


def test_a_question_that_is_taken_back_is_never_answered():
    asked = asyncio.Event()

    async def slow(session, text):
        asked.set()
        await session.closed.wait()

    async def conversation():
        async with XiaozhiServer(slow, answer) as server, Home(server.url) as home:
            turn = home.turn()
            first = asyncio.ensure_future(anext(turn))
            await asked.wait()
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            await turn.aclose()
            assert texts(await home.ask("hi")) == ["You said hi."]
            assert len(server.sessions) == 2  # the old one might still have answered

    run(conversation)


def test_a_call_that_is_cut_off_is_told_to_the_server():
    async def tool(session, text):
        await session.stt(text)
        await session.mcp(
            id=5, method="tools/call", params={"name": "home.light", "arguments": {"on": True}}
        )
        await session.closed.wait()

    async def conversation():
        async with XiaozhiServer(tool) as server, Home(server.url) as home:
            turn = home.turn()
            while not isinstance(await anext(turn), NextReply):
                pass
            await turn.aclose()
            reply = await server.sessions[0].response()
            assert reply["id"] == 5 and "interrupted" in reply["error"]["message"]

    run(conversation)


def test_several_sentences_share_an_open_microphone_and_speaking_into_an_answer_silences_it():
    answered = asyncio.Event()

    async def first(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.sentence("A long answer.", 6000)
        answered.set()
        await session.closed.wait()

    async def second(session, text):
        await session.tts("stop")  # its own barge-in
        await session.stt(text)
        await session.say("As you wish.")

    async def conversation():
        async with XiaozhiServer(first, second) as server, Home(server.url) as home:
            turn = home.turn(audio=talking(QUESTION, answered, QUESTION), open=True)
            parts, heard = [], 0
            async for part in turn:
                parts.append(part)
                heard += isinstance(part, NextUtterance)
                if heard == 2:
                    break
            await turn.aclose()
            assert server.sessions[0].modes == ["realtime"]
            names = [name for name in kinds(parts) if name not in ("Stage", "Speech")]
            assert names == [
                "EndOfSpeech",
                "Transcript",
                "Sentence",
                "NextUtterance",
                "Hush",
                "EndOfSpeech",
                "Transcript",
                "Sentence",
                "NextUtterance",
            ]

    run(conversation)


@pytest.mark.parametrize("goodbye", [True, False])
def test_an_open_talk_that_the_server_ends_between_two_answers_is_over(goodbye):
    async def leaves(session, text):
        await answer(session, text)
        if goodbye:
            await session.send("goodbye")
        else:
            await session.socket.close()

    async def conversation():
        async with XiaozhiServer(leaves) as server, Home(server.url) as home:
            parts = await parts_of(home.turn(audio=talking(QUESTION), open=True))
            assert texts(parts) == ["You said hello there."]
            assert NextUtterance() in parts and parts[-1] == Done()

    run(conversation)


def test_a_microphone_that_breaks_is_a_failure_and_no_silence():
    async def broken():
        yield QUESTION[:1280]
        raise RuntimeError("the cable")

    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            failed = (await home.ask(audio=broken()))[-1]
            assert "closed the connection" in failed.message

    run(conversation)


def test_an_open_talk_ends_with_its_microphone():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url, limit_s=0.5) as home:
            parts = await home.ask(open=True)
            assert [each for each in parts if isinstance(each, Hush)] == []
            assert parts[-1] == Done() and texts(parts) == ["You said hello there."]
            assert server.sessions[0].messages[-1]["state"] == "stop"

    run(conversation)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ({"emotion": "happy", "text": "🙂"}, "happy"),
        ({"emotion": "kissy"}, "kissy"),
        ({"emotion": "grumpy", "text": "so 😠!"}, "angry"),
        ({"emotion": "grumpy"}, "neutral"),
    ],
)
def test_emotions_are_those_of_the_protocol(message, name):
    async def feels(session, text):
        await session.stt(text)
        await session.send("llm", **message)
        await session.say("Well.")

    async def conversation():
        async with XiaozhiServer(feels) as server, Home(server.url) as home:
            assert Emotion(name=name) in await home.ask("hi")

    run(conversation)


def test_an_alert_inside_a_turn_is_a_card():
    async def alerts(session, text):
        await session.stt(text)
        await session.send("alert", status="Low", message="Battery low", emotion="sad")
        await session.say("Well.")

    async def conversation():
        async with XiaozhiServer(alerts) as server, Home(server.url) as home:
            parts = await home.ask("hi")
            (card,) = [each.source for each in parts if isinstance(each, ShowCard)]
            assert card == {"title": "Low", "blocks": [{"type": "text", "text": "Battery low"}]}
            assert texts(parts) == ["Battery low", "Well."]

    run(conversation)


def test_two_hundred_turns_leave_nothing_behind():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            await home.ask("warm up")
            before = len(asyncio.all_tasks())
            for number in range(200):
                assert texts(await home.ask(f"turn {number}"))[0] == f"You said turn {number}."
            assert len(asyncio.all_tasks()) == before
            assert len(server.sessions) == 1

    run(conversation)


def test_closing_a_turn_at_any_part_leaves_it_able_to_talk():
    async def tool(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.send("llm", emotion="happy", text="🙂")
        await session.sentence("One moment.")
        await session.call("home.light", {"on": True}, number=9)
        await session.sentence("Done.")
        await session.tts("stop")

    async def conversation():
        async with XiaozhiServer(tool) as server, Home(server.url) as home:
            count = len(await home.ask(replies=[ToolReply(text="on")]))
            for cut in range(1, count):
                turn, reply = home.turn(), None
                for _ in range(cut):
                    part = await turn.asend(reply)
                    reply = ToolReply(text="on", id="1") if isinstance(part, NextReply) else None
                await turn.aclose()
                names = {task.get_name() for task in asyncio.all_tasks()}
                assert "xiaozhi uplink" not in names
            whole = await home.ask(replies=[ToolReply(text="on")])
            assert texts(whole) == ["One moment.", "Done."]
            assert server.faults == []

    run(conversation)


def test_a_device_is_always_the_same_one_to_its_server_and_differs_from_others():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            await home.ask("hi")
            await home.conversation.close()
            await home.ask("hi")
            home.device = "hall"
            await home.conversation.close()
            await home.ask("hi")
            devices = [
                (each.headers["Device-Id"], each.headers["Client-Id"]) for each in server.sessions
            ]
            assert devices[0] == devices[1] and devices[0] != devices[2]

    run(conversation)


def test_the_servers_audio_may_have_frames_of_any_length_and_rate():
    async def odd(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.tts("sentence_start", text="Odd.")
        for frame_ms, rate_hz in ((20, 48000), (40, 16000), (60, 24000)):
            await session.audio(opus(120, rate_hz, frame_ms))
        await session.tts("stop")

    async def conversation():
        async with XiaozhiServer(odd) as server, Home(server.url) as home:
            parts = await home.ask("hi")
            pcm = b"".join(part.pcm for part in parts if isinstance(part, Speech))
            assert len(pcm) == 48 * 360 * 2

    run(conversation)


def test_a_prepared_conversation_is_connected_before_its_turn():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            home.conversation.prepare()
            session = await server.session()
            await session.tools_ready.wait()
            assert texts(await home.ask("hi")) == ["You said hi."]
            assert len(server.sessions) == 1
            assert json.dumps(session.headers).count("Bearer") == 0

    run(conversation)


def test_a_change_of_tools_is_told():
    async def conversation():
        async with XiaozhiServer() as server, Home(server.url) as home:
            home.conversation.prepare()
            session = await server.session()
            await session.tools_ready.wait()
            home.tools = ()
            home.conversation.tools_changed()
            await until(lambda: session.messages[-1].get("payload", {}).get("method") is not None)
            changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
            assert session.messages[-1]["payload"] == changed
            await parts_of(home.turn("hi"))

    run(conversation)


def test_unspoken_sentences_and_silence_make_no_parts():
    async def empty(session, text):
        await session.stt("  ")
        await session.stt(text)
        await session.tts("start")
        await session.tts("sentence_start", text=" ")
        await session.sentence("Yes.")
        await session.tts("stop")

    async def conversation():
        async with XiaozhiServer(empty) as server, Home(server.url) as home:
            parts = await home.ask(pcm=speech.audio((speech.LOUD, 640), (speech.QUIET, 640)))
            assert [each for each in parts if isinstance(each, Sentence)] == [
                Sentence(text="Yes.")
            ]

    run(conversation)
