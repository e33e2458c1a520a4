"""A running bridge answers the command line over its socket, and nobody else."""

import asyncio
import base64
import json
import socket
import stat

import pytest
from fakes.service import FakeService
from voxcard.control.server import ControlServer, request
from voxcard.errors import VoxcardError


def with_server(tmp_path, talk, token=""):
    async def run():
        bridge = FakeService()
        server = ControlServer(bridge, tmp_path / "run" / "control.sock", token)
        await server.start()
        try:
            return await asyncio.wait_for(talk(bridge, tmp_path / "run" / "control.sock"), 10)
        finally:
            await server.stop()

    return asyncio.run(run())


def ask(path, do, reports=None, **values):
    told = [] if reports is None else reports
    return request(path, do, values, told.append)


def test_each_request_reaches_the_bridge_and_its_answer_comes_back(tmp_path):
    async def talk(bridge, path):
        assert await ask(path, "devices") == [
            {
                "id": "kitchen",
                "name": "The kitchen",
                "online": True,
                "state": "idle",
                "board": "",
                "access": "",
                "firmware": "",
                "update": "",
                "timers": [],
            }
        ]
        assert await ask(path, "say", device="kitchen", text="Grüße") == {}
        ends = await ask(path, "announce", devices=[], text="Hi", card={"title": "T"})
        assert [(end["device"], end["state"], end["delivered"]) for end in ends] == [
            ("kitchen", "played", True),
            ("study", "played", True),
        ]
        [(_, announcement, devices)] = [each for each in bridge.asked if each[0] == "announce"]
        assert (announcement.text, announcement.card, devices) == ("Hi", {"title": "T"}, [])
        assert (announcement.urgent, announcement.audio, announcement.wait_s) == (False, b"", -1)
        bridge.asked.pop()
        assert await ask(path, "card_show", device="kitchen", source={"title": "T"}) == {
            "id": "c1"
        }
        [spec] = await ask(path, "tool_list", device="kitchen", scope="user")
        assert (spec["name"], spec["description"]) == ("self.a", "user")
        assert spec["input_schema"]["properties"] == {"volume": {"type": "integer"}}
        assert bridge.asked == [("say", "kitchen", "Grüße"), ("card", {"title": "T"})]

    with_server(tmp_path, talk)


def test_a_question_reports_its_parts_while_it_runs(tmp_path):
    async def talk(bridge, path):
        reports = []
        wav = base64.b64encode(b"RIFF").decode()
        done = await ask(path, "ask", reports, device="kitchen", wav=wav)
        assert [part["text"] for part in reports] == ["what is the volume", "It is 60."]
        assert done == reports and done[1]["detail"] == {"volume": 60}
        assert bridge.asked == [("ask", "kitchen", "", b"RIFF")]

    with_server(tmp_path, talk)


SCOPES = [
    ("user", "", "user", False),
    ("admin", "", "user", True),
    ("admin", "wrong", "user", True),
    ("admin", "right", "admin", False),
]


@pytest.mark.parametrize(("wanted", "token", "granted", "confirm"), SCOPES)
def test_the_admin_scope_needs_the_token_else_the_device_confirms(
    tmp_path, wanted, token, granted, confirm
):
    async def talk(bridge, path):
        reports = []
        values = {"device": "kitchen", "name": "self.reboot", "arguments": {"in": 1}}
        done = await ask(path, "tool_call", reports, scope=wanted, token=token, **values)
        assert done == {
            "text": "done",
            "is_error": False,
            "result": {"content": [], "_meta": {"a": 1}},
        }
        assert bridge.asked == [("self.reboot", {"in": 1}, granted)]
        told = [report["progress"] for report in reports]
        first = ["Confirm this on the device's screen."] if confirm else []
        assert told == [*first, "half way"]

    with_server(tmp_path, talk, token="right")


def test_without_a_token_in_the_file_no_token_is_right(tmp_path):
    async def talk(bridge, path):
        values = {"device": "kitchen", "name": "self.reboot", "arguments": {}}
        await ask(path, "tool_call", scope="admin", token="", **values)
        assert bridge.asked == [("self.reboot", {}, "user")]

    with_server(tmp_path, talk, token="")


REFUSED = [
    ("say", {"device": "gone", "text": "x"}, "There is no device gone.", "See: voxcard devices"),
    ("say", {"device": "kitchen"}, "The request has no text.", "Give text as text."),
    ("say", {"device": "broken", "text": "x"}, "failed at this (ZeroDivisionError)", "its log"),
    ("announce", {"text": "x"}, "The request has no devices.", "list of ids"),
    ("announce", {"devices": ["k", 1], "text": "x"}, "The request has no devices.", "list of"),
    ("announce", {"devices": ["gone"], "text": "x"}, "There is no device gone.", "See: voxcard"),
    ("announce", {"devices": ["k"], "wait_s": "1"}, "wait_s is no number", "leave it out"),
    ("announce", {"devices": ["k"], "wait_s": True}, "wait_s is no number", "leave it out"),
    ("announce", {"devices": ["k"], "audio": "?"}, "audio is not base64", "Send it so."),
    ("announce", {"devices": ["k"], "card": 1}, "The request has no card.", "JSON object"),
    ("dance", {}, "does not know the request dance", "same version"),
    ("card_show", {"device": "k", "source": []}, "The request has no source.", "JSON object"),
    ("ask", {"device": "k", "wav": "?"}, "wav is not base64", "Send it so."),
]


