"""The bootstrap over HTTP: address and token, activation by a code on the screen, failures."""

import asyncio
import logging
import stat

import pytest
from fakes.pipeline_servers import HttpServer, replies, silence
from fakes.xiaozhi_home import Home, parts_of, texts, until
from fakes.xiaozhi_server import MAC, UUID, XiaozhiServer
from voxcard.assistants import Failed, ShowCard, Transcript
from voxcard.assistants.xiaozhi.bootstrap import identity
from voxcard.assistants.xiaozhi.bootstrap.registration import Registration
from voxcard.errors import VoxcardError

TOKEN = "ota-token-0123456789"
ACTIVATION = {
    "code": "123456",
    "message": "xiaozhi.me\n123456",
    "challenge": "c",
    "timeout_ms": 30000,
}


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            return await conversation()

    return asyncio.run(limited())


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(Registration.__init__, "__defaults__", (0.01,))


def published(url, token=""):
    """The answer of the Python server, as it was captured."""
    return {
        "server_time": {"timestamp": 1796026217859, "timezone_offset": 480},
        "firmware": {"version": "0.1.0", "url": ""},
        "websocket": {"url": url, "token": token},
    }


def strictly(script):
    """`script` for requests that are those of firmware."""

    async def checked(request):
        headers, body = request.headers, request.json
        assert MAC.fullmatch(headers["device-id"]) and UUID.fullmatch(headers["client-id"])
        assert headers["activation-version"] == "1" and headers["user-agent"].startswith(
            "voxcard/"
        )
        if request.path.endswith("/activate"):
            assert body == {}
        else:
            assert body["mac_address"] == headers["device-id"]
            assert body["uuid"] == headers["client-id"]
            assert {"application", "board", "version", "language"} <= set(body)
        async for piece in script(request):
            yield piece

    return checked


def test_the_bootstrap_gives_address_and_token_once():
    async def conversation():
        async with XiaozhiServer(token=TOKEN) as server:
            script = strictly(replies(200, published(server.url, TOKEN)))
            async with HttpServer(script) as ota, Home(ota.url + "/xiaozhi/ota/") as home:
                assert texts(await home.ask("one")) == ["You said one."]
                await home.conversation._link.close()
                assert texts(await home.ask("two")) == ["You said two."]
                assert [each.path for each in ota.requests] == ["/v1/xiaozhi/ota/"]
                same = server.sessions[0].headers["Device-Id"]
                assert ota.requests[0].headers["device-id"] == same

    run(conversation)


def test_a_code_is_shown_and_said_then_polled_until_it_was_typed():
    async def conversation():
        async with XiaozhiServer() as server:
            asked = replies(200, {"activation": ACTIVATION, **published(server.url)})
            scripts = [asked, replies(202, {}), replies(500, {}), replies(202, {})]
            scripts += [replies(200, {"message": "ok"}), replies(200, published(server.url))]
            async with HttpServer(*map(strictly, scripts)) as ota, Home(ota.url) as home:
                (transcript, card, failed) = await home.ask("hi")
                assert transcript == Transcript(text="hi")
                assert isinstance(card, ShowCard) and isinstance(failed, Failed)
                assert card.source == {
                    "title": "Register this device",
                    "blocks": [{"type": "text", "text": "# 123456\n\nxiaozhi.me"}],
                }
                assert "its code is 1 2 3 4 5 6. Register it" in failed.message
                assert not failed.retryable  # the code is said, nobody answers instead
                assert "1 2 3 4 5 6" in home.assistant.health()
                await until(lambda: len(ota.requests) >= 5)
                await until(lambda: home.conversation._registration._waiting is None)
                assert texts(await home.ask("hi")) == ["You said hi."]
                paths = [each.path.rpartition("/")[2] for each in ota.requests]
                assert paths == ["v1", *["activate"] * 4, "v1"]

    run(conversation)


def test_without_a_challenge_the_bootstrap_itself_is_polled():
    async def conversation():
        async with XiaozhiServer() as server:
            waits = replies(200, {"activation": {"code": "77", "message": 5}})
            ready = replies(200, published(server.url))
            async with HttpServer(waits, waits, waits, ready) as ota, Home(ota.url) as home:
                card = (await home.ask("hi"))[1]
                assert "# 77\n\nType this code" in card.source["blocks"][0]["text"]
                await until(lambda: home.conversation._registration._waiting is None)
                assert texts(await home.ask("hi")) == ["You said hi."]

    run(conversation)


def test_a_code_is_shown_once_and_then_another_assistant_may_answer():
    async def conversation():
        waits = replies(200, {"activation": {**ACTIVATION, "timeout_ms": 10**9}})
        async with HttpServer(waits, replies(202, {})) as ota, Home(ota.url) as home:
            assert isinstance((await home.ask("hi"))[1], ShowCard)
            (_, failed) = await home.ask("hi")
            assert failed.retryable and "1 2 3 4 5 6" in failed.message

    run(conversation)


def test_an_activation_that_nobody_completes_ends_with_a_new_code():
    async def conversation():
        first = replies(200, {"activation": {**ACTIVATION, "timeout_ms": 50}})
        later = replies(200, {"activation": {**ACTIVATION, "code": "654321", "challenge": None}})
        async with HttpServer(first, replies(202, {})) as ota, Home(ota.url) as home:
            await home.ask("hi")
            await until(lambda: home.conversation._registration._waiting is None)
            ota.scripts = [later]
            card = (await home.ask("hi"))[1]
            assert "# 654321" in card.source["blocks"][0]["text"]

    run(conversation)


