"""A loop of virtual time, and small stand-ins for what surrounds a relay."""

import asyncio
import json
import logging
import selectors
from collections.abc import Coroutine
from typing import Any

from voxcard.assistants import Speech
from voxcard.cards.fit.fit import Fitted
from voxcard.cards.images.card_images import CardPictures
from voxcard.cards.model import Action, Card, CardRefused
from voxcard.cards.read.reading import Reading
from voxcard.link.blobs import Blobs
from voxcard.link.devices import Devices
from voxcard.link.mqtt import Address, MqttClient
from voxcard.link.outgoing import Outgoing
from voxcard.screen.card_maker import CardMaker
from voxcard.session.relay import Relay
from voxcard.session.relay_events import RelayEvents
from voxcard.session.services import Services, no_media
from voxcard.session.turn.record import TurnRecord
from voxcard.toolhub.model import ToolOutcome
from voxwire import audio as wire_audio
from voxwire import card as wire_card

# Real seconds without any event after which a test is stuck.
STUCK_S = 10.0


class _JumpingSelector(selectors.DefaultSelector):
    """Waits no time: what the loop would have waited is added to its clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            ready = super().select(STUCK_S)
            if not ready:
                raise AssertionError("nothing will ever happen again in this test")
            return ready
        self.now_s += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """asyncio whose sleeps end at once and whose clock says they took their time."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def run_virtual(main: Coroutine[Any, Any, Any]) -> Any:
    """asyncio.run in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


class LogLines(logging.Handler):
    """Lets a test wait for the next line of a logger; only inside a running loop."""

    def __init__(self, name: str, level: int = logging.DEBUG) -> None:
        super().__init__(level)
        self.lines: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._logger = logging.getLogger(name)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.put_nowait((record.levelname, record.getMessage()))

    def __enter__(self) -> "LogLines":
        self._level = self._logger.level
        self._logger.setLevel(self.level)
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.setLevel(self._level)


async def at_once(function: Any, *arguments: Any, **more: Any) -> Any:
    """An offload without a thread."""
    return function(*arguments, **more)


HELLO = {
    "type": "hello",
    "id": "kitchen",
    "version": 1,
    "sound": {"formats": ["pcm16"], "frame_ms": 40, "buffer_ms": 200},
    "screen": {"width": 128, "height": 64, "cell": [6, 8], "blocks": ["text", "qr", "choices"]},
}


class FakeAssistant:
    """Each turn is one of the async generator functions in `turns`, called with (heard, tools)."""

    def __init__(self, *turns: Any) -> None:
        self.turns = list(turns)
        self.heard: list[Any] = []
        self.cut_off: list[Any] = []
        self.place: Any = None
        self.prepared = 0
        self.closed = 0
        self.begins: list[Any] = []  # turns the assistant begins by itself
        self.said: list[str] = []
        self.tools: Any = None

    def check(self) -> None: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def health(self) -> str:
        return ""

    def conversation(self, place: Any, tools: Any) -> "FakeAssistant":
        self.place, self.tools = place, tools
        return self

    def turn(self, heard: Any) -> Any:
        self.heard.append(heard)
        return self.turns.pop(0)(heard)

    def prepare(self) -> None:
        self.prepared += 1

    def tools_changed(self) -> None: ...

    def interrupted(self, heard: Any) -> None:
        self.cut_off.append(heard)

    async def begun(self) -> Any:
        for begun in self.begins:
            yield begun

    async def close(self) -> None:
        self.closed += 1

    async def say(self, text: str, locale: str) -> Any:
        self.said.append(text)
        yield Speech(pcm=bytes(1280 * 2), rate_hz=16000)


class FakeHub:
    """Tools by name: functions of (arguments, on_progress) that give a ToolOutcome."""

    def __init__(self, **tools: Any) -> None:
        self.tools = tools
        self.attached: list[str] = []
        self.received: list[Any] = []
        self.send: Any = None

    def attach(self, device_id: str, send: Any) -> None:
        self.attached.append(device_id)
        self.send = send

    def detach(self, device_id: str) -> None:
        self.attached.remove(device_id)

    def receive(self, device_id: str, payload: Any) -> None:
        self.received.append(payload)

    async def refresh(self, device_id: str) -> None: ...

    def specs(self, device_id: str, scope: str = "ai") -> list[Any]:
        return []

    async def call(
        self, device_id: str, name: str, arguments: Any, *, scope: str = "ai", on_progress: Any
    ) -> ToolOutcome:
        return await self.tools[name](arguments, on_progress)


class NoServers:
    """The tool servers of a home without any."""

    def tool_meta(self, tool: str) -> dict[str, Any]:
        return {}

    async def resource(self, tool: str, uri: str) -> None:
        return None


class NoPictures:
    """A picture finder that finds none."""

    async def find(self, card: Card, screen: Any) -> CardPictures:
        return CardPictures(ready={})


def card_maker(*, pictures: Any = None, servers: Any = None, drawer: Any = None) -> CardMaker:
    """The real maker, without threads and short links, and without fonts but for a `drawer`."""
    return CardMaker(
        offload=at_once,
        servers=servers or NoServers(),
        pictures=pictures or NoPictures(),
        drawer=lambda cell: drawer,
        short_link=lambda url: None,
        now_s=lambda: 0.0,
    )


class FakeCardMaker:
    """Reads results of the form {"card": title}, fits them onto one page of text."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.blobs: tuple[Any, ...] = ()

    def keep(self, device_id: str, card: Card) -> None:
        self.kept.append((device_id, card.id))

    async def read(self, result: Any, *, call_id: str, **more: Any) -> Reading:
        return Reading(cards=(_card(result, call_id),)) if "card" in result else Reading()

    async def read_source(self, source: Any, card_id: str) -> Card:
        if "card" not in source:
            raise CardRefused("card", "is missing")
        return _card(source, card_id)

    async def find_pictures(self, card: Card, screen: Any) -> CardPictures:
        return CardPictures(ready={})

    async def fit(self, card: Card, screen: Any, **more: Any) -> Fitted:
        page = wire_card.TextPage(card.title, (), 0)
        whole = wire_card.Card(card.id, 0, (page,), "", 0, 0, False, False, ())
        return Fitted(card=whole, blobs=self.blobs, warnings=())


