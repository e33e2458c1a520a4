"""The pure parts: messages, events, lists, WAV that is still coming."""

import contextlib
import json

import pytest
from fakes.home_assistant.sound import wav
from hypothesis import given
from hypothesis import strategies as st
from voxcard.assistants.home_assistant.messages import (
    AuthInvalid,
    Event,
    Malformed,
    Pong,
    Result,
    parse,
)
from voxcard.assistants.home_assistant.pipeline_events import (
    IntentEnd,
    IntentProgress,
    Other,
    RunStart,
    SttStart,
    parse_event,
)
from voxcard.assistants.home_assistant.registry import chosen, device_id, devices, pipelines
from voxcard.assistants.home_assistant.wav_stream import NotPlayable, WavStream

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)
# fmt: off
KEYS = (
    "type", "id", "event", "success", "result", "error", "code", "message", "data", "runner_data",
    "stt_binary_handler_id", "conversation_id", "tts_output", "url", "timestamp", "stt_output",
    "text", "chat_log_delta", "role", "content", "tts_start_streaming", "intent_output",
    "response", "speech", "plain", "continue_conversation", "audio_processing",
    "requires_external_vad", "pipelines", "preferred_pipeline", "identifiers",
)
KINDS = (
    "run-start", "stt-start", "stt-vad-start", "stt-vad-end", "stt-end", "intent-start",
    "intent-progress", "intent-end", "tts-start", "tts-end", "run-end", "error", "result", "event",
    "pong", "auth_ok",
)
# fmt: on
NEARLY = st.recursive(
    st.sampled_from(KINDS) | st.integers(-1, 300) | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ('{"id": 3, "type": "pong"}', [Pong(id=3)]),
        ('{"type": "auth_invalid", "message": "secret"}', [AuthInvalid()]),
        ('{"id": 1, "type": "result", "success": true, "result": 7}', [Result(id=1, result=7)]),
        (
            '{"id": 1, "type": "result", "error": {"code": "x", "message": "y"}}',
            [Result(id=1, code="x", message="y")],
        ),
        ('{"id": 1, "type": "result", "success": false}', [Result(id=1, code="unknown_error")]),
        # Several in one frame, as it may send them to clients that ask for it.
        ('[{"id": 1, "type": "pong"}, {"id": 2, "type": "event", "event": {"type": "x"}}]',
         [Pong(id=1), Event(id=2, event={"type": "x"})]),
        ('{"id": 1, "type": "of-2030"}', []),
    ],
)  # fmt: skip
def test_a_frame_is_its_messages(text, messages):
    assert parse(text) == messages


@given(JSON | NEARLY)
def test_any_json_is_messages_or_malformed(data):
    with contextlib.suppress(Malformed):
        for message in parse(json.dumps(data)):
            if isinstance(message, Event):
                parse_event(message.event)


@given(st.sampled_from(KINDS), NEARLY)
def test_any_data_is_an_event_or_malformed(kind, data):
    with contextlib.suppress(Malformed):
        parse_event({"type": kind, "data": data})


@given(JSON | NEARLY)
def test_any_list_is_read(data):
    found, preferred = pipelines(data)
    assert isinstance(preferred, str) and (chosen(found, preferred, "x") is None or found)
    assert isinstance(device_id(devices(data), "kitchen", "Kitchen"), str)


def test_what_an_older_version_leaves_out_has_a_default():
    start = {"pipeline": "x", "language": "en", "runner_data": {"stt_binary_handler_id": 1}}
    assert parse_event({"type": "run-start", "data": start}) == RunStart(
        handler=1, conversation_id="", url=""
    )
    assert parse_event({"type": "stt-start", "data": {"engine": "x"}}) == SttStart(vad=True)
    assert parse_event({"type": "intent-end", "data": {}}) == IntentEnd(
        text="", error="", conversation_id="", continues=False
    )
    assert parse_event({"type": "wake_word-end", "data": None}) == Other(type="wake_word-end")


def test_what_other_roles_say_may_have_any_shape():
    delta = {"role": "tool_result", "content": {"a": 1}, "tool_result": [1]}
    event = {"type": "intent-progress", "data": {"chat_log_delta": delta}}
    assert parse_event(event) == IntentProgress(role="tool_result", content="")


def row(number, **more):
    return {"id": f"d{number}", "name": None, "name_by_user": None, "identifiers": [], **more}


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([row(1, identifiers=[["mqtt", "voxcard-kitchen"]]), row(2, name="Kitchen")], "d1"),
        ([row(1, identifiers=[["mqtt", "kitchen"]])], "d1"),
        ([row(1, identifiers=[["zha", "kitchen"]])], ""),
        ([row(1, name="KITCHEN")], "d1"),
        ([row(1, name="Kitchen"), row(2, name_by_user="kitchen")], ""),  # which one?
        ([row(1, name="Kitchen", name_by_user="Bath")], ""),
        ([row(1, name="Kitchen", disabled_by="user"), row(2, name="Kitchen")], "d2"),
        ([row(1, identifiers=[["mqtt"], "mqtt", ["mqtt", 7], None]), 7], ""),
        (None, ""),
    ],
)
def test_a_device_is_found_by_its_id_or_its_only_name(rows, found):
    assert device_id(devices(rows), "kitchen", "Kitchen") == found


@given(st.binary(max_size=64).filter(lambda pcm: len(pcm) % 2 == 0), st.integers(1, 9))
def test_a_wav_is_the_same_however_it_is_cut(pcm, size):
    data = wav(pcm, rate_hz=22050)
    stream = WavStream()
    pieces = [stream.push(data[at : at + size]) for at in range(0, len(data), size)]
    assert b"".join(pieces) == pcm and stream.rate_hz == 22050
    assert all(len(piece) % 2 == 0 for piece in pieces)


def test_a_wav_may_say_more_of_its_format():
    form = b"\xfe\xff\1\0" + (8000).to_bytes(4, "little") + (16000).to_bytes(4, "little")
    form += b"\2\0\x10\0" + b"\x16\0" + bytes(22)
    data = b"RIFF\xff\xff\xff\xffWAVEodd \1\0\0\0x\0fmt " + len(form).to_bytes(4, "little") + form
    stream = WavStream()
    assert stream.push(data + b"data\0\0\0\0" + b"abcde") == b"abcd" and stream.rate_hz == 8000
    assert stream.push(b"f") == b"ef"


@given(st.binary(max_size=200), st.binary(max_size=40))
def test_any_bytes_are_samples_or_not_playable(data, more):
    stream = WavStream()
    with contextlib.suppress(NotPlayable):
        stream.push(data)
        stream.push(more)
        stream.push(b"RIFF\0\0\0\0WAVE" + data)
    assert stream.rate_hz == 0 or 4000 <= stream.rate_hz <= 192_000
