"""A stranger at the broker, at the control socket, and behind a tool server does harm."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from together.home import Home, Person
from voxcard.link.mqtt import Address, MqttClient

from chaos.record import Record

HUGE = b'{"type":"event","name":"x","value":1' + b"0" * 400 + b"}"


class Stranger:
    """Somebody who may publish anything at the home's broker."""

    def __init__(self, port: int) -> None:
        self._up = asyncio.Event()
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[("nothing", 0)],
            on_message=lambda *_: None,
            on_link=lambda up: self._up.set() if up else None,
        )

    async def __aenter__(self) -> "Stranger":
        self._task = asyncio.create_task(self._client.run())
        await self._up.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def publish(
        self, topic: str, payload: bytes | dict[str, Any], *, retain: bool = False
    ) -> None:
        data = json.dumps(payload).encode() if isinstance(payload, dict) else payload
        self._client.publish(f"voxcard/{topic}", data, retain=retain)


async def attacks(home: Home, person: Person, record: Record, name: str) -> None:
    card = await person.settle()
    me = person.id

    async def whole() -> None:
        await home.bridge.tools(me, "self.get_device_status")
        await person.unharmed(card)

    async def by_stranger(messages: Sequence[tuple[str, bytes | dict[str, Any], bool]]) -> None:
        async with Stranger(home.broker.port) as stranger:
            for topic, payload, retain in messages:
                stranger.publish(topic, payload, retain=retain)
            await person.talks()
            for topic, _, retain in messages:
                if retain:
                    stranger.publish(topic, b"", retain=True)
            await whole()

    async def surrogates() -> None:
        bad = b'{"type":"listen","session_id":"s","id":"\\ud800","state":"start"}'
        hello = json.dumps({"type": "hello", "id": "x", "version": 1, "name": "a\ud800b"})
        await by_stranger([(f"{me}/up", bad, False), ("x/hello", hello.encode(), False)])
        await home.bridge.request("devices")

    async def reboot() -> None:
        starts = person.device.starts
        order = {"type": "system", "command": "reboot"}
        await by_stranger([(f"{me}/down", order, True), (f"{me}/down", order, False)])
        assert person.device.starts == starts, "a stranger's message restarted the device"

    async def goodbye() -> None:
        await by_stranger([(f"{me}/up", {"type": "goodbye"}, False)])

    async def offline() -> None:
        await by_stranger([(f"{me}/status", {"online": False}, False)])

    async def forged_hello() -> None:
        hello = {"type": "hello", "session_id": "forged", "audio_params": {"format": "pcm16"}}
        await by_stranger([(f"{me}/down", hello, True)])

    async def garbage() -> None:
        channels = ("up", "mic", "hello", "status", "blob/up", "down", "spk", "blob/down")
        junk = (b"", b"\x00" * 3, b"{", b"[" * 4000, b"null", HUGE, b"\xff" * 60_000)
        await by_stranger([(f"{me}/{c}", data, False) for c in channels for data in junk])

    async def many_ids() -> None:
        hello = {"type": "hello", "version": 1, "id": "x"}
        await by_stranger([(f"n{n}/hello", {**hello, "id": f"n{n}"}, False) for n in range(600)])

    async def control() -> None:
        lines = (b"\n", b"{\n", b'{"do":5}\n', b'{"do":"ask","device":"\\ud800","text":"x"}\n',
                 b'{"do":"ask","device":"' + me.encode() + b'","wav":"\xc3\xa9"}\n',
                 b"[" * 100_000 + b"\n")  # fmt: skip
        for line in lines:
            reader, writer = await asyncio.open_unix_connection(home.bridge.socket)
            writer.write(line)
            await writer.drain()
            await reader.read()
            writer.close()
        await whole()

    async def tool_server() -> None:
        await home.bridge.tools(me, "evil.blanks")
        for tool, arguments in (
            ("pattern", {"code": "a" * 28 + "!"}),
            ("doubled", {"n": "x"}),
            ("id", {"n": 1}),
            ("blanks", {}),
            ("lines", {}),
            ("huge", {"a": 1}),
            ("nothing_like_it", {}),
        ):
            calling = asyncio.create_task(person.call(f"evil.{tool}", **arguments))
            await person.talks()
            await calling
        for text in ("say the blanks", "say the lines", "zebra word", "dial 2718 now"):
            asking = person.tell("ask", text=text)
            await asking
            await person.idle()
        await whole()

    for kind, harm in (
        ("lone surrogates", surrogates),
        ("reboot, retained and not", reboot),
        ("a goodbye of another", goodbye),
        ("a status of another", offline),
        ("a retained hello of another", forged_hello),
        ("garbage on every topic", garbage),
        ("600 ids", many_ids),
        ("garbage at the control socket", control),
        ("a tool server that means harm", tool_server),
    ):
        await record.harm(name, kind, harm)
