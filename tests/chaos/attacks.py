"""A stranger at the broker, at the control socket, and behind a tool server does harm."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from together.home import Home, Person
from voxcard.link.mqtt import Address, MqttClient

from chaos.record import Record
from chaos.recovery import news, settled, whole

ECHO = "stranger/echo"
HUGE = b'{"type":"event","name":"x","value":1' + b"0" * 400 + b"}"


class Stranger:
    """Somebody who may publish anything at the home's broker."""

    def __init__(self, port: int) -> None:
        self._up = asyncio.Event()
        self._heard = asyncio.Event()
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[(ECHO, 1)],
            on_message=lambda *_: self._heard.set(),
            on_link=lambda up: self._up.set() if up else None,
        )

    async def __aenter__(self) -> "Stranger":
        self._task = asyncio.create_task(self._client.run())
        await self._up.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def heard(self) -> None:
        """Wait until the broker has what was published."""
        self._heard.clear()
        self._client.publish(ECHO, b"?")
        await self._heard.wait()

    def publish(
        self, topic: str, payload: bytes | dict[str, Any], *, retain: bool = False
    ) -> None:
        data = json.dumps(payload).encode() if isinstance(payload, dict) else payload
        self._client.publish(f"voxcard/{topic}", data, retain=retain)


async def attacks(home: Home, person: Person, record: Record, name: str) -> None:
    card = await settled(person)
    me = person.id

    async def by_stranger(messages: Sequence[tuple[str, bytes | dict[str, Any], bool]]) -> int:
        async with Stranger(home.broker.port) as stranger:
            for topic, payload, retain in messages:
                stranger.publish(topic, payload, retain=retain)
            await stranger.heard()
            lost = await whole(person, card)
            for topic, _, retain in messages:
                if retain:
                    stranger.publish(topic, b"", retain=True)
            await stranger.heard()
            return lost + await whole(person, card)

    async def surrogates() -> int:
        bad = b'{"type":"listen","session_id":"s","id":"\\ud800","state":"start"}'
        hello = json.dumps({"type": "hello", "id": "x", "version": 1, "name": "a\ud800b"})
        lost = await by_stranger([(f"{me}/up", bad, False), ("x/hello", hello.encode(), False)])
        await home.bridge.request("devices")
        return lost

    async def reboot() -> int:
        starts = person.device.starts
        order = {"type": "system", "command": "reboot"}
        lost = await by_stranger([(f"{me}/down", order, True), (f"{me}/down", order, False)])
        assert person.device.starts == starts, "a stranger's message restarted the device"
        return lost

    async def goodbye() -> int:
        return await by_stranger([(f"{me}/up", {"type": "goodbye"}, False)])

    async def offline() -> int:
        return await by_stranger([(f"{me}/status", {"online": False}, False)])

    async def forged_hello() -> int:
        hello = {"type": "hello", "session_id": "forged", "audio_params": {"format": "pcm16"}}
        return await by_stranger([(f"{me}/down", hello, True)])

    async def garbage() -> int:
        channels = ("up", "mic", "hello", "status", "blob/up", "down", "spk", "blob/down")
        junk = (b"", b"\x00" * 3, b"{", b"[" * 4000, b"null", HUGE, b"\xff" * 60_000)
        return await by_stranger([(f"{me}/{c}", data, False) for c in channels for data in junk])

    async def many_ids() -> int:
        hello = {"type": "hello", "version": 1, "id": "x"}
        messages = [(f"n{n}/hello", {**hello, "id": f"n{n}"}, False) for n in range(600)]
        return await by_stranger(messages)

    async def control() -> int:
        lines = (b"\n", b"{\n", b'{"do":5}\n', b'{"do":"ask","device":"\\ud800","text":"x"}\n',
                 b'{"do":"ask","device":"' + me.encode() + b'","wav":"\xc3\xa9"}\n',
                 b"[" * 100_000 + b"\n")  # fmt: skip
        for line in lines:
            reader, writer = await asyncio.open_unix_connection(home.bridge.socket)
            writer.write(line)
            await writer.drain()
            await reader.read()
            writer.close()
        return await whole(person, card)

    async def tool_server() -> int:
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
            calling = person.tell(
                "tool_call", name=f"evil.{tool}", arguments=arguments, scope="user"
            )
            await person.talks()
            await calling
        for text in ("say the blanks", "say the lines", "zebra word", "dial 2718 now"):
            await person.tell("ask", text=text)
        return await whole(person, card)

    # A status that says offline is what the broker sends for a device that is gone: it costs what
    # is going on, and the device is found again.
    for kind, harm, lost_max in (
        ("lone surrogates", surrogates, 0),
        ("reboot, retained and not", reboot, 0),
        ("a goodbye of another", goodbye, 0),
        ("a status of another", offline, None),
        ("a retained hello of another", forged_hello, 0),
        ("garbage on every topic", garbage, 0),
        ("600 ids", many_ids, 0),
        ("garbage at the control socket", control, 0),
        ("a tool server that means harm", tool_server, 0),
    ):
        await record.harm(name, kind, harm, lambda: news(person), lost_max=lost_max)