def test_a_code_begins_a_turn_where_the_assistant_stays_connected():
    async def conversation():
        waits = replies(200, {"activation": ACTIVATION})
        async with (
            HttpServer(waits, replies(202, {})) as ota,
            Home(ota.url, stay_connected=True) as home,
        ):
            begun = home.conversation.begun()
            begin = await anext(begun)
            assert not begin.urgent
            (card, failed) = await parts_of(begin.open())
            assert isinstance(card, ShowCard) and "1 2 3 4 5 6" in failed.message
            await begun.aclose()

    run(conversation)


def test_the_kept_address_does_while_the_bootstrap_is_away():
    async def conversation():
        async with XiaozhiServer() as server:
            scripts = replies(200, published(server.url)), replies(503, {})
            async with HttpServer(*scripts) as ota, Home(ota.url) as home:
                await home.ask("one")
                home.conversation._registration.failed()
                await home.conversation._link.close()
                assert texts(await home.ask("two")) == ["You said two."]
                assert len(ota.requests) == 2

    run(conversation)


def test_an_address_that_moved_is_asked_for_again():
    async def conversation():
        async with XiaozhiServer() as server:
            scripts = (
                replies(200, published("ws://127.0.0.1:1/")),
                replies(200, published(server.url)),
            )
            async with HttpServer(*scripts) as ota, Home(ota.url) as home:
                assert "cannot be reached" in (await home.ask("one"))[-1].message
                assert texts(await home.ask("two")) == ["You said two."]

    run(conversation)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (replies(200, b"<html>"), "answered its bootstrap with something that is no JSON."),
        (replies(200, b"[" * 9000), "answered its bootstrap with something that is no JSON."),
        (replies(200, []), "answered its bootstrap with something that is no JSON."),
        (replies(200, b"x" * 100_000), "answered its bootstrap with too much."),
        (replies(200, {"success": False}), "names no WebSocket in its bootstrap."),
        (replies(200, published("http://x/")), "names a WebSocket that is no address."),
        (replies(200, published("ws://x y/\r\n")), "names a WebSocket that is no address."),
        (replies(200, {"websocket": {"url": 5}}), "names no WebSocket in its bootstrap."),
        (replies(200, {"activation": {"code": "\x1b[2J"}}), "names no WebSocket"),
        (replies(401, {}), "refuses the token (401)."),
        (replies(404, {}), "has no such interface (404). Check the path in server of"),
        (replies(500, {}), "has a fault (500). See its log."),
        (replies(302, {}), "does not take the request (302)."),
        (silence, "said nothing for 0.3 s."),
    ],
)
def test_a_bootstrap_that_goes_wrong_is_a_sentence(script, problem):
    async def conversation():
        async with HttpServer(script) as ota, Home(ota.url, limit_s=0.3) as home:
            failed = (await home.ask("hi"))[-1]
            assert failed.retryable
            message = failed.message.replace(ota.url, "URL")
            assert message.startswith(f"The xiaozhi server URL {problem}")

    run(conversation)


def test_a_token_of_the_bootstrap_is_never_shown(caplog):
    caplog.set_level(logging.DEBUG)

    async def conversation():
        async with XiaozhiServer(token="right") as server:
            url = f"{server.url}?token={TOKEN}"
            async with (
                HttpServer(replies(200, published(url, TOKEN))) as ota,
                Home(ota.url) as home,
            ):
                return (await home.ask("hi"))[-1].message

    message = run(conversation)
    assert "refuses the token" in message
    # The stand-in's own side of that library logs what it was sent: that is not the bridge.
    ours = [each for each in caplog.records if each.name != "websockets.server"]
    assert TOKEN not in message + "".join(each.getMessage() for each in ours)


def test_closing_a_conversation_ends_its_polling():
    async def conversation():
        scripts = replies(200, {"activation": ACTIVATION}), silence
        async with HttpServer(*scripts) as ota, Home(ota.url) as home:
            await home.ask("hi")
            await home.conversation.close()
            names = {task.get_name() for task in asyncio.all_tasks()}
            assert "xiaozhi activation" not in names

    run(conversation)


def test_identities_are_stable_and_differ_by_home_and_device(tmp_path):
    seed = identity.read_seed(tmp_path / "state" / "seed")
    assert stat.S_IMODE((tmp_path / "state" / "seed").stat().st_mode) == 0o600
    assert identity.read_seed(tmp_path / "state" / "seed") == seed and len(seed) == 16
    other = identity.read_seed(tmp_path / "other")
    all_of_them = {identity.identity(s, d) for s in (seed, other) for d in ("kitchen", "hall")}
    assert len({each.device for each in all_of_them}) == 4
    assert len({each.client for each in all_of_them}) == 4
    assert identity.identity(bytes(16), "kitchen") == identity.Identity(
        device="e6:9e:70:9e:0f:98", client="bdb8ee01-17e7-4d9e-8cbb-eade8c61bb80"
    )


@pytest.mark.parametrize("content", ["", "xyz", "00" * 15, "é"])
def test_a_damaged_identity_is_said_and_not_overwritten(tmp_path, content):
    file = tmp_path / "seed"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(VoxcardError, match=r"is damaged\. Bring it back, or remove it"):
        identity.read_seed(file)
    assert file.read_text(encoding="utf-8") == content


def test_an_identity_that_cannot_be_kept_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(VoxcardError, match="cannot be kept"):
        identity.read_seed(tmp_path / "file" / "seed")
