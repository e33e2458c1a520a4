"""A device's own tools, over JSON-RPC: listed, called, cancelled, and never trusted."""

import asyncio
import base64

import pytest
from fakes.tools import FakeDevice, says, tool
from voxcard.errors import VoxcardError
from voxcard.toolhub.hub import Hub
from voxwire.errors import WireError

VOLUME = tool(
    "self.audio_speaker.set_volume", volume={"type": "integer", "minimum": 0, "maximum": 100}
)
STATUS = tool("self.get_device_status")
PHOTO = tool("self.camera.take_photo")
INFO = tool("self.get_system_info", "user")
REBOOT = tool("self.reboot", "admin")
HANG_S = 300  # far beyond what a busy machine needs: a test that hangs ends
ALL = (VOLUME, STATUS, PHOTO, INFO, REBOOT)


async def no_picture(device_id, blob_id):
    raise VoxcardError("The picture was broken.")


def with_device(device, talk, picture=no_picture, **limits):
    async def run():
        hub = Hub(picture=picture, **limits)
        device.attach(hub)
        await hub.refresh("kitchen")
        try:
            async with asyncio.timeout(HANG_S):
                await talk(hub)
        finally:
            await hub.stop()

    asyncio.run(run())


def test_the_list_is_read_page_by_page_after_the_handshake():
    device = FakeDevice(ALL)

    async def talk(hub):
        methods = [payload["method"] for payload in device.sent]
        assert methods == [
            "initialize",
            "notifications/initialized",
            "tools/list",
            "tools/list",
            "tools/list",
        ]
        assert device.sent[0]["params"]["protocolVersion"] == "2024-11-05"
        assert [page["params"].get("cursor") for page in device.calls("tools/list")] == [
            None,
            "2",
            "4",
        ]
        volume = hub.specs("kitchen")[0]
        assert volume.name == "self.audio_speaker.set_volume" and volume.source == "device"
        assert volume.input_schema["properties"]["volume"]["maximum"] == 100

    with_device(device, talk)


def test_every_request_has_a_number_of_its_own():
    device = FakeDevice(ALL, {"self.get_device_status": says("ok")})
    other = FakeDevice([STATUS], {"self.get_device_status": says("ok")})

    async def talk(hub):
        other.attach(hub, "hall")
        await hub.refresh("hall")
        for device_id in ("kitchen", "hall", "kitchen"):
            await hub.call(device_id, "self.get_device_status", {})
        ids = [each["id"] for each in device.sent + other.sent if "id" in each]
        assert all(isinstance(one, int) for one in ids) and len(ids) == len(set(ids)) == 9

    with_device(device, talk)


def test_a_scope_lists_only_what_it_reaches():
    async def talk(hub):
        names = {s: [spec.name for spec in hub.specs("kitchen", s)] for s in ("ai", "user")}
        assert names["ai"] == [each["name"] for each in (VOLUME, STATUS, PHOTO)]
        assert names["user"] == [*names["ai"], "self.get_system_info"]
        assert len(hub.specs("kitchen", "admin")) == 5

    with_device(FakeDevice(ALL), talk)


def test_a_call_carries_its_arguments_and_its_scope():
    device = FakeDevice(ALL, {"self.audio_speaker.set_volume": says("true")})

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.audio_speaker.set_volume", {"volume": 60.0})
        assert (outcome.text, outcome.is_error) == ("true", False)
        [call] = device.calls()
        assert call["params"] == {
            "name": "self.audio_speaker.set_volume",
            "arguments": {"volume": 60},
            "_meta": {"voxcard/scope": "ai"},
        }
        assert isinstance(call["params"]["arguments"]["volume"], int)

    with_device(device, talk)


