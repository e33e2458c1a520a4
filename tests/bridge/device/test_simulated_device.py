"""One simulated device against a real broker, driven and asked as a bridge would."""

import asyncio
import hashlib
import json

import pytest
from voxcard.link.embedded_broker import EmbeddedBroker
from voxcard.link.mqtt import Address, MqttClient
from voxwire import audio, blob
from voxwire.bridge_only import capability_reader

from tools.build.firmware import sources_digest
from tools.sim.simulated_device import SimulatedDevice

LIMIT_S = 40
HELLO = {
    "type": "hello",
    "session_id": "s1",
    "audio_params": {
        "format": "ima-adpcm",
        "sample_rate": 16000,
        "channels": 1,
        "frame_duration": 40,
    },
}


class Bridge:
    """Keeps every message of one device by channel, and speaks to it."""

    def __init__(self, port, device_id="sim-1"):
        self._root = f"voxcard/{device_id}/"
        self._queues = {}
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[("voxcard/#", 1)],
            on_message=self._received,
            on_link=lambda up: self._up.set() if up else None,
        )
        self._up = asyncio.Event()

    def _queue(self, channel):
        return self._queues.setdefault(channel, asyncio.Queue())

    def _received(self, topic, payload, retained):
        self._queue(topic.removeprefix(self._root)).put_nowait((bytes(payload), retained))

    async def __aenter__(self):
        self._task = asyncio.create_task(self._client.run())
        await self._up.wait()
        return self

    async def __aexit__(self, *_):
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def got(self, channel):
        return (await self._queue(channel).get())[0]

    async def heard(self, channel, **match):
        """The next JSON message on `channel` whose fields equal `match`."""
        while True:
            data = json.loads(await self.got(channel))
            if all(data.get(key) == value for key, value in match.items()):
                return data

    def say(self, **values):
        assert self._client.publish(self._root + "down", json.dumps(values).encode(), qos=1)

    async def meet(self):
        """Take the device's hello and answer it."""
        hello = await self.got("hello")
        self.say(**HELLO)
        return capability_reader.decode(hello)

    async def ask(self, call_id, method, **params):
        payload = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}
        self.say(type="mcp", session_id="s1", payload=payload)
        while True:
            answer = (await self.heard("up", type="mcp"))["payload"]
            if answer.get("id") == call_id:
                return answer

    async def call(self, call_id, name, scope="ai", **arguments):
        meta = {"voxcard/scope": scope}
        return await self.ask(call_id, "tools/call", name=name, arguments=arguments, _meta=meta)

    async def take_blob(self):
        """Receive one blob and say that it is whole; its id and bytes."""
        data = bytearray()
        receiver = blob.Receiver(lambda head: data.extend, hashlib.sha256(), 100_000)
        while True:
            chunk = blob.decode(await self.got("blob/up"))
            if receiver.add(chunk) is not None:
                self.say(type="blob", id=chunk.id, next=receiver.next)
                return chunk.id, bytes(data)


def run(conversation, tmp_path, **config):
    """Run `conversation(device, bridge)` with a broker of its own."""

    async def limited():
        async with asyncio.timeout(LIMIT_S):
            broker = EmbeddedBroker(port=0)
            await broker.start()
            device = SimulatedDevice(tmp_path / "device", port=broker.port, **config)
            try:
                async with Bridge(broker.port) as bridge:
                    await device.start()
                    await conversation(device, bridge)
            finally:
                await device.stop()
                await broker.stop()

    asyncio.run(limited())


def test_a_device_comes_online_says_hello_and_is_ready(tmp_path):
    async def conversation(device, bridge):
        assert (await bridge.heard("status"))["online"] is True
        hello = await bridge.meet()
        assert (hello.id, hello.board) == ("sim-1", "simulator")
        assert hello.firmware == f"0.1.0+{sources_digest()}"
        assert (hello.screen.width, hello.screen.height, hello.screen.depth) == (128, 64, 1)
        assert hello.buttons == ("talk",)
        assert hello.modes == ("auto", "manual")
        assert not hello.camera
        await device.wait("state", state="idle")

    run(conversation, tmp_path)


