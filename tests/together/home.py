"""A whole home for a conversation: a broker, the bridge and devices, each a process."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import zxingcpp
from PIL import Image
from together.brokers import DEVICES, Broker
from voxcard.errors import VoxcardError

from tools.sim.simulated_device import SimulatedDevice
from tools.sim.stage import Bridge

# They end what hangs, on a computer with ten times the work it has processors for.
LIMIT_S = 240.0  # of one conversation
READY_S = 120.0  # from a device's start to its tools at the bridge
STEP_S = 90.0  # of one thing that is waited for

VOLUME = 60  # set before a fault, found after it
CARD = {
    "title": "Order 7",
    "text": "It is on its way.",
    "fallback_text": "Order 7 is on its way.",
    "actions": [{"kind": "message", "label": "Louder", "text": "set the volume to 80"}],
}

# A person's own sentences: turns of less than a second.
SENTENCES = """\
sentences:
  - sentences: [are you there]
    reply: "Yes."
  - sentences: [are you sure]
    reply: Of course.
  - sentences: [are you asleep]
    reply: "No."
"""

Conversation = Callable[["Person"], Awaitable[None]]


class Home:
    """The processes of one or more tests, all on one event loop.

    `settings` are sections of the bridge's voxcard.toml beside [mqtt].
    """

    def __init__(self, broker: Broker, folder: Path, **settings: Mapping[str, object]) -> None:
        self.broker = broker
        self.folder = folder
        (folder / "sentences.yaml").write_text(SENTENCES, encoding="utf-8")
        assistant = {"sentences": str(folder / "sentences.yaml")}
        settings = {"mqtt": broker.bridge, "assistant": assistant, **settings}
        self.bridge = Bridge(folder / "bridge", settings, self._happened)
        self.people: dict[str, Person] = {}
        self._ids = itertools.cycle(DEVICES)

    async def start(self) -> None:
        await self.broker.start()
        await self.bridge.start()

    async def stop(self) -> None:
        await self.bridge.stop()
        await self.broker.stop()

    async def __aenter__(self) -> "Home":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def device(self, **config: object) -> SimulatedDevice:
        """A device of its own, not started."""
        name = next(self._ids)
        return SimulatedDevice(self.folder / name, name, **{**self.broker.device(name), **config})

    def log(self) -> str:
        """What the bridge has logged so far."""
        return self.bridge.log.read_text(errors="replace")

    def _happened(self, happening: dict[str, Any]) -> None:
        if happening["device"] in self.people:
            self.people[happening["device"]].told.put_nowait(happening)


class Person:
    """Somebody with one device in a home: asks, presses, looks and listens."""

    def __init__(self, home: Home, device: SimulatedDevice) -> None:
        self.home = home
        self.bridge = home.bridge
        self.device = device
        self.id = str(device.config["id"])
        self.told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        home.people[self.id] = self

    async def ready(self, tool: str = "self.get_device_status") -> None:
        """Wait until the device is idle and the bridge knows its tools."""
        await self.device.wait("state", READY_S, state="idle")
        await self.bridge.tools(self.id, tool, READY_S)

    async def restart(self) -> None:
        """Pull the device's plug, put it back, and wait until it is ready."""
        await self.device.kill()
        self.device.skip("state")
        await self.device.start()
        await self.ready()

    async def ask(self, text: str) -> dict[str, Any]:
        """Type a sentence for the device to answer; the record of the turn, which must succeed."""
        while not self.told.empty():
            self.told.get_nowait()
        await self.bridge.request("ask", device=self.id, text=text)
        return await self.turn()

    async def turn(self, limit_s: float = STEP_S) -> dict[str, Any]:
        """The record of the next turn that ends."""
        return (await self.happening("turn", limit_s))["detail"]

    async def happening(self, kind: str, limit_s: float = STEP_S) -> dict[str, Any]:
        """The next happening of this kind on this device; those before it are gone."""
        passed = []
        try:
            async with asyncio.timeout(limit_s):
                while (told := await self.told.get())["kind"] != kind:
                    passed.append((told["kind"], told["text"][:60]))
                return told
        except TimeoutError:
            raise TimeoutError(f"no {kind} in {limit_s} s, only {passed}") from None

    async def idle(self, limit_s: float = STEP_S) -> None:
        """Wait until the device is in state idle again."""
        await self.device.wait("state", limit_s, state="idle")

    async def status(self) -> dict[str, Any]:
        """What the device says of itself."""
        outcome = await self.call("self.get_device_status")
        assert not outcome["is_error"], outcome["text"]
        return outcome["result"]["structuredContent"]

    async def call(self, name: str, scope: str = "user", **arguments: object) -> dict[str, Any]:
        """Call a tool from the command line."""
        return await self.bridge.request(
            "tool_call", device=self.id, name=name, arguments=arguments, scope=scope
        )

    async def settle(self) -> str:
        """Set and show what a fault must not take; the id of the card."""
        await self.call("self.audio_speaker.set_volume", volume=VOLUME)
        shown = await self.bridge.request("card_show", device=self.id, source=CARD)
        await self.device.wait("drawn", card=shown["id"])
        return str(shown["id"])

    async def unharmed(self, card: str) -> None:
        """The device is ready: it has its volume, its card, and talks."""
        assert (await self.status())["audio_speaker"] == {"volume": VOLUME}
        outcome = await self.call("bridge.show_last_card")
        assert not outcome["is_error"], outcome
        if self._drawn() != card:
            await self.device.wait("drawn", card=card)
        await self.talks()

    async def talks(self) -> None:
        """A short turn, from the question to the last sample of the answer."""
        turn = await self.ask("are you there")
        assert (turn["reply"], turn["error"]) == ("Yes.", "")
        assert turn["last_seq_played"] == turn["last_seq_sent"]

    def _drawn(self) -> str | None:
        """The card that the screen shows."""
        drawn = [report for report in self.device.reports if report["event"] == "drawn"]
        return drawn[-1]["card"] if drawn else None

    def tell(self, do: str, **values: object) -> "asyncio.Task[Any]":
        """Ask the bridge for something that a fault will end; its failure is expected."""

        async def expected() -> str:
            try:
                await self.bridge.request(do, device=self.id, **values)
            except VoxcardError as error:
                return error.problem
            return ""

        return asyncio.create_task(expected())

    async def code(self) -> list[str]:
        """What a phone reads from the codes on the screen."""
        await self.device.screen()
        panel = Image.open(self.device.folder / "screen.pnm").convert("L")
        framed = Image.new("L", (panel.width + 40, panel.height + 40), 8)  # in a dark bezel
        framed.paste(panel, (20, 20))
        return [code.text for code in zxingcpp.read_barcodes(framed)]


async def at(home: Home, conversation: Conversation, **config: object) -> None:
    """Run a conversation with a device of its own, ready, and ended after it."""
    async with asyncio.timeout(LIMIT_S), home.device(**config) as device:
        person = Person(home, device)
        try:
            await person.ready()
            await conversation(person)
        except BaseException:
            print("\n".join(device.log), "\n", home.log()[-8000:])
            raise
