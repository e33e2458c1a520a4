"""Every trap of interoperating with xiaozhi servers, each a test of its name.

Seen in 78/xiaozhi-esp32 2.4.2, xinnan-tech/xiaozhi-esp32-server 0.9.6 and its MQTT gateway.
"""

import asyncio
import json
import time

import pytest
from fakes.pipeline_servers import HttpServer, replies
from fakes.xiaozhi_home import QUESTION, Home, texts
from fakes.xiaozhi_server import XiaozhiServer, opus
from voxcard.assistants import CallTool, Failed, Hush, Speech, ToolReply, Transcript
from voxcard.assistants.xiaozhi.tools import mcp_server
from voxcard.toolhub.model import Picture, ToolSpec

LIGHT = {"name": "home.light", "arguments": {"on": True}}


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            return await conversation()

    return asyncio.run(limited())


def asked(script, *tool_replies, text="hi", **more):
    """(parts, session) of a typed turn with a server of that script."""

    async def conversation():
        options = {key: more.pop(key) for key in ("frames", "no_session_id") if key in more}
        async with XiaozhiServer(script, **options) as server, Home(server.url, **more) as home:
            parts = await home.ask(text, replies=list(tool_replies))
            return parts, server.sessions[0]

    return run(conversation)


@pytest.mark.parametrize("number", ["7", None, True, 7.5, [7], 2**60])
def test_numeric_ids_only(number):
    payload = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": LIGHT}
    assert mcp_server.request(payload, lambda: ()) is None
    whole = mcp_server.request({**payload, "id": 7.0, "method": "ping"}, lambda: ())
    assert json.dumps(whole) == '{"jsonrpc": "2.0", "id": 7, "result": {}}'


def test_ids_1_and_2_are_used_again_for_calls():
    async def script(session, text):
        await session.tools_ready.wait()  # greeted with 1, listed with 2
        await session.stt(text)
        first = await session.call("home.light", {"on": True}, number=1)
        second = await session.call("home.light", {"on": False}, number=2)
        await session.mcp(id=2, method="tools/call", params=LIGHT)
        await session.mcp(id=2, method="tools/call", params=LIGHT)
        both = [await session.response(), await session.response()]
        words = [each["result"]["content"][0]["text"] for each in (first, second, *both)]
        await session.say(*words)

    parts, _ = asked(script, *[ToolReply(text=each) for each in ("one", "two", "three", "four")])
    assert texts(parts) == ["one", "two", "three", "four"]
    assert len([each for each in parts if isinstance(each, CallTool)]) == 4


def test_an_error_without_a_code_is_passed_over_and_ours_have_one():
    async def script(session, text):
        await session.mcp(id=4, error={"message": "no such thing"})
        await session.mcp(error="broken", result=None)
        await session.stt(text)
        reply = await session.call("nothing")
        assert reply["error"] == {"code": -32601, "message": "Unknown tool: nothing"}
        await session.say("Well.")

    assert texts(asked(script)[0]) == ["Well."]


def test_mcp_messages_of_the_server_have_no_session_id():
    async def script(session, text):
        await session.stt(text)
        await session.socket.send(
            json.dumps(
                {
                    "type": "mcp",
                    "payload": {
                        "jsonrpc": "2.0",
                        "id": 3,
                        "method": "tools/call",
                        "params": LIGHT,
                    },
                }
            )
        )
        await session.response()
        assert session.messages[-1]["session_id"] == session.id
        await session.say("Well.")

    assert texts(asked(script, ToolReply(text="on"))[0]) == ["Well."]


def test_the_hello_lies_about_the_sample_rate():
    async def script(session, text):  # its hello repeats our 16000, and it sends 24 kHz
        await session.stt(text)
        packets = opus(300, 24000)
        assert packets[2][0] >> 3 in (12, 13, 24, 25, 26, 27)  # super-wide band: RFC 6716, 3.1
        await session.tts("start")
        await session.audio(packets)
        await session.tts("stop")

    pcm = [part for part in asked(script)[0] if isinstance(part, Speech)]
    assert sum(len(part.pcm) for part in pcm) / 2 / pcm[0].rate_hz == pytest.approx(0.3)


def test_a_tool_name_that_comes_as_what_was_heard_is_not_shown():
    async def script(session, text):
        await session.stt(text)
        await session.stt("% self_audio_speaker_set_volume")
        await session.stt("%")
        await session.say("Louder.")

    async def conversation():
        async with XiaozhiServer(script) as server, Home(server.url) as home:
            parts = await home.ask(pcm=QUESTION)
            assert [each.text for each in parts if isinstance(each, Transcript)] == ["hello there"]

    run(conversation)