def test_the_device_answers_tools_over_the_broker(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        server = (await bridge.ask(1, "initialize", protocolVersion="2025-06-18"))["result"]
        assert server["serverInfo"]["name"] == "simulator"
        listed, cursor = [], ""
        while cursor is not None:
            page = await bridge.ask(f"l{cursor}", "tools/list", cursor=cursor, withUserTools=True)
            listed += page["result"]["tools"]
            cursor = page["result"].get("nextCursor")
        assert [tool["name"] for tool in listed] == [
            "self.get_device_status",
            "self.get_system_info",
            "self.reboot",
            "self.audio_speaker.set_volume",
            "self.audio_speaker.set_alarm_volume",
            "self.audio_speaker.set_chime_volume",
            "self.set_night_mode",
            "self.microphone.set_mode",
            "self.screen.set_theme",
            "self.screen.show_text",
            "self.screen.snapshot",
            "self.screen.turn_page",
            "self.screen.set_brightness",
            "self.timer.start",
            "self.timer.add_time",
            "self.timer.pause",
            "self.timer.resume",
            "self.alarm.set",
            "self.reminder.set",
            "self.timer.list",
            "self.timer.cancel",
            "self.timer.cancel_all",
            "self.timer.stop",
            "self.timer.snooze",
        ]
        answer = await bridge.call("v", "self.audio_speaker.set_volume", volume=60)
        assert answer["result"]["isError"] is False
        answer = await bridge.call("w", "self.audio_speaker.set_volume", volume=160)
        assert answer["error"]["code"] == -32602
        bridge.say(type="mcp", session_id="s1", payload={"jsonrpc": "2.0", "id": 3})
        answer = (await bridge.heard("up", type="mcp"))["payload"]
        assert (answer["id"], answer["error"]["code"]) == (3, -32600)
        status = (await bridge.call(4, "self.get_device_status"))["result"]["structuredContent"]
        assert status["audio_speaker"] == {"volume": 60}

    run(conversation, tmp_path)


def test_the_volume_survives_a_restart(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        await bridge.call(1, "self.audio_speaker.set_volume", volume=35)
        await device.kill()
        await device.start()
        await bridge.meet()
        status = await bridge.call(2, "self.get_device_status")
        assert status["result"]["structuredContent"]["audio_speaker"] == {"volume": 35}

    run(conversation, tmp_path)


def test_a_device_that_dies_is_reported_by_its_last_will(tmp_path):
    async def conversation(device, bridge):
        await bridge.heard("status", online=True)
        await device.kill()
        await bridge.heard("status", online=False)

    run(conversation, tmp_path)


def test_reboot_restarts_the_device(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        assert (await bridge.call(1, "self.reboot", "ai"))["error"]["code"] == -32001
        answer = await bridge.call(2, "self.reboot", "admin")
        assert answer["result"]["isError"] is False
        await bridge.meet()
        assert device.starts == 2

    run(conversation, tmp_path)


def test_a_photo_arrives_as_a_blob_before_its_result(tmp_path):
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"\xff\xd8" + bytes(range(256)) * 40 + b"\xff\xd9")

    async def conversation(device, bridge):
        assert (await bridge.meet()).camera
        call = bridge.call(1, "self.camera.take_photo", question="what is this?")
        async with asyncio.TaskGroup() as group:
            answering = group.create_task(call)
            blob_id, data = await bridge.take_blob()
        picture = answering.result()["result"]["content"][0]
        assert picture["mimeType"] == "image/jpeg"
        assert picture["_meta"]["voxcard/blob"] == blob_id
        assert data == photo.read_bytes()

    run(conversation, tmp_path, photo=str(photo))


def test_a_damaged_settings_file_is_kept_aside_and_the_device_starts(tmp_path):
    folder = tmp_path / "device"
    folder.mkdir()
    (folder / "settings.json").write_bytes(b'{"volume": 4')

    async def conversation(device, bridge):
        await bridge.meet()
        status = (await bridge.call(1, "self.get_device_status"))["result"]["structuredContent"]
        assert status["audio_speaker"] == {"volume": 70}
        assert (folder / "settings.json.bad").read_bytes() == b'{"volume": 4'

    run(conversation, tmp_path)


def test_why_the_last_run_ended_is_told_at_the_next_connect(tmp_path):
    folder = tmp_path / "device"
    folder.mkdir()
    (folder / "crash.txt").write_text("Traceback: MemoryError")

    async def conversation(device, bridge):
        await bridge.meet()
        event = await bridge.heard("up", type="event")
        assert (event["name"], event["text"]) == ("crash", "Traceback: MemoryError")
        assert not (folder / "crash.txt").exists()

    run(conversation, tmp_path)


CARD = {
    "id": "c1",
    "pages": [
        {"k": "t", "t": "Order", "l": ["Order 1042", "On its way"]},
        {"k": "a", "o": [["again", "Ask again"]]},
    ],
}


def test_the_button_pages_a_card_and_acts_on_its_choice(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        await device.wait("state", state="idle")
        bridge.say(type="card", session_id="s1", op="show", card=CARD)
        await bridge.heard("up", type="card", event="shown", id="c1")
        await device.wait("drawn", card="c1", page=0)
        await device.press()
        await bridge.heard("up", type="card", event="page", page=1)
        await device.wait("drawn", card="c1", page=1)
        await device.press(ms=900)
        await bridge.heard("up", type="card", event="action", action="again")
        bridge.say(type="card", session_id="s1", op="clear", id="c1")
        await device.wait("drawn", card=None)

    run(conversation, tmp_path)


def test_a_card_that_breaks_a_rule_is_refused_and_reported(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        bridge.say(type="card", session_id="s1", op="show", card={"id": "c2", "pages": []})
        event = await bridge.heard("up", type="event", name="error")
        assert event["text"] == "card.pages: must be 1 to 24"

    run(conversation, tmp_path)


def test_a_press_opens_a_turn_and_the_microphone_is_heard(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        await device.wait("state", state="idle")
        await device.press()
        listen = await bridge.heard("up", type="listen", state="start")
        assert listen["mode"] == "auto"
        bridge.say(type="turn", session_id="s1", id=listen["id"], state="accepted")
        for number in range(5):
            frame = audio.decode(await bridge.got("mic"))
            assert frame.codec == audio.IMA_ADPCM
            assert audio.distance(frame.seq, listen["seq"]) == number
        bridge.say(type="turn", session_id="s1", id=listen["id"], state="done")
        await device.wait("state", state="idle")

    run(conversation, tmp_path)


async def answer_of_a_person(device, bridge, ms):
    """Ask for a restart as a user; the answer after somebody pressed the button for `ms`."""
    await bridge.meet()
    await device.wait("state", state="idle")
    # A picture is drawn between other work: after these it is there.
    for number in range(8):
        await bridge.ask(100 + number, "ping")
    device.skip("drawn")
    async with asyncio.TaskGroup() as group:
        answering = group.create_task(bridge.call(1, "self.reboot", "user"))
        await device.wait("drawn")
        await device.press(ms=ms)
    return answering.result()


def test_a_person_at_the_device_allows_a_restart_by_holding_the_button(tmp_path):
    async def conversation(device, bridge):
        answer = await answer_of_a_person(device, bridge, 900)
        assert answer["result"]["isError"] is False
        await device.wait("reset")

    run(conversation, tmp_path)


def test_a_person_at_the_device_refuses_a_restart_by_a_short_press(tmp_path):
    async def conversation(device, bridge):
        answer = await answer_of_a_person(device, bridge, 100)
        assert answer["error"] == {
            "code": -32001,
            "message": "Nobody allowed it on the device.",
        }
        assert device.starts == 1

    run(conversation, tmp_path)


def test_the_firmware_idles_in_the_heap_of_a_small_board(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        await device.wait("state", state="idle")
        info = (await bridge.call(1, "self.get_system_info", "user"))["result"]
        assert info["structuredContent"]["free_bytes"] > 60_000

    run(conversation, tmp_path)


def test_the_end_of_stdin_ends_the_device(tmp_path):
    async def conversation(device, bridge):
        await bridge.meet()
        device._process.stdin.close()
        await bridge.heard("status", online=False)
        await device._life

    run(conversation, tmp_path)


class Impatient(SimulatedDevice):
    """Does not wait until the firmware runs."""

    async def start(self, limit_s=0):
        await super().start(limit_s)


def test_a_device_that_is_not_ready_in_time_leaves_no_process(tmp_path):
    async def scene():
        device = Impatient(tmp_path)
        with pytest.raises(TimeoutError):
            async with device:
                pass
        assert device._process.returncode is not None

    asyncio.run(scene())