REFUSED = [
    ({"volume": 250}, "volume must be a whole number from 0 to 100, not 250."),
    ({"volume": "loud"}, 'volume must be a whole number from 0 to 100, not "loud".'),
    ({}, "volume is missing: a whole number from 0 to 100."),
    ({"volume": 5, "gain": 1}, "gain is not an argument; it takes volume."),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_a_wrong_argument_is_refused_before_the_radio(arguments, sentence):
    device = FakeDevice(ALL)

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.audio_speaker.set_volume", arguments)
        assert (outcome.text, outcome.is_error) == (sentence, True)
        assert outcome.result == {"content": [{"type": "text", "text": sentence}], "isError": True}
        assert device.calls() == []

    with_device(device, talk)


def test_the_assistant_may_not_call_what_is_for_people():
    device = FakeDevice(ALL, {"self.get_system_info": says("info"), "self.reboot": says("yes")})

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.get_system_info", {})
        assert outcome.is_error and outcome.text == (
            "self.get_system_info may be called only with the scope user, not ai."
        )
        assert (await hub.call("kitchen", "self.reboot", {})).is_error
        assert device.calls() == []
        outcome = await hub.call("kitchen", "self.get_system_info", {}, scope="user")
        assert outcome.text == "info"
        outcome = await hub.call("kitchen", "self.reboot", {}, scope="user")
        assert outcome.text == "yes"  # the device asked on its screen
        assert device.calls()[-1]["params"]["_meta"] == {"voxcard/scope": "user"}

    with_device(device, talk)


def test_a_refusal_of_the_device_comes_back_as_its_sentence():
    answers = {
        "self.get_device_status": ValueError("The device is busy."),
        "self.reboot": says("Nobody allowed it.", isError=True),
    }

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.get_device_status", {})
        assert (outcome.text, outcome.is_error) == ("The device is busy.", True)
        outcome = await hub.call("kitchen", "self.reboot", {}, scope="admin")
        assert (outcome.text, outcome.is_error) == ("Nobody allowed it.", True)

    with_device(FakeDevice(ALL, answers), talk)


def test_a_device_that_does_not_answer_is_told_that_the_call_is_over():
    device = FakeDevice(ALL)

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.get_device_status", {})
        assert outcome.is_error and outcome.text == (
            "The tool did not answer within 0.05 seconds. Try again in a moment."
        )
        [call] = device.calls()
        [cancelled] = device.calls("notifications/cancelled")
        assert cancelled["params"]["requestId"] == call["id"] and "id" not in cancelled
        device.answer(call["id"], result=says("too late"))

    with_device(device, talk, limit_s=0.05)


def test_the_camera_has_more_time_and_a_person_still_more():
    hub = Hub(picture=no_picture)
    device = FakeDevice(ALL)

    async def run():
        device.attach(hub)
        await hub.refresh("kitchen")
        specs = {spec.name: spec for spec in hub.specs("kitchen", "admin")}
        assert hub._limit(specs["self.get_device_status"], "ai") == 20.0
        assert hub._limit(specs["self.camera.take_photo"], "ai") == 30.0
        assert hub._limit(specs["self.reboot"], "user") == 60.0
        assert hub._limit(specs["self.reboot"], "admin") == 20.0

    asyncio.run(run())


def test_cancelling_the_caller_cancels_the_call():
    device = FakeDevice(ALL)

    async def talk(hub):
        called = asyncio.Event()
        device.on_call = lambda params: called.set()
        calling = asyncio.create_task(hub.call("kitchen", "self.get_device_status", {}))
        await called.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert len(device.calls("notifications/cancelled")) == 1

    with_device(device, talk)


def test_a_device_that_goes_away_ends_the_calls_that_wait():
    device = FakeDevice(ALL)

    async def talk(hub):
        called = asyncio.Event()
        device.on_call = lambda params: called.set()
        calling = asyncio.create_task(hub.call("kitchen", "self.get_device_status", {}))
        await called.wait()
        hub.detach("kitchen")
        outcome = await calling
        assert outcome.is_error and outcome.text == (
            "kitchen went away before it answered. Try again when it is back."
        )
        outcome = await hub.call("kitchen", "self.get_device_status", {})
        assert outcome.text.startswith("There is no tool self.get_device_status.")
        assert hub.specs("kitchen") == []

    with_device(device, talk)


def test_progress_reaches_the_caller_as_lines():
    device = FakeDevice(ALL)

    def take_photo(params):
        token = params["_meta"]["progressToken"]
        device.notify("notifications/progress", progressToken=token, progress=1, total=4)
        device.notify("notifications/progress", progressToken=token, progress=0.5)
        device.notify("notifications/progress", progressToken=token, progress=2, message="Hold on")
        device.notify("notifications/progress", progressToken=99, progress=3)
        device.notify("notifications/progress", progressToken=[], progress="x")
        for odd in (10**400, -(10**400), float("nan"), float("inf"), None, True):
            device.notify("notifications/progress", progressToken=token, progress=odd)
        device.notify("notifications/progress", progressToken=token, progress=3, total=10**400)
        return says("done")

    device.answers = {"self.camera.take_photo": take_photo}

    async def talk(hub):
        lines = []
        await hub.call("kitchen", "self.camera.take_photo", {}, on_progress=lines.append)
        assert lines == ["1 of 4", "0.5", "Hold on", "1", "3"]

    with_device(device, talk)


IMAGE = {"type": "image", "mimeType": "image/jpeg", "_meta": {"voxcard/blob": 7}}


def test_a_picture_is_waited_for_and_put_into_the_result():
    photo = {"content": [IMAGE, {"type": "text", "text": "Here it is."}], "isError": False}
    arrived = asyncio.Event()

    async def picture(device_id, blob_id):
        assert (device_id, blob_id) == ("kitchen", 7)
        await arrived.wait()
        return b"\xff\xd8jpeg"

    async def talk(hub):
        calling = asyncio.create_task(hub.call("kitchen", "self.camera.take_photo", {}))
        arrived.set()
        outcome = await calling
        assert outcome.text == "Here it is." and not outcome.is_error
        [taken] = outcome.pictures
        assert (taken.data, taken.mime_type) == (b"\xff\xd8jpeg", "image/jpeg")
        image = outcome.result["content"][0]
        assert image["data"] == base64.b64encode(b"\xff\xd8jpeg").decode()

    with_device(FakeDevice(ALL, {"self.camera.take_photo": photo}), talk, picture)


def test_a_picture_that_does_not_arrive_is_a_sentence():
    async def talk(hub):
        outcome = await hub.call("kitchen", "self.camera.take_photo", {})
        assert outcome.is_error
        assert outcome.text == "The picture did not arrive whole. Ask for it again."

    with_device(FakeDevice(ALL, {"self.camera.take_photo": {"content": [IMAGE]}}), talk)


@pytest.mark.parametrize("data", [b"", b"\xff\xd8", b"\0\0\0\0", b"GIF89a", b"\xd8\xff\xd8"])
def test_a_frame_that_is_empty_or_no_jpeg_is_a_failure_in_words(data):
    async def picture(device_id, blob_id):
        return data

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.camera.take_photo", {})
        assert outcome.is_error and outcome.text == "The camera gave no picture. Try again."

    photo = {"content": [IMAGE, {"type": "text", "text": "The photo was taken."}]}
    with_device(FakeDevice(ALL, {"self.camera.take_photo": photo}), talk, picture)


def test_a_picture_that_never_comes_ends_with_the_time_of_the_call():
    async def picture(device_id, blob_id):
        await asyncio.Event().wait()

    async def talk(hub):
        outcome = await hub.call("kitchen", "self.camera.take_photo", {})
        assert "did not answer within 0.05 seconds" in outcome.text

    device = FakeDevice(ALL, {"self.camera.take_photo": {"content": [IMAGE]}})
    with_device(device, talk, picture, camera_limit_s=0.05)


def test_a_changed_list_is_read_again():
    device = FakeDevice([STATUS])
    changed = asyncio.Event()

    async def talk(hub):
        device.tools.append(PHOTO)
        changed.clear()
        device.notify("notifications/tools/list_changed")
        await changed.wait()
        assert [spec.name for spec in hub.specs("kitchen")] == [
            "self.get_device_status",
            "self.camera.take_photo",
        ]

    with_device(device, talk, on_change=changed.set)


def test_a_list_that_changes_all_the_time_is_read_once_at_a_time():
    device = FakeDevice([STATUS])
    changed = asyncio.Event()

    async def talk(hub):
        before = len(device.calls("initialize"))
        for _ in range(1000):
            device.notify("notifications/tools/list_changed")
        device.tools.append(PHOTO)
        while len(hub.specs("kitchen")) < 2:
            changed.clear()
            await changed.wait()
        assert len(device.calls("initialize")) - before <= 2

    with_device(device, talk, on_change=changed.set)


def test_a_reader_that_fails_costs_the_list_and_nothing_else(monkeypatch, caplog):
    device = FakeDevice([STATUS])

    def broken(self, entries):
        raise ZeroDivisionError

    async def talk(hub):
        monkeypatch.setattr("voxcard.toolhub.listing.Listing.read", broken)
        await hub.refresh("kitchen")
        assert [spec.name for spec in hub.specs("kitchen")] == ["self.get_device_status"]
        assert caplog.messages == ["kitchen: tools not listed"]

    with_device(device, talk)


def test_a_device_that_lists_more_than_a_home_can_use_is_cut_short(caplog):
    device = FakeDevice([tool(f"self.t{at}") for at in range(5000)], page_size=50)

    async def talk(hub):
        assert len(hub.specs("kitchen")) == 200
        assert len(device.calls("tools/list")) == 5
        assert caplog.messages == [
            "kitchen: tool self.t200 and 49 more: left out: more than 200 tools are listed"
        ]

    with_device(device, talk)


def test_tools_that_are_none_are_one_line(caplog):
    async def talk(hub):
        [line] = [line for line in caplog.messages if "refused" in line]
        assert line.startswith("kitchen: refused 500 tools, the first because tool.name:")

    with_device(FakeDevice([{"name": 5}] * 500, page_size=50), talk)


def test_what_a_device_asks_is_answered():
    device = FakeDevice([STATUS])

    async def talk(hub):
        device.tell({"id": "p1", "method": "ping"})
        device.tell({"id": 5, "method": "sampling/createMessage"})
        assert device.sent[-2] == {"jsonrpc": "2.0", "id": "p1", "result": {}}
        assert device.sent[-1]["error"] == {
            "code": -32601,
            "message": "The bridge has no method sampling/createMessage.",
        }

    with_device(device, talk)


ENTRIES = [
    None,
    [],
    {},
    {"name": ""},
    {"name": "x" * 200},
    {"name": "self.a", "inputSchema": 3},
    {"name": "self.b", "_meta": {"voxcard/scope": "god"}},
    {"name": "bridge.get_time"},
    STATUS,
    STATUS,
]


def test_what_is_no_tool_is_left_out_and_nothing_is_listed_twice():
    async def talk(hub):
        assert [spec.name for spec in hub.specs("kitchen", "admin")] == ["self.get_device_status"]

    with_device(FakeDevice(ENTRIES), talk)


def test_a_list_that_never_ends_is_given_up():
    device = FakeDevice()
    device._result = lambda method, params: {"tools": [STATUS], "nextCursor": "again"}

    async def talk(hub):
        assert len(device.calls("tools/list")) == 2
        assert len(hub.specs("kitchen")) == 1

    with_device(device, talk)


@pytest.mark.parametrize("page", [{"tools": 5}, {"tools": "ab"}, {}, {"nextCursor": 3}])
def test_a_page_of_the_wrong_shape_lists_nothing(page):
    device = FakeDevice()
    device._result = lambda method, params: page

    async def talk(hub):
        assert hub.specs("kitchen") == []

    with_device(device, talk)


def test_garbage_from_a_device_changes_nothing():
    device = FakeDevice(ALL, {"self.get_device_status": says("ok")})

    async def talk(hub):
        for payload in ({}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": [1], "result": {}}):
            hub.receive("kitchen", payload)
        hub.receive("nobody", {"jsonrpc": "2.0", "id": 1, "result": {}})
        device.answer(12345, result=says("for nobody"))
        assert (await hub.call("kitchen", "self.get_device_status", {})).text == "ok"

    with_device(device, talk)


def test_a_call_too_long_for_a_message_is_a_sentence():
    device = FakeDevice([STATUS])

    async def talk(hub):
        def refuse(params):
            raise WireError("mcp", "is 9000 bytes, the limit is 8192")

        device.on_call = refuse
        outcome = await hub.call("kitchen", "self.get_device_status", {})
        assert outcome.is_error and outcome.text == (
            "The call does not fit into a message to the device"
            " (mcp: is 9000 bytes, the limit is 8192). Use shorter arguments."
        )

    with_device(device, talk)


class Unreachable(FakeDevice):
    """A device that the first `failures` messages do not reach."""

    def __init__(self, failures):
        super().__init__([STATUS])
        self.failures = failures

    def send(self, payload):
        if self.failures:
            self.failures -= 1
            raise VoxcardError("The device cannot be reached.", "Check its connection.")
        super().send(payload)


@pytest.fixture
def quick(monkeypatch):
    """Lists are read again after pauses of no length."""
    monkeypatch.setattr("voxcard.toolhub.device_sessions.RETRY_MIN_S", 0.0)


def test_a_list_that_could_not_be_read_is_read_again_until_it_is_there(quick, caplog):
    async def talk(hub):
        assert [spec.name for spec in hub.specs("kitchen")] == ["self.get_device_status"]
        warnings = [record for record in caplog.records if record.levelname == "WARNING"]
        assert [record.getMessage() for record in warnings] == [
            "kitchen: tools not listed: The device cannot be reached. Check its connection."
        ]

    with_device(Unreachable(3), talk)


def test_a_device_that_does_not_answer_is_asked_again(quick, monkeypatch):
    module = "voxcard.toolhub.device_sessions"
    monkeypatch.setattr(f"{module}.REFRESH_LIMIT_S", 0.01)

    class Deaf(FakeDevice):
        """It misses the first three."""

        def send(self, payload):
            if len(self.sent) < 3:
                self.sent.append(payload)
            else:
                monkeypatch.setattr(f"{module}.REFRESH_LIMIT_S", HANG_S)
                super().send(payload)

    async def talk(hub):
        assert [spec.name for spec in hub.specs("kitchen")] == ["self.get_device_status"]

    with_device(Deaf([STATUS]), talk)


def test_the_end_of_the_session_ends_the_trying():
    async def run():
        device, hub = Unreachable(1_000_000), Hub(picture=no_picture)
        device.attach(hub)
        trying = asyncio.create_task(hub.refresh("kitchen"))
        await asyncio.sleep(0)
        hub.detach("kitchen")
        async with asyncio.timeout(HANG_S):
            await trying
        assert device.failures == 999_999

    asyncio.run(run())
