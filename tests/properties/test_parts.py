"""Whatever an assistant yields, in whatever order, and whatever the device does meanwhile: the
device ends idle, every exchange has one record, and nothing is left running."""

import asyncio
import contextlib
import logging

from fakes.bridge import FakeAssistant, FakeDevice, FakeHub, run_virtual
from hypothesis import given, settings
from hypothesis import strategies as st
from voxcard.assistants import (
    Ask,
    CallTool,
    Done,
    Emotion,
    EndOfSpeech,
    Failed,
    HeardReply,
    Hush,
    Media,
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
from voxcard.errors import VoxcardError
from voxcard.session.turn import events as turn_events
from voxcard.session.turn.stages import STAGES
from voxcard.toolhub.model import ToolOutcome

FULL = {"formats": ["pcm16"], "frame_ms": 40, "buffer_ms": 200, "duplex": "full"}
HEAR, WAIT, RAISE, REFUSE = "hear", "wait", "raise", "refuse"

PARTS = st.one_of(
    st.builds(EndOfSpeech, end_ms=st.sampled_from([None, 0, 400, 10**6])),
    st.builds(Transcript, text=st.sampled_from(["", "hello"]), partial=st.booleans()),
    st.builds(
        CallTool, name=st.sampled_from(["light", "none"]), arguments=st.just({}),
        id=st.sampled_from(["", "a", "b"]),
    ),
    st.builds(NextReply, wait=st.booleans()),
    st.builds(Stage, name=st.sampled_from(["first_token", "No!"])),
    st.builds(ShowCard, source=st.sampled_from([{"card": "One"}, {}])),
    st.builds(Sentence, text=st.sampled_from(["", "One two three.", "Four."])),
    st.builds(
        Speech, pcm=st.sampled_from([b"", bytes(640), bytes(1280 * 30), bytes(7)]),
        rate_hz=st.sampled_from([16000, 22050, 24000]),
        resampling=st.sampled_from(["quick", "medium", "high"]),
    ),
    st.builds(Media, url=st.sampled_from(["", "bell", "broken"])),
    st.sampled_from([Hush(), Hush(), NextUtterance(), NextUtterance(), NextUtterance(), Ask()]),
    st.builds(Emotion, name=st.just("happy")),
    st.sampled_from([HEAR, HEAR, WAIT, WAIT]),
    st.sampled_from([Done(), Failed(message="No."), RAISE, REFUSE]),
)  # fmt: skip
EVENTS = st.tuples(
    st.integers(0, 3000),
    st.sampled_from(["abort", "stop", "gone", "hello", "end", "played", "say", "microphone"]),
)


async def light(arguments, on_progress):
    on_progress("half")
    await asyncio.sleep(0.1)
    return ToolOutcome(text="It is on.")


async def read_media(media):
    if not media.url:
        raise VoxcardError("The assistant named no sound.")
    for _ in range(3):
        await asyncio.sleep(0.02)
        yield Speech(pcm=bytes(1280), rate_hz=16000)
    if media.url == "broken":
        raise VoxcardError("The sound file is broken.")


class Anything:
    """An assistant of these parts; `replies` are what it got for those that are answered."""

    def __init__(self, parts):
        self.parts = parts
        self.replies = []

    async def turn(self, heard):
        for part in self.parts:
            if part == HEAR:
                if await anext(heard.audio, None) is None:
                    await asyncio.sleep(0.04)
            elif part == WAIT:
                await asyncio.sleep(0.3)
            elif part == RAISE:
                raise RuntimeError("a fault of the assistant")
            elif part == REFUSE:
                raise VoxcardError("The assistant cannot.", "Ask another one.")
            else:
                self.replies.append((part, (yield part)))


async def microphone(device):
    for seq in range(100, 4000):
        device.speak(seq)
        await asyncio.sleep(0.04)


def happen(device, what):
    if what == "abort":
        device.say("abort", id="a1", seq=None)
    elif what == "stop":
        device.say("listen", id="t1", state="stop")
    elif what == "gone":
        device.relay.gone("It is lost.")
    elif what == "hello":
        device.greet(sound=FULL)
    elif what == "played":
        device.say("played", seq=7)
    elif what == "microphone":
        device.say("event", name="microphone")
    elif what == "say":
        device._spawn(quietly(device.relay.turns.say("Dinner is ready.")), "say")
    else:
        device.relay._queue.feed(turn_events.Ended(tell=True))


async def quietly(coroutine):
    with contextlib.suppress(VoxcardError):
        await coroutine


async def later(device, events):
    for after_ms, what in events:
        await asyncio.sleep(after_ms / 1000)
        happen(device, what)


async def conversation(parts, mode, events, answers, heard_all):
    assistant = Anything(parts)
    device = FakeDevice(
        FakeAssistant(assistant.turn), FakeHub(light=light), answers=answers, read_media=read_media
    )
    device.heard_of_cut = (lambda last: last) if heard_all else (lambda last: None)
    device.greet(sound=FULL)
    device.say("listen", id="t1", state="start", seq=100, mode=mode)
    beside = [asyncio.create_task(microphone(device)), asyncio.create_task(later(device, events))]
    async with asyncio.timeout(1000):
        await asyncio.wait([beside[1]])
        while running := {task for task in device._tasks if not task.done()}:
            await asyncio.wait(running)
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    assert device.relay.state in ("idle", "offline")
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return assistant, device


@settings(max_examples=150, deadline=None)
@given(
    st.lists(PARTS, max_size=12),
    st.sampled_from(["auto", "manual", "realtime", "realtime"]),
    st.lists(EVENTS, max_size=3),
    st.booleans(),
    st.booleans(),
)
def test_parts_in_any_order_end_in_an_idle_device_and_leave_nothing(
    parts, mode, events, answers, heard_all
):
    logging.disable(logging.CRITICAL)
    try:
        assistant, device = run_virtual(conversation(parts, mode, events, answers, heard_all))
    finally:
        logging.disable(logging.NOTSET)
    for part, reply in assistant.replies:
        match part:
            case Hush():
                assert isinstance(reply, HeardReply)
            case CallTool(id=""):
                assert isinstance(reply, ToolReply)
            case NextReply(wait=False):
                assert reply is None or isinstance(reply, ToolReply | Running)
            case NextReply():
                assert reply is None or isinstance(reply, ToolReply)
            case _:
                assert reply is None
    turns = [record.turn for record in device.records if record.kind == "voice"]
    assert len(turns) == len(set(turns)) and turns[:1] == ["t1"]
    for record in device.records:
        assert all(record.stages_ms.get(stage, 0) >= 0 for stage in STAGES)
        assert record.frames_up >= 0 and record.frames_down >= 0