def test_tts_start_comes_after_the_first_audio():
    async def script(session, text):
        await session.stt(text)
        await session.audio(opus(120))
        await session.tts("start")
        await session.sentence("Late.", 180)
        await session.tts("stop")

    pcm = b"".join(part.pcm for part in asked(script)[0] if isinstance(part, Speech))
    assert len(pcm) == 48 * 300 * 2


def test_initialize_comes_twice():
    async def script(session, text):
        await session.tools_ready.wait()
        await session.mcp(id=1, method="initialize", params={})
        await session.mcp(id=10000, method="initialize", params={"capabilities": {}})
        await session.mcp(method="notifications/initialized")
        await session.stt(text)
        await session.say("Well.")

    parts, session = asked(script)
    assert texts(parts) == ["Well."]
    greeted = [each["id"] for each in session.responses if "serverInfo" in each.get("result", {})]
    assert greeted == [1, 1, 10000]


def test_a_server_that_offers_mqtt_of_qos_0_only_is_refused_with_the_remedy():
    mqtt = {
        "endpoint": "127.0.0.1:8883",
        "client_id": "GID_x@@@y",
        "publish_topic": "device-server",
    }

    async def conversation():
        async with HttpServer(replies(200, {"mqtt": mqtt})) as ota, Home(ota.url) as home:
            (_, failed) = await home.ask("hi")
            assert isinstance(failed, Failed) and failed.retryable
            assert "offers MQTT only. Leave mqtt_gateway out of its settings" in failed.message

    run(conversation)


@pytest.mark.parametrize("text", ["x" * 9000, '"' * 9000, "é" * 9000, "语" * 9000, "\n\\" * 9000])
def test_no_message_is_over_8192_bytes(text):
    async def script(session, heard):
        await session.stt(heard)
        reply = await session.call("home.light", {"on": True})  # the stand-in counts its bytes
        words = reply["result"]["content"][0]["text"]
        assert words.endswith("…") and text.startswith(words[:-1])
        assert len(json.dumps(words)) > 6900
        await session.say("Long.")

    assert texts(asked(script, ToolReply(text=text))[0]) == ["Long."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"action": "RESPONSE", "response": "x"}',
            'Result: {"action": "RESPONSE", "response": "x"}',
        ),
        (' {"action": 1}', 'Result:  {"action": 1}'),
        ('{"level": 3}', '{"level": 3}'),
        ('["action"]', '["action"]'),
        ("action", "action"),
    ],
)
def test_no_result_is_an_object_with_the_key_action(text, words):
    payload = mcp_server.outcome(1, ToolReply(text=text))
    assert payload["result"]["content"][0]["text"] == words


def test_text_that_is_no_json_is_echoed_and_none_is_sent():
    async def script(session, text):
        for junk in ("认证失败", "42", "", "[]", "{", '{"type": 5}', "[" * 5000):
            await session.socket.send(junk)
        await session.stt(text)
        await session.say("Well.")

    parts, session = asked(script, text='"quoted" {"and": \x00}')
    assert texts(parts) == ["Well."]
    assert all(isinstance(each, dict) for each in session.messages)


def test_an_empty_session_id_is_accepted():
    async def script(session, text):
        await session.stt(text)
        await session.say("Well.")

    parts, session = asked(script, no_session_id=True)
    assert texts(parts) == ["Well."]
    assert {each["session_id"] for each in session.messages[1:]} == {""}


def test_protocol_version_is_ignored_by_the_server():
    async def script(session, text):
        await session.stt(text)
        await session.say("Raw.")

    # It would hear version 2 as noise; what it sends is understood as it comes.
    async def conversation():
        async with XiaozhiServer(script) as server, Home(server.url, version=2) as home:
            home.conversation.prepare()
            await (await server.session()).tools_ready.wait()
            server.frames = False
            parts = await home.conversation.turn(_held_words()).__anext__()
            assert parts == Transcript(text="hi")

    run(conversation)
    assert mcp_server.TEXT_MAX < 8192


def _held_words():
    from voxcard.assistants import Heard

    return Heard(text="hi")


def test_audio_right_after_typed_words_is_held_until_the_server_listens():
    async def deaf(session, text):
        await session.stt(text)
        await session.say("Typed.")

    async def conversation():
        async with XiaozhiServer(deaf) as server, Home(server.url) as home:
            await home.ask("hi")
            (session,) = server.sessions
            assert len(session.packets) == 1  # silence, from which the server counts its 2 s
            began_s = time.monotonic()
            await home.ask(pcm=QUESTION)
            assert time.monotonic() - began_s > 1.8
            assert len(session.packets) > 20

    run(conversation)


