"""The link against a scripted bridge: presence, hello, dispatch, once-only, outbox."""

import asyncio
import binascii
import hashlib
import json

import micropython
from fakes.device import log_lines
from fakes.device.mqtt_broker import Clock, until
from fakes.device.mqtt_client import FakeClient
from link import dispatch
from link.blob_sender import Bytes
from link.device_link import DeviceLink, last_will
from voxwire import blob
from voxwire.capability import Capability, Sound
from voxwire.errors import WireError

SOUND = Sound(("pcm16",), 16000, 40, (16000,), 400, "half")
CAMERA = Capability(
    "cam",
    "Kitchen",
    "0.1.0",
    "sim",
    SOUND,
    None,
    ("talk",),
    True,
    ("auto",),
    "en",
    "full",
    1,
    None,
    None,
)


class Device:
    def __init__(self):
        self.client, self.clock, self.heard = FakeClient(), Clock(), []
        self.link = DeviceLink(
            self.client,
            "cam",
            lambda: CAMERA,
            clock=self.clock,
            sleep_ms=self.clock.sleep_ms,
            getrandbits=lambda bits: 0,
        )
        self.link.on_link = self.heard.append
        self.pump = asyncio.create_task(self.link.pump())

    def hear(self, type_name):
        self.link.on(type_name, lambda message: self.heard.append(message))

    def call(self, **payload):
        payload["jsonrpc"] = "2.0"
        self.client.say(type="mcp", session_id=self.link.session_id, payload=payload)

    async def up(self):
        self.client.rise()
        self.client.say(type="hello", session_id="s1", audio_params={})
        await self.sent()
        self.client.published.clear()
        self.heard.clear()

    async def sent(self):
        await until(lambda: not len(self.link._outbox))
        await asyncio.sleep_ms(0)


async def test_an_offer_is_given_on_and_an_empty_one_too():
    device, offers = Device(), []
    device.link.on_offer(lambda view: offers.append(bytes(view)))
    for payload in (b"{}", b""):
        device.client.handlers["voxcard/cam/offer"](memoryview(payload))
    assert offers == [b"{}", b""]
    device.pump.cancel()


async def test_updates_are_posted_without_a_session():
    device = Device()
    assert device.link.post("update", serial=7, state="waiting") is False
    device.client.rise()
    assert device.link.post("update", serial=7, state="fetch", path="", at=0, size=4096)
    await device.sent()
    assert device.client.spoken("up") == [
        {"type": "update", "serial": 7, "state": "fetch", "path": "", "at": 0, "size": 4096}
    ]
    device.pump.cancel()


async def test_blobs_of_a_kind_are_refused_again_when_nobody_wants_them():
    device = Device()
    await device.up()
    device.link.on_blob("release", lambda blob_id, data, name: device.heard.append((name, data)))
    sha256 = binascii.hexlify(hashlib.sha256(b"x").digest()).decode()
    head = blob.Head("release", 1, sha256, "7:a:0")
    chunk = blob.encode(blob.chunk_at(9, head, b"x", 0))
    device.client.handlers["voxcard/cam/blob/down"](memoryview(chunk))
    assert device.heard == [("7:a:0", b"x")]
    device.link.refuse_blobs("release")
    device.link.refuse_blobs("release")
    chunk = blob.encode(blob.chunk_at(10, head, b"x", 0))
    device.client.handlers["voxcard/cam/blob/down"](memoryview(chunk))
    await device.sent()
    assert device.client.spoken("up")[-1]["error"] == "blob.head.kind: release is of no use here"
    device.pump.cancel()


def test_the_last_will_takes_the_device_offline():
    assert last_will("cam") == (b"voxcard/cam/status", b'{"online":false}', 1, True)


async def test_a_new_connection_says_that_it_is_online_and_then_hello():
    device = Device()
    device.client.rise()
    await device.sent()
    (status, hello) = device.client.published
    assert status[0] == "voxcard/cam/status" and status[2:] == (1, True)
    assert json.loads(status[1]) == {
        "online": True,
        "name": "Kitchen",
        "board": "sim",
        "firmware": "0.1.0",
    }
    assert hello[0] == "voxcard/cam/hello" and hello[2:] == (1, False)
    assert json.loads(hello[1])["id"] == "cam"
    assert device.heard == ["link_up"] and device.link.session_id is None


async def test_a_status_set_to_offline_by_others_is_corrected_until_the_device_goes():
    device = Device()
    await device.up()
    status = device.client.handlers["voxcard/cam/status"]
    status(memoryview(b'{"online": true}'))
    await device.sent()
    assert device.client.published == []
    for payload in (b'{"online":false}', b""):
        status(memoryview(payload))
        await device.sent()
        ((topic, data, _, retain),) = device.client.published
        assert (topic, retain) == ("voxcard/cam/status", True) and json.loads(data)["online"]
        device.client.published.clear()
    await device.link.close("update")
    device.client.published.clear()
    status(memoryview(b'{"online":false}'))
    await device.sent()
    assert device.client.published == []


