"""The whole bridge over a real broker: turns, faults, and the command line's service."""

import asyncio
import logging
import os
import signal
from dataclasses import replace

import pytest
from fakes.app import Bridge
from fakes.bridge import LogLines, WireDevice
from voxcard import config
from voxcard.access.accounts import PairedDevices
from voxcard.app import App
from voxcard.assistants import Done, EndOfSpeech, Sentence, Speech, Transcript
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.link.embedded_broker import EmbeddedBroker, free_port

LIMIT_S = 60
CARD = {"v": 1, "title": "Order 1042", "fallback_text": "Order 1042 is on its way."}


async def answers(heard):
    if heard.audio is not None:
        count = 0
        async for _ in heard.audio:
            count += 1
            if count == 5:
                break
        yield EndOfSpeech()
    yield Transcript(text=heard.text or "hello")
    yield Sentence(text="Good day.")
    yield Speech(pcm=bytes(1280 * 4), rate_hz=16000)
    yield Done()


async def never(heard):
    yield EndOfSpeech()
    await asyncio.get_running_loop().create_future()


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


async def talk(device, turn_id="t1"):
    device.say("listen", id=turn_id, state="start", seq=65534)
    device.speak(65534, 5)
    await device.until("turn accepted")


def test_a_turn_over_the_broker_is_spoken_recorded_and_kept(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, answers) as bridge, WireDevice(port) as device:
            await device.until("hello")
            await talk(device)
            await device.until("turn done")
            record = await bridge.records.get()
            assert (record.frames_up, record.frames_down, device.frames) == (5, 4, 4)
            assert record.last_seq_played == record.last_seq_sent
            assert record.error == ""
            (row,) = bridge.app.service.devices()
            assert (row.id, row.online, row.state) == ("kitchen", True, "idle")
        assert [turn.data["reply"] for turn in bridge.app._history.turns("kitchen")] == [
            "Good day."
        ]

    run(conversation)


def test_what_the_microphone_heard_is_kept_where_it_is_asked_for(tmp_path):
    async def conversation():
        for store in (True, False):
            folder, port = tmp_path / str(store), free_port("127.0.0.1")
            folder.mkdir()
            async with (
                Bridge(folder, port, answers, history={"store_audio": store}) as bridge,
                WireDevice(port) as device,
            ):
                await device.until("hello")
                await talk(device)
                await device.until("turn done")
                await bridge.records.get()
            found = bridge.app._history.recordings("kitchen")
            assert [(each.turn, len(each.wav)) for each in found] == [
                ("t1", 44 + 5 * 1280)
            ] * store

    run(conversation)


def test_a_broker_that_restarts_in_mid_turn_costs_that_turn_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("voxcard.link.mqtt.backoff.BACKOFF_MIN_S", 0.05)

    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        started = Bridge(tmp_path, broker.port, never, answers, embedded=False)
        async with started as bridge, WireDevice(broker.port) as device:
            await device.until("hello")
            await talk(device)
            await broker.stop()
            record = await bridge.records.get()
            assert record.error == "The connection to the broker was lost."
            again = EmbeddedBroker(port=broker.port)
            await again.start()
            await device.until("hello")
            await talk(device, "t2")
            await device.until("turn done")
            assert (await bridge.records.get()).transcript == "hello"
            await again.stop()

    run(conversation)


def test_a_bridge_that_restarts_finds_its_devices(tmp_path):
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        async with WireDevice(broker.port) as device:
            async with Bridge(tmp_path, broker.port, never, embedded=False) as bridge:
                await device.until("hello")
                await talk(device)
            await device.until("goodbye")
            assert (await bridge.records.get()).error == "The bridge stops."
            first = device.session_id
            async with Bridge(tmp_path, broker.port, answers, embedded=False):
                assert (await device.until("hello"))["session_id"] != first
                await talk(device)
                await device.until("turn done")
        await broker.stop()

    run(conversation)


def test_a_device_that_dies_in_mid_turn_is_ready_when_it_is_back(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, never, answers) as bridge:
            async with WireDevice(port) as device:
                await device.until("hello")
                await talk(device)
                device.publish("status", online=False)  # as its last will
                assert (await bridge.records.get()).error == "The device went away."
            async with WireDevice(port) as device:
                await device.until("hello")
                await talk(device)
                await device.until("turn done")

    run(conversation)


def test_the_command_line_is_served(tmp_path):
    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, answers) as bridge, WireDevice(port) as device:
            await device.until("hello")
            rows, _ = await bridge.request("devices")
            assert [row["id"] for row in rows] == ["kitchen"]
            parts, reports = await bridge.request("ask", device="kitchen", text="how are you")
            assert [part["kind"] for part in parts] == ["transcript", "sentence"]
            assert parts == reports and parts[0]["text"] == "how are you"
            await bridge.request("say", device="kitchen", text="Dinner.")
            shown, _ = await bridge.request("card_show", device="kitchen", source=CARD)
            card = await device.until("card")
            assert card["card"]["id"] == shown["id"]
            outcome, _ = await bridge.request(
                "tool_call", device="kitchen", scope="user", name="bridge.get_time", arguments={}
            )
            assert outcome["text"].startswith("It is ") and not outcome["is_error"]
            with pytest.raises(VoxcardError, match=r"That is no card"):
                await bridge.request("card_show", device="kitchen", source={"v": 1})
            with pytest.raises(VoxcardError, match="There is no device attic"):
                await bridge.request("say", device="attic", text="x")

    run(conversation)


