"""A xiaozhi server on loopback, by the published shapes: refuses what firmware never sends.

78/xiaozhi-esp32 docs/websocket.md and docs/mcp-protocol.md; where they leave room, it does what
xinnan-tech/xiaozhi-esp32-server does. Its Opus is real. A breach is a fault of the test.
"""

import asyncio
import json
import re
import struct
from collections.abc import Awaitable, Callable
from fractions import Fraction
from typing import Any

import av
import numpy as np
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
LOUD = 1000  # of 32768; a frame above it is speech
SILENT_FRAMES = 4  # that end a sentence: 240 ms
MESSAGE_MAX = 8192

Script = Callable[["Session", str], Awaitable[None]]


def opus(ms: int, rate_hz: int = 24000, frame_ms: int = 60, tone_hz: int = 440) -> list[bytes]:
    """The packets of a tone."""
    context = av.CodecContext.create("libopus", "w")
    context.sample_rate, context.layout, context.format = rate_hz, "mono", "s16"
    context.time_base = Fraction(1, rate_hz)
    context.options = {"frame_duration": str(frame_ms), "application": "voip"}
    context.open()
    samples = rate_hz * frame_ms // 1000
    packets: list[bytes] = []
    for index in range(ms // frame_ms):
        at = (np.arange(samples) + index * samples) / rate_hz
        wave = (12000 * np.sin(2 * np.pi * tone_hz * at)).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(wave[None, :], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = rate_hz, index * samples, context.time_base
        packets += [bytes(packet) for packet in context.encode(frame)]
    return packets


async def answer(session: "Session", text: str) -> None:
    """Say one sentence about what was heard."""
    await session.stt(text)
    await session.say(f"You said {text}.")


class Session:
    """One connection of a device."""

    def __init__(self, server: "XiaozhiServer", socket: ServerConnection) -> None:
        self.id = "" if server.no_session_id else f"session-{len(server.sessions)}"
        self.messages: list[Any] = []  # of the device, in order
        self.modes: list[str] = []
        self.heard_ms = 0
        self.pcm = b""
        self.packets: list[bytes] = []
        self.tools: list[Any] = []
        self.pages: list[int] = []  # bytes of each
        self.responses: list[Any] = []
        self.tools_ready = asyncio.Event()
        self.aborted = asyncio.Event()
        self.closed = asyncio.Event()
        self.headers = dict(socket.request.headers.raw_items()) if socket.request else {}
        self.socket = socket
        self.version = int(self.headers["Protocol-Version"])
        self._server = server
        self._mode = ""
        self._spoke = False
        self._silent = 0
        self._answers: asyncio.Queue[Any] = asyncio.Queue()
        self._script: asyncio.Task[None] | None = None
        self._decoder = av.CodecContext.create("libopus", "r")
        self._decoder.sample_rate, self._decoder.layout = 48000, "mono"
        self._decoder.open()

    async def send(self, kind: str, **values: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, "session_id": self.id, **values}))

    async def stt(self, text: str) -> None:
        await self.send("stt", text=text)

    async def tts(self, state: str, **values: Any) -> None:
        await self.send("tts", state=state, **values)

    async def sentence(self, text: str, ms: int = 300) -> None:
        await self.tts("sentence_start", text=text)
        await self.audio(opus(ms))

    async def audio(self, packets: list[bytes]) -> None:
        for packet in packets:
            await self.socket.send(self._framed(packet))

    async def say(self, *sentences: str) -> None:
        await self.tts("start")
        for each in sentences:
            await self.sentence(each)
        await self.tts("stop")

    async def mcp(self, **payload: Any) -> None:
        """A payload without session_id, as the Python server sends it."""
        message = {"type": "mcp", "payload": {"jsonrpc": "2.0", **payload}}
        await self.socket.send(json.dumps(message))

    async def call(self, name: str, arguments: Any = None, number: int = 1) -> Any:
        """Make a tools/call; its whole response."""
        params = {"name": name, "arguments": arguments or {}}
        await self.mcp(id=number, method="tools/call", params=params)
        return await self.response()

    async def response(self) -> Any:
        return await self._answers.get()

    def _framed(self, packet: bytes) -> bytes:
        if not self._server.frames or self.version == 1:
            return packet
        if self.version == 2:
            return struct.pack(">HHIII", 2, 0, 0, 0, len(packet)) + packet
        return struct.pack(">BBH", 0, 0, len(packet)) + packet

    async def run(self) -> None:
        try:
            async for data in self.socket:
                if isinstance(data, bytes):
                    self._audio(data)
                else:
                    await self._text(data)
        except ConnectionClosed:
            pass
        finally:
            self.closed.set()
            if self._script is not None:
                self._script.cancel()
                await asyncio.gather(self._script, return_exceptions=True)

    async def _text(self, data: str) -> None:
        assert len(data.encode()) <= MESSAGE_MAX, "a gateway refuses a message over 8192 bytes"
        message = json.loads(data)  # one that is no JSON would be echoed
        self.messages.append(message)
        kind = message["type"]
        if kind == "hello":
            await self._hello(message)
            return
        assert message["session_id"] == self.id
        match kind:
            case "listen":
                self._listen(message)
            case "abort":
                self.aborted.set()
                if self._script is not None:
                    self._script.cancel()
                await self.tts("stop")
            case "mcp":
                await self._mcp(message["payload"])
            case _:
                raise AssertionError(f"no message of a device: {kind}")

    async def _hello(self, message: Any) -> None:
        assert set(message) <= {"type", "version", "features", "transport", "audio_params"}
        assert (message["version"], message["transport"]) == (self.version, "websocket")
        assert message["audio_params"] == {
            "format": "opus",
            "sample_rate": 16000,
            "channels": 1,
            "frame_duration": 60,
        }
        if self._server.on_hello is not None:
            await self._server.on_hello(self)
            return
        await self.greet(message["audio_params"])
        if message["features"].get("mcp"):
            vision = {"url": "http://127.0.0.1:1/mcp/vision/explain", "token": "t"}
            capabilities = {"roots": {"listChanged": True}, "sampling": {}, "vision": vision}
            client = {"name": "XiaozhiClient", "version": "1.0.0"}
            params = {"protocolVersion": "2024-11-05", "capabilities": capabilities}
            await self.mcp(id=1, method="initialize", params={**params, "clientInfo": client})

    async def greet(self, audio: Any) -> None:
        hello = {"type": "hello", "transport": "websocket", "audio_params": audio}
        await self.socket.send(json.dumps(hello | ({"session_id": self.id} if self.id else {})))

    def _listen(self, message: Any) -> None:
        assert set(message) <= {"session_id", "type", "state", "mode", "text"}
        match message["state"]:
            case "start":
                assert message["mode"] in ("auto", "manual", "realtime")
                self.modes.append(message["mode"])
                self._mode, self._spoke, self._silent = message["mode"], False, 0
            case "stop":
                if self._spoke:
                    self._begin(self._server.hears)
            case "detect":
                self._begin(message["text"])
            case _:
                raise AssertionError(f"no state of listen: {message['state']}")

    def _audio(self, data: bytes) -> None:
        self.packets.append(data)
        packet = self._unframed(data)
        frames = self._decoder.decode(av.Packet(packet))
        pcm = b"".join(bytes(each.planes[0])[: each.samples * 2] for each in frames)
        assert len(pcm) == 48000 * 60 // 1000 * 2, "a frame is 60 ms"
        self.pcm += pcm
        self.heard_ms += 60
        samples = np.frombuffer(pcm, dtype=np.int16).astype(int)
        loud = int(np.abs(samples).max()) > LOUD
        self._silent = 0 if loud else self._silent + 1
        self._spoke = self._spoke or loud
        if self._mode in ("auto", "realtime") and self._spoke and self._silent >= SILENT_FRAMES:
            self._spoke = False
            self._begin(self._server.hears)

    def _unframed(self, data: bytes) -> bytes:
        if not self._server.frames or self.version == 1:
            return data
        if self.version == 2:
            version, kind, _, _, size = struct.unpack_from(">HHIII", data)
            assert (version, kind, size) == (2, 0, len(data) - 16)
            return data[16:]
        assert struct.unpack_from(">BBH", data) == (0, 0, len(data) - 4)
        return data[4:]

    def _begin(self, text: str) -> None:
        self.aborted.clear()
        self._spoke = False
        script = self._server.scripts[0]
        if len(self._server.scripts) > 1:
            self._server.scripts.pop(0)
        if self._script is not None:
            self._script.cancel()
        self._script = asyncio.create_task(self._run(script, text))

    async def _run(self, script: Script, text: str) -> None:
        try:
            await script(self, text)
        except ConnectionClosed:
            pass
        except Exception as fault:
            self._server.faults.append(fault)

    async def _mcp(self, payload: Any) -> None:
        assert payload["jsonrpc"] == "2.0"
        if "id" not in payload:
            assert payload["method"].startswith("notifications/")
            return
        assert type(payload["id"]) is int, "ids are numbers"
        assert ("result" in payload) != ("error" in payload)
        self.responses.append(payload)
        result = payload.get("result", {})
        if "serverInfo" in result:
            assert result["protocolVersion"] == "2024-11-05"
            assert "tools" in result["capabilities"]
            if not self.tools_ready.is_set():
                await asyncio.sleep(self._server.lists_after_s)
                await self.mcp(id=2, method="tools/list")
        elif "tools" in result:
            await self._page(result)
        elif payload.get("result") != {}:  # that of a ping
            if "error" in payload:
                assert isinstance(payload["error"]["message"], str)
            else:
                (content,) = result["content"]
                assert content["type"] == "text" and isinstance(content["text"], str)
                assert isinstance(result["isError"], bool)
            self._answers.put_nowait(payload)

    async def _page(self, result: Any) -> None:
        self.pages.append(len(json.dumps(result, separators=(",", ":")).encode()))
        assert self.pages[-1] <= 8000
        for tool in result["tools"]:
            assert set(tool) == {"name", "description", "inputSchema"}
            assert tool["inputSchema"]["type"] == "object"
            assert re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", tool["name"])
        self.tools += result["tools"]
        if cursor := result.get("nextCursor"):
            await self.mcp(id=2, method="tools/list", params={"cursor": cursor})
        else:
            names = [re.sub(r"[^a-zA-Z0-9_-]", "_", each["name"]) for each in self.tools]
            assert len(set(names)) == len(names), "a name hides another one"
            self.tools_ready.set()