def _card(source: Any, card_id: str) -> Card:
    more = Action(id="more", label="More", kind="message", text="tell me more")
    return Card(id=card_id, dialect="t", title=source["card"], actions=(more,))


class FakeDevice:
    """A device at the other end of a Relay: says what a test tells it, keeps what it hears."""

    def __init__(
        self,
        assistant: FakeAssistant,
        hub: Any = None,
        *,
        answers: bool = True,
        device_id: str = "kitchen",
        read_media: Any = no_media,
        **services: Any,
    ) -> None:
        self.heard: list[dict[str, Any]] = []
        self.frames: list[bytes] = []
        self.at_ms: list[float] = []  # when each frame came
        self.records: list[TurnRecord] = []
        self.cards = FakeCardMaker()
        self.hub = hub or FakeHub()
        self.answers = answers  # reports `played` by itself
        # The last frame it had played of a speech that is cut, by the last one it was sent.
        self.heard_of_cut: Any = lambda last_seq: last_seq
        self.signs: list[str] = []  # what its relay thinks of its session
        self._changed = asyncio.Event()
        self._tasks: set[Any] = set()
        self.devices = Devices(lambda: 0.0, iter(("s1", "s2", "s3")).__next__)
        self.wire = Outgoing("voxcard", device_id, self._down, self._frame)
        self.relay = Relay(
            device_id,
            Services(
                hub=self.hub,
                assistant=assistant,
                card_maker=self.cards,
                keep_card=self.cards.keep,
                spawn=self._spawn,
                read_media=read_media,
                **services,
            ),
            wire=self.wire,
            blobs=Blobs(self.wire.chunk, lambda *_: None),
            events=RelayEvents(
                lost=lambda: self.signs.append("lost"),
                heard=lambda: self.signs.append("heard"),
                doubt=lambda: self.signs.append("doubt"),
                turn=self.records.append,
            ),
        )

    def _spawn(self, coroutine: Any, name: str) -> Any:
        task = asyncio.create_task(coroutine, name=name)
        self._tasks.add(task)
        return task

    def _down(self, topic: str, payload: bytes) -> bool:
        if topic.endswith("/down") and not topic.endswith("blob/down"):
            told = json.loads(payload)
            self.heard.append(told)
            if told["type"] == "tts" and told["state"] == "stop" and self.answers:
                self._stopped(told)
        self._changed.set()
        return True

    def _stopped(self, told: dict[str, Any]) -> None:
        last_seq = told.get("last_seq")
        seq = self.heard_of_cut(last_seq) if told.get("cut") else last_seq
        if told.get("cut") or seq is not None:
            asyncio.get_running_loop().call_soon(self.say_played, seq)

    def _frame(self, topic: str, payload: bytes) -> bool:
        self.frames.append(payload)
        self.at_ms.append(asyncio.get_running_loop().time() * 1000)
        self._changed.set()
        return True

    def say_played(self, seq: int | None) -> None:
        self.say("played", **({} if seq is None else {"seq": seq}))

    def greet(self, **hello: Any) -> None:
        device = self.devices.hello("kitchen", json.dumps({**HELLO, **hello}).encode())
        self.relay.greet(device, locale="en", cards="full")

    def say(self, type_name: str, **values: Any) -> None:
        session = self.devices.get("kitchen")
        data = {"type": type_name, "session_id": session.session_id if session else "", **values}
        self.relay.control(json.dumps(data).encode())

    def speak(self, seq: int, count: int = 1) -> None:
        """`count` microphone frames of silence from `seq` on."""
        for index in range(count):
            frame = wire_audio.AudioFrame(0, seq + index, 0, bytes(1280))
            self.relay.mic(wire_audio.encode(frame))

    def told(self) -> list[str]:
        """What the device was told, in short: type, state or text."""
        return [_short(told) for told in self.heard]

    async def until(self, what: str, count: int = 1) -> dict[str, Any]:
        """Wait until the device was told `what` (as in `told`) so often; the last of them."""
        while self.told().count(what) < count:
            self._changed.clear()
            await self._changed.wait()
        return [self.heard[at] for at, told in enumerate(self.told()) if told == what][count - 1]

    async def over(self) -> None:
        """Wait until a turn is over, with all that its relay does for it."""
        while not any(told.get("state") == "done" for told in self.heard):
            self._changed.clear()
            await self._changed.wait()
        await asyncio.wait(self._tasks)

    async def frame_count(self, count: int) -> None:
        while len(self.frames) < count:
            self._changed.clear()
            await self._changed.wait()

    async def done(self, count: int = 1) -> TurnRecord:
        """Wait for the `count`th finished turn."""
        while len(self.records) < count:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            self._tasks = {task for task in self._tasks if not task.done()}
        return self.records[count - 1]


