"""Tool calls that run beside an answer: replies by id, in the order they are done."""

import asyncio

from fakes.bridge import FakeAssistant, FakeDevice, FakeHub, run_virtual
from voxcard.assistants import (
    CallTool,
    Done,
    NextReply,
    Running,
    Sentence,
    Speech,
    Stage,
    Transcript,
)
from voxcard.session.turn import calls
from voxcard.toolhub.model import ToolOutcome

FRAME = bytes(1280)


def slow(seconds):
    async def tool(arguments, on_progress):
        await asyncio.sleep(seconds)
        return ToolOutcome(text=f"after {seconds} s")

    return tool


def ask(device):
    device.say("listen", id="t1", state="start", seq=100)


def test_the_turn_speaks_while_calls_run_and_gets_their_replies_as_they_are_done():
    replies = []

    async def answer(heard):
        yield Transcript(text="both")
        assert (yield CallTool(id="a", name="slow", arguments={})) is None
        assert (yield CallTool(id="b", name="quick", arguments={})) is None
        yield Sentence(text="Let me look.")
        yield Speech(pcm=FRAME, rate_hz=16000)
        for _ in range(3):
            replies.append((yield NextReply()))
        yield Done()

    async def conversation():
        device = FakeDevice(FakeAssistant(answer), hub=FakeHub(slow=slow(3), quick=slow(1)))
        device.greet()
        ask(device)
        record = await device.done()
        assert [(each.id, each.text) for each in replies[:2]] == [
            ("b", "after 1 s"),
            ("a", "after 3 s"),
        ]
        assert replies[2] is None
        assert device.told().index("tts sentence_start Let me look.") < len(device.told()) - 1
        assert [(each.name, each.ms) for each in record.tools] == [("quick", 1000), ("slow", 3000)]

    run_virtual(conversation())


def test_who_only_looks_for_a_reply_is_answered_at_once():
    replies = []

    async def answer(heard):
        yield Transcript(text="both")
        replies.append((yield NextReply(wait=False)))
        yield CallTool(id="a", name="slow", arguments={})
        yield CallTool(id="b", name="quick", arguments={})
        for _ in range(4):
            at_s = asyncio.get_running_loop().time()
            replies.append((yield NextReply(wait=False)))
            assert asyncio.get_running_loop().time() == at_s
            yield Speech(pcm=FRAME, rate_hz=16000)
            await asyncio.sleep(1.1)
        replies.append((yield NextReply(wait=False)))
        replies.append((yield NextReply()))

    async def conversation():
        device = FakeDevice(FakeAssistant(answer), hub=FakeHub(slow=slow(3), quick=slow(1)))
        device.greet()
        ask(device)
        record = await device.done()
        assert [getattr(each, "id", each) for each in replies] == [
            None, Running(), "b", Running(), "a", None, None,
        ]  # fmt: skip
        assert len(record.tools) == 2 and record.error == ""

    run_virtual(conversation())


def test_what_was_asked_for_is_done_although_nobody_waits_for_it():
    async def answer(heard):
        yield Transcript(text="do it")
        yield CallTool(id="a", name="light", arguments={})

    async def conversation():
        device = FakeDevice(FakeAssistant(answer), hub=FakeHub(light=slow(2)))
        device.greet()
        ask(device)
        record = await device.done()
        assert [each.text for each in record.tools] == ["after 2 s"] and record.error == ""

    run_virtual(conversation())


def test_calls_of_a_turn_that_is_interrupted_are_cancelled():
    stopped = []

    async def endless(arguments, on_progress):
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            stopped.append(True)

    async def answer(heard):
        yield Transcript(text="do it")
        yield CallTool(id="a", name="endless", arguments={})
        yield NextReply()

    async def conversation():
        device = FakeDevice(FakeAssistant(answer), hub=FakeHub(endless=endless))
        device.greet()
        ask(device)
        await asyncio.sleep(1)
        device.say("abort", id="a1", reason="button")
        record = await device.done()
        assert record.interrupted and stopped == [True] and record.tools == ()

    run_virtual(conversation())


def test_no_more_than_a_few_run_at_once():
    running, most = set(), []

    async def tool(arguments, on_progress):
        running.add(arguments["n"])
        most.append(len(running))
        await asyncio.sleep(1)
        running.discard(arguments["n"])
        return ToolOutcome(text="ok")

    async def answer(heard):
        yield Transcript(text="all")
        for n in range(20):
            yield CallTool(id=str(n), name="tool", arguments={"n": n})

    async def conversation():
        device = FakeDevice(FakeAssistant(answer), hub=FakeHub(tool=tool))
        device.greet()
        ask(device)
        record = await device.done()
        assert len(record.tools) == 20 and max(most) == calls.AT_ONCE

    run_virtual(conversation())


def test_a_stage_of_the_assistants_own_is_in_the_record():
    async def answer(heard):
        yield Transcript(text="x")
        await asyncio.sleep(0.25)
        yield Stage(name="first_token")

    async def conversation():
        device = FakeDevice(FakeAssistant(answer))
        device.greet()
        ask(device)
        assert (await device.done()).stages_ms["to_first_token"] == 250

    run_virtual(conversation())