class XiaozhiServer:
    """Hears `hears` in any speech and runs the next script; the last one stays.

    `frames`: it honours Protocol-Version. `lists_after_s`: then it asks for tools, while it takes
    nothing else. `on_hello(session)` replaces its greeting.
    """

    def __init__(
        self,
        *scripts: Script,
        hears: str = "hello there",
        token: str = "",
        frames: bool = True,
        no_session_id: bool = False,
        lists_after_s: float = 0.0,
        on_hello: Callable[[Session], Awaitable[None]] | None = None,
        port: int = 0,
    ) -> None:
        self.scripts = list(scripts) or [answer]
        self.hears = hears
        self.token = token
        self.frames = frames
        self.no_session_id = no_session_id
        self.lists_after_s = lists_after_s
        self.on_hello = on_hello
        self.port = port
        self.sessions: list[Session] = []
        self.faults: list[Exception] = []
        self._came = asyncio.Event()

    async def __aenter__(self) -> "XiaozhiServer":
        self._server = await serve(
            self._serve, "127.0.0.1", self.port, process_request=self._admit, close_timeout=1
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"ws://127.0.0.1:{self.port}/xiaozhi/v1/"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()
        if self.faults:
            raise self.faults[0]

    async def session(self, count: int = 1) -> Session:
        """The `count`th that a device opened."""
        while len(self.sessions) < count:
            self._came.clear()
            await self._came.wait()
        return self.sessions[count - 1]

    def _admit(self, socket: ServerConnection, request: Any) -> Any:
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            return socket.respond(401, f"no such token: {request.headers.get('Authorization')}")
        return None

    async def _serve(self, socket: ServerConnection) -> None:
        headers = socket.request.headers
        try:
            assert MAC.fullmatch(headers["Device-Id"]), headers["Device-Id"]
            assert int(headers["Device-Id"][:2], 16) & 3 == 2, "locally administered, no group"
            assert UUID.fullmatch(headers["Client-Id"]), headers["Client-Id"]
            assert headers["Protocol-Version"] in ("1", "2", "3")
            session = Session(self, socket)
            self.sessions.append(session)
            self._came.set()
            await session.run()
        except Exception as fault:  # a message against the rules
            self.faults.append(fault)