def test_a_stop_of_the_answer_before_ends_nothing():
    async def script(session, text):
        await session.tts("stop")
        await session.audio(opus(60))
        await session.stt(text)
        await session.say("Mine.")

    assert texts(asked(script)[0]) == ["Mine."]


def test_the_answer_is_not_cut_when_stop_comes_at_once():
    async def script(session, text):
        await session.stt(text)
        await session.tts("start")
        await session.audio(opus(3000))
        await session.tts("stop")

    parts = asked(script)[0]
    assert sum(len(part.pcm) for part in parts if isinstance(part, Speech)) == 48 * 3000 * 2
    assert not [each for each in parts if isinstance(each, Hush)]


def test_a_long_list_of_tools_comes_in_pages_and_one_that_fills_a_page_alone_is_cut():
    schema = {"type": "object", "properties": {"x": {"type": "string", "description": "y" * 200}}}
    tools = [
        ToolSpec(name=f"home.tool {n}", description="é" * 150, input_schema=schema, source="h")
        for n in range(60)
    ]
    wide = {
        "type": "object",
        "properties": {f"p{n}": {"description": "d" * 99} for n in range(90)},
    }
    vast = {"type": "object", "properties": {"p": {"enum": ["e" * 90 for _ in range(99)]}}}
    tools += [
        ToolSpec(name="long", description="z" * 20_000, input_schema=schema, source="h"),
        ToolSpec(name="wide", description="w", input_schema=wide, source="h"),
        ToolSpec(name="vast", description="v", input_schema=vast, source="h"),
    ]

    async def conversation():
        async with XiaozhiServer() as server, Home(server.url, tools=tools) as home:
            home.conversation.prepare()
            session = await server.session()
            await session.tools_ready.wait()
            names = [each["name"] for each in session.tools]
            assert names == [f"home.tool_{n}" for n in range(60)] + ["long", "wide"]
            assert len(session.pages) > 5 and max(session.pages) <= 8000

    run(conversation)


def test_names_that_the_server_would_write_alike_differ():
    tools = [
        ToolSpec(name=name, description="", input_schema={}, source="h")
        for name in ("a.b", "a_b", "a b", "ü" * 80, "ü" * 70)
    ]

    async def conversation():
        async with XiaozhiServer() as server, Home(server.url, tools=tools) as home:
            home.conversation.prepare()
            session = await server.session()
            await session.tools_ready.wait()  # the stand-in refuses two of one name
            assert [each["name"] for each in session.tools[:3]] == ["a.b", "a_b_2", "a_b_3"]

    run(conversation)


def test_an_order_to_restart_is_not_obeyed():
    async def script(session, text):
        await session.stt(text)
        await session.send("system", command="reboot")
        await session.send("custom", payload={"message": "x"})
        await session.say("Well.")

    assert texts(asked(script)[0]) == ["Well."]


def test_a_goodbye_of_another_session_ends_nothing():
    async def script(session, text):
        await session.stt(text)
        await session.socket.send(json.dumps({"type": "goodbye", "session_id": "other"}))
        await session.say("Still here.")

    assert texts(asked(script)[0]) == ["Still here."]


def test_a_photo_without_words_is_told_of():
    picture = Picture(data=b"jpeg", mime_type="image/jpeg")
    payload = mcp_server.outcome(1, ToolReply(text="", pictures=(picture,)))
    assert "picture was taken" in payload["result"]["content"][0]["text"]


def test_typed_words_wait_until_a_new_connection_knows_the_tools():
    async def script(session, text):
        assert session.tools_ready.is_set()
        assert [each["type"] for each in session.messages[-2:]] == ["mcp", "listen"]
        await session.stt(text)
        await session.say("Well.")

    async def conversation():
        async with (
            XiaozhiServer(script, lists_after_s=0.3) as server,
            Home(server.url) as home,
        ):
            assert texts(await home.ask("hi")) == ["Well."]

    run(conversation)


def test_a_server_that_wants_no_tools_is_waited_for_once(monkeypatch):
    monkeypatch.setattr("voxcard.assistants.xiaozhi.link.TOOLS_S", 0.05)

    async def greets(session):
        await session.greet({"format": "opus"})

    async def conversation():
        async with XiaozhiServer(on_hello=greets) as server, Home(server.url) as home:
            assert texts(await home.ask("hi")) == ["You said hi."]
            assert texts(await home.ask("again")) == ["You said again."]

    run(conversation)
