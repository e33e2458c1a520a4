"""A Home Assistant's WebSocket API and spoken sound on loopback, as strict as its own schemas.

Shapes: homeassistant/components/websocket_api (auth, http, connection) and assist_pipeline
(websocket_api, run, default_pipeline) of 2026.11. What it would refuse is refused as it does, and
fails the test besides, unless `tolerant`.
"""

import asyncio
import json
from typing import Any

import websockets
from fakes.home_assistant.client import Client
from fakes.home_assistant.run import Script, ServerRun
from fakes.home_assistant.sound import wav
from websockets.asyncio.server import ServerConnection, serve

TOKEN = "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.s1gnature"
WHISPER = {
    "id": "01whisper",
    "name": "House",
    "language": "en",
    "stt_engine": "stt.faster_whisper",
    "tts_engine": "tts.piper",
    "tts_language": "en_US",
    "tts_voice": "en_US-joe",
    "conversation_engine": "conversation.home_assistant",
}
MUTE = {**WHISPER, "id": "02mute", "name": "No voice", "tts_engine": None, "tts_voice": None}
DEAF = {**WHISPER, "id": "03deaf", "name": "No ears", "stt_engine": None}
DEVICES = [
    {"id": "d0", "name": "Kitchen", "identifiers": [["hue", "1"]], "disabled_by": "user"},
    {"id": "d1", "name": "Stove", "identifiers": [["mqtt", "voxcard_kitchen"]]},
    {"id": "d2", "name": "Hallway", "name_by_user": "Hall", "identifiers": []},
]


class HomeServer:
    """`scripts` are those of the runs, in order; the last one stays."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.pipelines = [WHISPER, MUTE, DEAF]
        self.devices: Any = DEVICES
        self.refuse: dict[str, tuple[str, str]] = {}  # command -> code and message
        self.greeting: Any = None  # instead of the usual one: what to send, or a function
        self.pongs = True
        self.token = TOKEN
        self.tolerant = False
        self.runs: list[ServerRun] = []
        self.commands: list[Any] = []
        self.wishes: list[Any] = []  # bodies for tts_get_url
        self.sounds: dict[str, Any] = {}  # path -> bytes, or a function that yields them
        self.tts_answer: Any = None  # (status, body) instead of the usual one
        self.logins: list[bool] = []
        self.clients: set[Client] = set()
        self.faults: list[Exception] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._port = 0

    def script(self) -> Script:
        return self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]

    async def __aenter__(self) -> "HomeServer":
        await self.up()
        self.url = f"http://127.0.0.1:{self._port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.down()
        if self.faults and not self.tolerant:
            raise self.faults[0]

    async def up(self) -> None:
        """Start, on the port of the last time."""
        self._inner = await serve(self._serve, "127.0.0.1", 0, compression=None, max_size=1 << 22)
        self._outer = await asyncio.start_server(self._front, "127.0.0.1", self._port)
        self._port = self._outer.sockets[0].getsockname()[1]

    async def down(self) -> None:
        """Be gone, all at once."""
        self._outer.close()
        for task in [*self._tasks, *(run for each in self.clients for run in each.runs.values())]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._inner.close(close_connections=True)
        await self._inner.wait_closed()

    async def _serve(self, socket: ServerConnection) -> None:
        client = Client(self, socket)
        try:
            if not await self._authenticated(client):
                return
            self.clients.add(client)
            async for frame in socket:
                if isinstance(frame, bytes):
                    client.binary(frame)
                else:
                    await client.command(json.loads(frame))
        except websockets.ConnectionClosed:
            pass
        except Exception as fault:  # something against the rules
            self.faults.append(fault)
            await socket.close()
        finally:
            self.clients.discard(client)
            for task in client.runs.values():
                task.cancel()

    async def _authenticated(self, client: Client) -> bool:
        if callable(self.greeting):
            await self.greeting(client.socket)
            return False
        await client.send({"type": "auth_required", "ha_version": "2026.11.0"})
        message = json.loads(await client.socket.recv())
        assert set(message) == {"type", "access_token"} and message["type"] == "auth"
        self.logins.append(message["access_token"] == self.token)
        if self.logins[-1]:
            await client.send({"type": "auth_ok", "ha_version": "2026.11.0"})
            return True
        await client.send({"type": "auth_invalid", "message": "Invalid access token or password"})
        return False

    async def _front(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One port for both: WebSockets go on to the inner server, the rest is answered here."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"GET /api/websocket "):
                await self._forward(head, reader, writer)
            else:
                await self._http(head.decode(), reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except Exception as fault:
            self.faults.append(fault)
        finally:
            writer.close()

    async def _forward(
        self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        port = next(iter(self._inner.sockets)).getsockname()[1]
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        inner_writer.write(head)

        async def pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while data := await source.read(65536):
                target.write(data)
                await target.drain()

        both = [
            asyncio.create_task(pipe(reader, inner_writer)),
            asyncio.create_task(pipe(inner_reader, writer)),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in both:
                each.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            inner_writer.close()

    async def _http(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        method, path, _ = head.split("\r\n")[0].split(" ")
        lines = [line.partition(": ") for line in head.split("\r\n")[1:] if line]
        headers = {name.lower(): value for name, _, value in lines}
        if method == "POST" and path == "/api/tts_get_url":
            body = json.loads(await reader.readexactly(int(headers["content-length"])))
            status, answer = self._wish(headers, body)
            _write(writer, status, "application/json", json.dumps(answer).encode())
        elif method == "GET" and path in self.sounds:
            sound = self.sounds[path]
            _write(writer, 200, "audio/x-wav", b"" if callable(sound) else sound)
            if callable(sound):
                async for piece in sound():
                    writer.write(piece)
                    await writer.drain()
        else:
            _write(writer, 404, "text/plain", b"404: Not Found")
        await writer.drain()

    def _wish(self, headers: "dict[str, str]", body: Any) -> "tuple[int, Any]":
        if self.tts_answer is not None:
            status, answer = self.tts_answer
            return int(status), answer
        if headers.get("authorization") != f"Bearer {self.token}":
            return 401, {"message": "Unauthorized"}
        assert set(body) <= {"engine_id", "message", "language", "options", "cache"}
        assert body["engine_id"] and body["message"]
        path = f"/api/tts_proxy/say{len(self.wishes)}.wav"
        self.wishes.append(body)
        self.sounds.setdefault(path, wav(body["message"].encode() * 2))
        # Its own idea of its address is often wrong: internal_url of an add-on's network.
        return 200, {"url": f"http://homeassistant.internal:8123{path}", "path": path}


def _write(writer: asyncio.StreamWriter, status: int, kind: str, body: bytes) -> None:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + body)