def _short(told: dict[str, Any]) -> str:
    words = (told.get(key) for key in ("type", "id", "state", "op", "text", "message", "command"))
    return " ".join(str(word) for word in words if word)


class WireDevice:
    """A device over real MQTT: says hello when it is asked, keeps what it hears."""

    def __init__(self, port: int, device_id: str = "kitchen", **account: str) -> None:
        self.session_id = ""
        self.frames = 0
        self._id = device_id
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._up = asyncio.Event()
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port, **account),
            subscriptions=[(f"voxcard/{device_id}/down", 1), (f"voxcard/{device_id}/spk", 0)],
            on_message=self._message,
            on_link=self._link,
        )

    async def __aenter__(self) -> "WireDevice":
        self._task = asyncio.create_task(self._client.run())
        await self._up.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def publish(self, channel: str, **values: Any) -> None:
        payload = json.dumps(values).encode()
        self._client.publish(f"voxcard/{self._id}/{channel}", payload, retain=channel == "status")

    def say(self, type_name: str, **values: Any) -> None:
        self.publish("up", type=type_name, session_id=self.session_id, **values)

    def speak(self, seq: int, count: int) -> None:
        for index in range(count):
            frame = wire_audio.AudioFrame(0, seq + index, 0, bytes(1280))
            self._client.frame(f"voxcard/{self._id}/mic", wire_audio.encode(frame))

    async def until(self, *what: str) -> dict[str, Any]:
        """Wait until the device is told one of `what`: type and state, or type alone."""
        while True:
            told = await self._heard.get()
            if told["type"] in what or f"{told['type']} {told.get('state')}" in what:
                return told

    def _link(self, up: bool) -> None:
        if up:
            self.publish("status", online=True)
            self.greet()
            self._up.set()

    def greet(self) -> None:
        """Say hello (again)."""
        self.publish("hello", **{**HELLO, "id": self._id})

    def _message(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic.endswith("spk"):
            self.frames += 1
            return
        told = json.loads(payload)
        if told["type"] == "hello":
            self.session_id = told["session_id"]
        elif told["type"] == "system":
            self.greet()
        elif told["type"] == "tts" and told["state"] == "stop" and "last_seq" in told:
            self.say("played", seq=told["last_seq"])
        self._heard.put_nowait(told)