async def test_an_access_list_that_hides_everything_is_distinguished_from_a_missing_bridge():
    device = Device()
    device.client.rise()
    kept = "The broker's access list must let this device read and write voxcard/cam/#."
    assert device.link.silence() == kept
    device.client.handlers["voxcard/cam/status"](memoryview(b'{"online":true}'))
    assert device.link.silence() == ""
    device.client.say(type="hello", session_id="s1", audio_params={})
    assert device.link.silence() == ""
    device.client.fall()
    device.client.rise()
    assert device.link.silence() == kept


async def test_the_bridge_s_hello_begins_the_session():
    device = Device()
    device.hear("hello")
    device.client.rise()
    device.client.say(type="hello", session_id="s1", audio_params={"format": "pcm16"})
    assert device.link.session_id == "s1"
    assert device.heard[1].audio_params == {"format": "pcm16"}


async def test_in_a_session_a_hello_begins_no_other_unless_the_device_was_asked_for_its_own():
    device = Device()
    device.hear("hello")
    await device.up()
    for session_id in ("s1", "forged"):
        device.client.say(type="hello", session_id=session_id, audio_params={})
        assert device.link.session_id == "s1" and device.heard == []
    assert log_lines.lines()[-1].endswith("a hello that was not asked for is dropped")
    device.client.say(type="system", command="hello")
    device.client.say(type="hello", session_id="s2", audio_params={})
    assert device.link.session_id == "s2" and len(device.heard) == 1


async def test_a_hello_that_is_refused_begins_no_session():
    device = Device()
    device.hear("hello")
    device.client.rise()

    def refuse(hello):
        raise WireError("hello.audio_params", "is no sound")

    device.link.check_hello_by(refuse)
    device.client.say(type="hello", session_id="s2", audio_params={})
    assert device.link.session_id is None and "hello" not in device.heard
    assert log_lines.lines()[-1].endswith("warning link: refused: hello.audio_params: is no sound")


async def test_hello_is_repeated_with_back_off_until_it_is_answered():
    device = Device()
    device.client.rise()
    begun, said = device.clock.now_ms, []
    for _ in range(400):
        device.link.tick()
        await device.sent()
        said.extend(device.clock.now_ms - begun for _ in device.client.spoken("hello"))
        device.clock.now_ms += 250
    assert said == [0, 1500, 4500, 10500, 22500, 46500, 76500]
    device.client.say(type="hello", session_id="s1", audio_params={})
    device.clock.now_ms += 60000
    device.link.tick()
    await device.sent()
    assert device.client.spoken("hello") == []


async def test_the_bridge_may_ask_for_a_hello():
    device = Device()
    await device.up()
    device.client.say(type="system", command="hello")
    await device.sent()
    assert len(device.client.spoken("hello")) == 1 and device.link.session_id is None


async def test_other_system_commands_reach_their_handler():
    device = Device()
    device.hear("system")
    await device.up()
    device.client.say(type="system", command="reboot", session_id="s1")
    assert device.heard[0].command == "reboot"


async def test_a_command_or_an_alert_that_names_no_session_or_another_one_changes_nothing():
    device = Device()
    device.hear("system")
    device.hear("alert")
    await device.up()
    for session in ({}, {"session_id": "s0"}):
        device.client.say(type="system", command="reboot", **session)
        device.client.say(type="alert", status="Hello", message="all", **session)
    assert device.heard == []
    device.client.fall()
    device.client.say(type="system", command="reboot")
    assert device.heard == ["link_down"]


async def test_an_alert_without_a_session_is_the_answer_to_a_hello_that_opened_none():
    device = Device()
    device.hear("alert")
    device.client.rise()
    device.client.say(type="alert", status="error", message="Update one of them.")
    assert device.heard[-1].message == "Update one of them."