@pytest.mark.parametrize(("do", "values", "problem", "remedy"), REFUSED)
def test_an_error_travels_with_its_remedy(tmp_path, do, values, problem, remedy):
    async def talk(bridge, path):
        with pytest.raises(VoxcardError) as caught:
            await ask(path, do, **values)
        assert problem in caught.value.problem and remedy in caught.value.remedy

    with_server(tmp_path, talk)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"no json\n", "The request is not JSON."),
        (b"[1]\n", "The request is not a JSON object."),
        (b"\xff\n", "The request is not JSON."),
        (b"[" * 100_000 + b"\n", "The request is not JSON."),
        (b'{"do":"say","device":"a","text":"b\\ud800"}\n', "The request has half a character"),
        (b'{"do":"tool_call","token":"\\udfff"}\n', "The request has half a character"),
        (b'{"do":"\xed\xa0\x80"}\n', "The request is not JSON."),
        (b'{"do":"\\u001b[2J' + b"x" * 9000 + b'"}\n', "does not know the request xxxxx"),
    ],
)
def test_garbage_gets_one_error_and_the_next_client_is_served(tmp_path, line, problem):
    async def talk(bridge, path):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(line)
        answer = json.loads(await reader.readline())
        assert problem in answer["error"]["problem"]
        assert len(answer["error"]["problem"]) < 200
        writer.close()
        assert await ask(path, "devices")

    with_server(tmp_path, talk)


def test_half_a_character_in_a_tool_s_answer_costs_that_character(tmp_path):
    async def talk(bridge, path):
        reports = []
        done = await ask(path, "ask", reports, device="kitchen", text="half")
        assert (
            done == reports
            and done[1]["text"] == "It is ?60."
            and done[1]["detail"] == {"?": "a?"}
        )

    with_server(tmp_path, talk)


def test_a_client_that_goes_away_cancels_what_it_asked_for(tmp_path):
    async def talk(bridge, path):
        questions = asyncio.create_task(ask(path, "say", device="slow", text="x"))
        await bridge.entered.wait()
        questions.cancel()
        await bridge.cancelled.wait()

    with_server(tmp_path, talk)


def test_a_bridge_that_stops_cancels_what_runs_and_tells_the_client(tmp_path):
    async def run():
        bridge, path = FakeService(), tmp_path / "control.sock"
        server = ControlServer(bridge, path)
        await server.start()
        questions = asyncio.create_task(ask(path, "say", device="slow", text="x"))
        await bridge.entered.wait()
        await server.stop()
        with pytest.raises(VoxcardError, match="stopped before it answered"):
            await asyncio.wait_for(questions, 10)
        assert bridge.cancelled.is_set() and not path.exists()
        await server.stop()

    asyncio.run(run())


def test_the_socket_is_the_users_own(tmp_path):
    async def talk(bridge, path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    with_server(tmp_path, talk)


def test_a_second_bridge_on_the_same_socket_is_refused(tmp_path):
    async def talk(bridge, path):
        with pytest.raises(VoxcardError, match="Another bridge is running"):
            await ControlServer(bridge, path).start()
        assert await ask(path, "devices")

    with_server(tmp_path, talk)


def test_the_socket_of_a_bridge_that_died_is_taken_over(tmp_path):
    left = tmp_path / "run" / "control.sock"
    left.parent.mkdir()
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(left))
    dead.close()

    async def talk(bridge, path):
        assert path == left and await ask(path, "devices")

    with_server(tmp_path, talk)


def test_a_file_that_is_no_socket_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(VoxcardError, match=r"cannot be made.*control\] socket"):
        asyncio.run(ControlServer(None, path).start())
    assert path.read_text() == "mine"


def test_a_path_too_long_for_a_socket_is_a_sentence(tmp_path):
    with pytest.raises(VoxcardError, match="cannot be made"):
        asyncio.run(ControlServer(None, tmp_path / ("x" * 120)).start())


def test_without_a_bridge_the_client_says_how_to_start_one(tmp_path):
    with pytest.raises(VoxcardError, match=r"not running.*voxcard run"):
        asyncio.run(ask(tmp_path / "none.sock", "devices"))


@pytest.mark.parametrize(
    "values", [{"device": "\ud800"}, {"device": "kitchen", "text": "a\udfffb"}]
)
def test_half_of_a_character_is_refused_in_one_sentence(tmp_path, values):
    async def talk(bridge, path):
        line = json.dumps({"do": "say", "text": "x", **values}).encode() + b"\n"
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(line)
        answer = json.loads(await reader.read())
        writer.close()
        assert answer["error"]["problem"].startswith("The request has half a character")
        assert bridge.asked == []

    with_server(tmp_path, talk)