def test_a_port_that_is_taken_ends_the_start_with_a_remedy(tmp_path):
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        with pytest.raises(VoxcardError, match="cannot listen on"):
            async with Bridge(tmp_path, broker.port):
                pass
        await broker.stop()

    run(conversation)


def test_an_embedded_broker_that_is_killed_is_back_and_the_device_talks(tmp_path, monkeypatch):
    monkeypatch.setattr("voxcard.link.mqtt.backoff.BACKOFF_MIN_S", 0.05)
    monkeypatch.setattr("voxcard.link.embedded_broker.PAUSE_MIN_S", 0.05)

    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, answers) as bridge, WireDevice(port) as device:
            await device.until("hello")
            os.kill(bridge.app._broker.embedded._broker._process.pid, signal.SIGKILL)
            await device.until("hello")
            await talk(device)
            await device.until("turn done")
            assert (await bridge.records.get()).error == ""

    run(conversation)


def test_a_bridge_whose_broker_has_an_impossible_name_lives_and_says_so(tmp_path, caplog):
    async def conversation():
        started = Bridge(tmp_path, 1883, embedded=False)
        broker = started.app._broker
        broker._mqtt = replace(broker._mqtt, host="broker..lan")
        with LogLines("voxcard.link.mqtt") as log:
            running = asyncio.create_task(started.app.run())
            level, line = await log.lines.get()
            assert (level, "no name a host can have" in line) == ("WARNING", True)
            assert (await started.request("devices"))[0] == []
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    run(conversation)


@pytest.mark.parametrize(
    ("assistant", "problem"),
    [
        ({"locale": "xx"}, "does not speak 'xx'"),
        ({"voice": "mary"}, "There is no voice named 'mary'"),
        ({"voice": "/none/mary.onnx"}, "There is no voice /none/mary.onnx"),
        ({"voice": "voices/mary.onnx"}, "There is no voice .*/home/voices/mary.onnx"),
        ({"model": "/none"}, "There is no speech model in /none"),
        ({"model": "models/x"}, "There is no speech model in .*/home/models/x"),
        ({"sentences": "/none.yaml"}, r"sentence file /none\.yaml cannot be read"),
    ],
)
def test_what_the_assistant_cannot_have_is_told_before_anything_starts(
    tmp_path, monkeypatch, assistant, problem
):
    async def fail(_):
        raise AssertionError("the broker was started")

    monkeypatch.setattr(EmbeddedBroker, "start", fail)
    values = {"assistant": assistant, "history": {"path": str(tmp_path / "h.sqlite3")}}
    app = App(config.parse(values, file=tmp_path / "home" / "voxcard.toml", environ={}))
    with pytest.raises(VoxcardError, match=problem):
        asyncio.run(app.run())


def test_speech_that_is_not_installed_is_told_before_anything_starts(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    app = App(config.parse({"history": {"path": str(tmp_path / "h.sqlite3")}}, environ={}))
    with pytest.raises(MissingExtra, match=r"Local speech is not installed\. Run: .*offline"):
        asyncio.run(app.run())


def test_a_bridge_says_once_that_it_is_ready(tmp_path):
    async def conversation():
        with LogLines("voxcard.app", logging.INFO) as log:
            async with Bridge(tmp_path, free_port("127.0.0.1")) as bridge:
                assert log.lines.get_nowait() == ("INFO", "ready")
                bridge.app._link(False)
                bridge.app._link(True)
            assert log.lines.empty()

    run(conversation)


def test_a_device_that_was_let_in_and_was_never_here_is_told_apart_from_an_unknown_one(tmp_path):
    async def conversation():
        mqtt = {"pairing": "on"}
        async with Bridge(tmp_path, free_port("127.0.0.1"), mqtt=mqtt) as bridge:
            PairedDevices(tmp_path / "accounts").add("attic")
            bridge.app.service.access_changed("")
            assert [row.id for row in bridge.app.service.devices()] == ["attic"]
            with pytest.raises(VoxcardError, match=r"attic was not here yet\. Switch it on"):
                await bridge.request("say", device="attic", text="x")
            with pytest.raises(VoxcardError, match="There is no device cellar"):
                await bridge.request("say", device="cellar", text="x")

    run(conversation)


def test_a_sentence_that_is_an_excuse_is_told_as_one(tmp_path):
    async def excuses(heard):
        yield Transcript(text=heard.text)
        yield Sentence(text="Sorry.", excuse=True)
        yield Done()

    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port, excuses) as bridge, WireDevice(port) as device:
            await device.until("hello")
            parts, _ = await bridge.request("ask", device="kitchen", text="blorp")
            assert [part["detail"] for part in parts] == [{}, {"excuse": True}]

    run(conversation)
