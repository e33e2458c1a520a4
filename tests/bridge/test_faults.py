"""Whatever part of the bridge raises, once, costs at most what it was doing for one device."""

import asyncio
import contextlib
import itertools
import logging

from fakes.app import Bridge
from fakes.bridge import FakeAssistant, WireDevice
from fakes.faults import Fault, InjectedError, Reached, functions
from voxcard.assistants import CallTool, EndOfSpeech, Sentence, Speech, Transcript
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import free_port
from voxcard.session.turn import flow as turn_flow

PARTS = (
    "app.py",
    "bridge_service.py",
    "switchboard.py",
    "control/",
    "history/",
    "link/",
    "screen/",
    "session/",
    "toolhub/",
)
STEP_S = 30
CARD = {"title": "Order 1042", "blocks": [{"type": "text", "text": "On its way."}]}


class AnsweringAssistant(FakeAssistant):
    """Answers everything with a tool call, a card, a sentence and speech."""

    def turn(self, heard):
        return self.answer(heard)

    async def answer(self, heard):
        if heard.audio is not None:
            async for _ in heard.audio:
                break
            yield EndOfSpeech()
        yield Transcript(text=heard.text or "hello")
        outcome = yield CallTool(name="bridge.show_card", arguments={"card": CARD})
        yield Sentence(text=outcome.text)
        yield Speech(pcm=bytes(1280 * 2), rate_hz=16000)


async def turn(device, name):
    """A whole spoken turn; once more after a hello, which ends the turn before it."""
    for count in itertools.count():
        turn_id = f"{name}.{count}"
        device.say("listen", id=turn_id, state="start", mode="manual", seq=100)
        device.speak(100, 2)
        device.say("listen", id=turn_id, state="stop", mode="manual", seq=100)
        message = await device.until("turn done", "hello")
        while message["type"] == "turn" and message["id"] != turn_id:
            message = await device.until("turn done", "hello")
        if message["type"] == "turn":
            return


async def everything(bridge, device, name):
    """What a home does: a spoken turn with a tool and a card, and each of the command line's."""
    await turn(device, f"{name}-1")
    for do, values in (
        ("devices", {}),
        ("say", {"device": "kitchen", "text": "Dinner."}),
        ("ask", {"device": "kitchen", "text": "how are you"}),
        ("tool_list", {"device": "kitchen", "scope": "user"}),
        ("card_show", {"device": "kitchen", "source": {"v": 1, **CARD, "fallback_text": "x"}}),
    ):
        with contextlib.suppress(VoxcardError):  # the fault, told to the person who asked
            await bridge.request(do, **values)
    device.say("event", name="button", text="long")
    device.say("card", event_id=name, event="dismissed", id="shown")


async def survives(bridge, kitchen, attic, function, name):
    """Let `function` raise once while the kitchen is busy; both devices work afterwards.

    True when it raised in the bridge; the test's own devices and its command line use some of the
    same functions.
    """
    fired, loop = asyncio.Event(), asyncio.get_running_loop()
    fault = Fault(function, lambda: loop.call_soon_threadsafe(fired.set))
    doing = asyncio.create_task(everything(bridge, kitchen, name))
    waiting = asyncio.create_task(fired.wait())
    await asyncio.wait((doing, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if not fault.fired:
        fault.disarm()
    doing.cancel()
    (outcome,) = await asyncio.gather(doing, return_exceptions=True)
    for device, turn_id in ((kitchen, f"{name}-k"), (attic, f"{name}-a")):
        device.greet()
        await device.until("hello")
        await turn(device, turn_id)
    assert not bridge.task.done()
    return fault.fired and not isinstance(outcome, InjectedError)


def test_each_part_may_raise_once_and_the_bridge_goes_on(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(turn_flow, "PLAYED_MS", 200)
    caplog.set_level(logging.WARNING)

    async def conversation():
        port = free_port("127.0.0.1")
        async with (
            Bridge(tmp_path, port, assistant=AnsweringAssistant()) as bridge,
            WireDevice(port) as kitchen,
            WireDevice(port, "attic") as attic,
        ):
            for device in (kitchen, attic):
                await device.until("hello")
            with Reached(functions(*PARTS)) as reached:
                await everything(bridge, kitchen, "first")
                kitchen.greet()
                await kitchen.until("hello")
            names = reached.names()
            silent = []
            for index, (name, function) in enumerate(sorted(names.items())):
                caplog.clear()
                async with asyncio.timeout(STEP_S):
                    fired = await survives(bridge, kitchen, attic, function, f"f{index}")
                if fired and InjectedError.__name__ not in caplog.text:
                    silent.append(name)
            return len(names), silent

    count, silent = asyncio.run(conversation())
    assert count > 100
    assert "\n".join(silent) == ""