async def test_a_call_without_a_session_is_refused_by_name():
    device = Device()
    device.hear("mcp")
    await device.up()
    device.client.say(type="mcp", payload={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert device.heard == []
    assert log_lines.lines()[-1].endswith("warning link: refused: mcp.session_id: is missing")


async def test_a_lost_connection_ends_the_session_and_forgets_what_waits():
    device = Device()
    await device.up()
    device.link.post("played", seq=7)
    device.client.fall()
    assert device.heard == ["link_down"] and device.link.session_id is None
    assert not device.link.post("event", name="button")
    await device.sent()
    assert device.client.published == []


async def test_post_fills_in_the_session():
    device = Device()
    await device.up()
    assert device.link.post("listen", id="t1", state="start", seq=4)
    assert device.link.post("event", name="battery", value=50)
    assert device.link.post("blob", id=3, next=4)
    await device.sent()
    assert device.client.spoken("up") == [
        {
            "type": "listen",
            "session_id": "s1",
            "id": "t1",
            "state": "start",
            "mode": "auto",
            "seq": 4,
        },
        {"type": "event", "session_id": "s1", "name": "battery", "value": 50},
        {"type": "blob", "id": 3, "next": 4},
    ]


async def test_what_the_wire_does_not_allow_is_not_sent():
    device = Device()
    await device.up()
    assert not device.link.post("listen", id="t1", state="sideways")
    assert log_lines.lines()[-1].endswith(
        "listen is not sent: listen.state: must be one of start, stop, detect"
    )


async def test_without_a_session_only_the_state_of_a_blob_is_sent():
    device = Device()
    device.client.rise()
    await device.sent()
    assert not device.link.post("played", seq=3)
    assert not device.link.post("event", name="button")
    assert device.link.post("blob", id=3, next=4)
    await device.sent()
    assert [said["type"] for said in device.client.spoken("up")] == ["blob"]


async def test_a_full_outbox_refuses():
    device = Device()
    await device.up()
    device.pump.cancel()
    taken = [device.link.post("event", name="button") for _ in range(18)]
    assert taken == [True] * 16 + [False] * 2
    assert log_lines.lines()[-1].endswith("outbox is full: a message on up is lost")


async def test_messages_of_another_session_are_dropped():
    device = Device()
    device.hear("stt")
    device.hear("alert")
    await device.up()
    device.client.say(type="stt", session_id="s0", text="old")
    device.client.say(type="stt", session_id="s1", text="new")
    device.client.say(type="alert", session_id="s1", status="Hello", message="all")
    assert [getattr(m, "text", None) or m.message for m in device.heard] == ["new", "all"]


async def test_a_tool_call_is_applied_once_in_a_session():
    device = Device()
    device.hear("mcp")
    await device.up()
    for call_id in (1, "1", 1, 2):
        device.call(id=call_id, method="tools/call")
    device.call(method="notifications/cancelled")
    device.call(method="notifications/cancelled")
    assert [m.payload.get("id") for m in device.heard] == [1, "1", 2, None, None]
    device.link.say_hello()
    device.client.say(type="hello", session_id="s2", audio_params={})
    device.call(id=1, method="tools/call")
    assert device.heard[-1].payload["id"] == 1 and len(device.heard) == 6


async def test_the_last_32_calls_are_remembered():
    device = Device()
    device.hear("mcp")
    await device.up()
    for call_id in list(range(33)) + [1, 32, 0]:
        device.call(id=call_id, method="tools/call")
    assert [m.payload["id"] for m in device.heard] == list(range(33)) + [0]


async def test_garbage_is_one_log_line_and_one_event_and_changes_nothing():
    device = Device()
    device.hear("stt")
    await device.up()
    for garbage, problem in (
        (b"\xff\xfe", "message: is not JSON"),
        (b"[1]", "message: must be a JSON object"),
        (b'{"a":1}', "message.type: is missing"),
        (b'{"type":"stt","session_id":"s1"}', "stt.text: is missing"),
        (b'{"type":"stt","session_id":"s1","text":5}', "stt.text: must be of type string"),
        (b"[" * 5000, "message: is not JSON"),
    ):
        lines = len(log_lines.lines())
        device.client.handlers["voxcard/cam/down"](memoryview(garbage))
        assert log_lines.lines()[-1].endswith("warning link: refused: " + problem)
        assert len(log_lines.lines()) == lines + 1
        await device.sent()
        assert device.client.spoken("up") == [
            {"type": "event", "name": "error", "text": problem, "session_id": "s1"}
        ]
    assert device.heard == [] and device.link.session_id == "s1"


async def test_unknown_types_and_fields_are_ignored():
    device = Device()
    device.hear("stt")
    await device.up()
    device.client.say(type="horoscope", session_id="s1")
    device.client.say(type="stt", session_id="s1", text="hi", mood="good")
    assert [m.text for m in device.heard] == ["hi"]
    await device.sent()
    assert device.client.published == []


def refused(register, name):
    try:
        register(name, print)
    except ValueError as error:
        return str(error)
    raise AssertionError("was taken")


async def test_a_second_handler_is_refused_and_the_first_one_stays():
    device = Device()
    device.hear("stt")
    device.link.on_blob("glyphs", lambda blob_id, data, name: device.heard.append(bytes(data)))
    sentence = "%s has a handler already: let one handler do both."
    assert refused(device.link.on, "stt") == sentence % "stt"
    assert refused(device.link.on_blob, "glyphs") == sentence % "glyphs"
    await device.up()
    device.client.say(type="stt", session_id="s1", text="hi")
    device.client.handlers["voxcard/cam/blob/down"](glyphs(b"x"))
    assert device.heard[0].text == "hi" and device.heard[1:] == [b"x"]


async def test_a_handler_that_fails_is_logged_and_the_link_lives():
    device = Device()
    await device.up()
    device.link.on("stt", lambda heard: 1 // 0)
    device.hear("llm")
    device.client.say(type="stt", session_id="s1", text="hi")
    assert log_lines.lines()[-1].endswith("stt failed: ZeroDivisionError: divide by zero")
    device.client.say(type="llm", session_id="s1", emotion="happy")
    assert len(device.heard) == 1


def glyphs(data):
    """A whole blob of one chunk."""
    head = blob.Head(
        "glyphs", len(data), binascii.hexlify(hashlib.sha256(data).digest()).decode(), ""
    )
    return memoryview(blob.encode(blob.chunk_at(3, head, data, 0)))


async def test_a_blob_handler_that_fails_is_logged_and_the_link_lives():
    device = Device()
    await device.up()
    device.link.on_blob("glyphs", lambda blob_id, data, name: data[99])
    device.client.handlers["voxcard/cam/blob/down"](glyphs(b"x"))
    assert "blob failed: IndexError" in log_lines.lines()[-1]


async def test_a_device_that_cannot_describe_itself_is_logged():
    device = Device()
    device.link._greeting._describe = lambda: None.name
    device.client.rise()
    assert "hello failed: AttributeError" in log_lines.lines()[-1]
    assert device.heard == ["link_up"]


async def test_frames_go_both_ways():
    device = Device()
    frames = []
    device.link.on_frame = lambda view: frames.append(bytes(view))
    await device.up()
    device.client.handlers["voxcard/cam/spk"](memoryview(b"speaker"))
    assert frames == [b"speaker"]
    assert device.link.send_frame(bytearray(b"microphone"), 5)
    assert device.client.frames == [(b"voxcard/cam/mic", b"micro")]
    device.client.takes_frames = False
    assert not device.link.send_frame(bytearray(b"microphone"), 5)


async def test_close_says_goodbye_and_goes_offline():
    device = Device()
    await device.up()
    await device.link.close("update")
    assert device.client.spoken("up") == [
        {"type": "goodbye", "session_id": "s1", "reason": "update"}
    ]
    assert device.client.published == [("voxcard/cam/status", b'{"online":false}', 1, True)]
    assert device.client.stopped


async def test_each_blob_has_an_id_of_its_own():
    device = Device()
    await device.up()
    ids = []
    for name in ("p", "q"):
        sending = asyncio.create_task(device.link.send_blob("photo", name, Bytes(b"jpeg")))
        await until(lambda: device.client.published)
        blob_id = blob.decode(device.client.published.pop()[1]).id
        device.client.say(type="blob", id=blob_id, next=1)
        assert await sending == blob_id
        ids.append(blob_id)
    assert ids[1] == ids[0] % 65535 + 1


async def test_a_message_that_needs_more_memory_than_there_is_is_refused_and_the_bridge_told():
    device = Device()
    device.hear("llm")
    await device.up()
    whole = dispatch.message.decode

    def decode(table, payload):
        raise WireError("message", "needs more memory than there is")

    dispatch.message.decode = decode
    try:
        device.client.say(type="llm", emotion="happy", session_id="s1")
    finally:
        dispatch.message.decode = whole
    await device.sent()
    assert device.client.spoken("up")[0]["text"] == "message: needs more memory than there is"
    device.client.say(type="llm", emotion="sad", session_id="s1")
    assert [message.emotion for message in device.heard] == ["sad"]


async def test_a_message_without_any_heap_is_lost_alone():
    device = Device()
    device.hear("llm")
    device.link.on_blob("glyphs", lambda blob_id, data, name: None)
    frames = []
    device.link.on_frame = lambda view: frames.append(bytes(view))
    await device.up()
    arriving = (
        ("voxcard/cam/down", b'{"type":"llm","emotion":"happy","session_id":"s1"}'),
        ("voxcard/cam/down", b"no JSON"),
        ("voxcard/cam/spk", b"sound"),
        ("voxcard/cam/blob/down", glyphs(b"x")),
    )
    for topic, payload in arriving:
        handler, view, failed = device.client.handlers[topic], memoryview(payload), None
        micropython.heap_lock()
        try:
            handler(view)
        except MemoryError as error:
            failed = error
        finally:
            micropython.heap_unlock()
        assert failed is None, topic
    await device.sent()
    assert device.heard == [] and frames == [] and device.link.session_id == "s1"
    device.client.published.clear()
    for topic, payload in arriving:
        device.client.handlers[topic](memoryview(payload))
    await device.sent()
    assert [message.emotion for message in device.heard] == ["happy"] and frames == [b"sound"]
    assert [each["type"] for each in device.client.spoken("up")] == ["event", "blob"]
