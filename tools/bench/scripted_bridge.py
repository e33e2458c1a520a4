"""A bridge by script, for measurements that need no assistant."""

import asyncio
import base64
import hashlib
import json
from typing import Any

from voxcard.link.mqtt import Address, MqttClient
from voxwire import audio, blob

from tools.sim.simulated_device import DeviceEndedError

STEP_S = 15.0
FRAME_MS = 40
MODULES = 29  # a side of the card's code


class ScriptedBridge:
    """Keeps what the device says, by channel, and speaks to it; every wait has a limit."""

    def __init__(self, port: int, device_id: str) -> None:
        self._root = f"voxcard/{device_id}/"
        self._queues: dict[str, asyncio.Queue[bytes]] = {}
        self._up = asyncio.Event()
        self._blobs = 0
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[("voxcard/#", 1)],
            on_message=self._received,
            on_link=lambda up: self._up.set() if up else None,
        )

    async def __aenter__(self) -> "ScriptedBridge":
        self._task = asyncio.create_task(self._client.run())
        await self._up.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def queue(self, channel: str) -> "asyncio.Queue[bytes]":
        return self._queues.setdefault(channel, asyncio.Queue())

    def _received(self, topic: str, payload: bytes, retained: bool) -> None:
        self.queue(topic.removeprefix(self._root)).put_nowait(bytes(payload))

    async def heard(self, channel: str = "up", **match: object) -> dict[str, Any]:
        """The next JSON message whose fields equal `match`."""
        async with asyncio.timeout(STEP_S):
            while True:
                data: dict[str, Any] = json.loads(await self.queue(channel).get())
                if match.items() <= data.items():
                    return data

    def say(self, kind: str, **values: object) -> None:
        """One control message of the session."""
        data = json.dumps({"type": kind, "session_id": "s1", **values}).encode()
        self._client.publish(self._root + "down", data, qos=1)

    def speak(self, seq: int) -> None:
        """One frame of silence in ADPCM."""
        header = bytearray(audio.HEADER_BYTES)
        audio.write_header(header, audio.IMA_ADPCM, seq, 0)
        payload = bytes(audio.ADPCM_HEADER_BYTES + 16 * FRAME_MS // 2)
        self._client.publish(self._root + "spk", bytes(header) + payload, qos=0)

    def offer(self, payload: bytes) -> None:
        """A release, retained; b"" takes it back."""
        self._client.publish(self._root + "offer", payload, qos=1, retain=True)

    def send_blob(self, kind: str, name: str, data: bytes) -> None:
        """One blob, each with an id of its own; its acknowledgement is not waited for."""
        self._blobs = self._blobs % 65535 + 1
        head = blob.Head(kind, len(data), hashlib.sha256(data).hexdigest(), name)
        for index in range(blob.count(head)):
            chunk = blob.encode(blob.chunk_at(self._blobs, head, data, index))
            self._client.publish(self._root + "blob/down", chunk, qos=1)

    async def ask(self, call_id: int | str, method: str, **params: object) -> dict[str, Any]:
        """The device's answer to one JSON-RPC request."""
        payload = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}
        self.say("mcp", payload=payload)
        while True:
            answer: dict[str, Any] = (await self.heard(type="mcp"))["payload"]
            if answer.get("id") == call_id:
                return answer

    async def tools(self) -> None:
        """List them all, page by page."""
        cursor: str | None = ""
        while cursor is not None:
            page = await self.ask(f"l{cursor}", "tools/list", cursor=cursor, withUserTools=True)
            cursor = page["result"].get("nextCursor")

    async def call(self, call_id: int, name: str, **arguments: object) -> dict[str, Any]:
        """The result of one tool; the scope is the user's."""
        meta = {"voxcard/scope": "user"}
        answer = await self.ask(call_id, "tools/call", name=name, arguments=arguments, _meta=meta)
        result: dict[str, Any] = answer["result"]
        if result["isError"]:
            raise DeviceEndedError(result["content"][0]["text"])
        return result

    async def photo(self) -> bytes:
        """The next blob of the device, whole."""
        data = bytearray()
        receiver = blob.Receiver(lambda head: data.extend, hashlib.sha256(), 1 << 20)
        async with asyncio.timeout(STEP_S):
            while True:
                chunk = blob.decode(await self.queue("blob/up").get())
                if receiver.add(chunk) is not None:
                    self.say("blob", id=chunk.id, next=receiver.next)
                    return bytes(data)


def card() -> dict[str, Any]:
    """A result as the bridge cuts it down for a small screen: text, fields, code, choices."""
    row = (MODULES + 7) // 8
    code = base64.b64encode(bytes(range(256))[: row * MODULES]).decode()
    text = ["Order 1042 · Привет", "On its way to you", "Arrives Tuesday", "2 parcels"]
    return {
        "id": "c1",
        "rev": 1,
        "foot": "orders · 2h",
        "pages": [
            {"k": "t", "t": "Order 1042", "l": [["h", "Status"], *text]},
            {"k": "t", "t": "Parcels", "l": text},
            {"k": "q", "t": "Track it", "n": MODULES, "d": code, "s": 2, "l": ["example.com"]},
            {"k": "a", "t": "Order 1042", "o": [["again", "Ask again"], ["call", "Call them"]]},
        ],
    }
