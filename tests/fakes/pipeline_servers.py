"""Stand-ins for the servers of a pipeline: real HTTP and TCP on loopback, by published shapes.

Every request of a chat is checked by the types of the `openai` package, and so is every chunk
that a well-behaved stand-in sends.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, with_config

Script = Callable[["Request"], AsyncIterator[bytes]]


@cache
def _chat_request() -> TypeAdapter[Any]:
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

    strict = with_config(ConfigDict(extra="forbid"))(CompletionCreateParamsStreaming)
    return TypeAdapter(strict)


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class HttpServer:
    """Answers the requests in order with `scripts`, which yield raw bytes; the last one stays."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.requests: list[Request] = []
        self.closed_early = asyncio.Event()  # the client left before the answer's end
        self.faults: list[Exception] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "HttpServer":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.faults:
            raise self.faults[0]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            method, path, _ = head.split("\r\n")[0].split(" ")
            lines = [line.partition(": ") for line in head.split("\r\n")[1:] if line]
            headers = {name.lower(): value for name, _, value in lines}
            body = await reader.readexactly(int(headers["content-length"]))
            assert method == "POST"
            request = Request(path, headers, body)
            self.requests.append(request)
            script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
            async for piece in script(request):
                writer.write(piece)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.closed_early.set()
        except Exception as fault:  # a request against the rules
            self.faults.append(fault)
        finally:
            writer.close()


def answer(status: int, kind: str, body: bytes = b"") -> bytes:
    """A whole response, which ends with its connection."""
    return (
        f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode() + body
    )


def replies(status: int, body: Any, kind: str = "application/json") -> Script:
    """A response with that body."""

    async def script(request: Request) -> AsyncIterator[bytes]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        yield answer(status, kind, data)

    return script


def chunk(delta: Any, finish: "str | None" = None) -> "dict[str, Any]":
    """One chunk of a chat's stream, as OpenAI publishes it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def event(data: Any) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def chats(*deltas: Any, finish: str = "stop") -> Script:
    """A chat that streams `deltas` (a text stands for its content), strictly by the types."""

    async def script(request: Request) -> AsyncIterator[bytes]:
        from openai.types.chat import ChatCompletionChunk

        assert request.path == "/v1/chat/completions"
        _chat_request().validate_python(request.json)
        yield answer(200, "text/event-stream")
        chunks = [chunk({"role": "assistant", "content": ""})]
        chunks += [chunk({"content": each} if isinstance(each, str) else each) for each in deltas]
        for each in [*chunks, chunk({}, finish)]:
            ChatCompletionChunk.model_validate(each)
            yield event(each)
        yield b"data: [DONE]\n\n"

    return script


def streams(*pieces: bytes) -> Script:
    """A stream of raw bytes that was begun well."""

    async def script(request: Request) -> AsyncIterator[bytes]:
        yield answer(200, "text/event-stream")
        for piece in pieces:
            yield piece

    return script


def called(name: str, arguments: str, index: int = 0, call_id: str = "c1") -> "list[Any]":
    """The deltas of a tool call in fragments."""
    first = {"index": index, "id": call_id, "type": "function"}
    half = len(arguments) // 2
    fragments = [
        {**first, "function": {"name": name, "arguments": ""}},
        {"index": index, "function": {"arguments": arguments[:half]}},
        {"index": index, "function": {"arguments": arguments[half:]}},
    ]
    return [{"tool_calls": [each]} for each in fragments]


async def silence(request: Request) -> AsyncIterator[bytes]:
    """Takes the request and never answers."""
    await asyncio.get_running_loop().create_future()
    yield b""


class WyomingServer:
    """Both Wyoming servers in one, with the framing of the protocol's own description.

    `transcript` is what it hears; a sentence is spoken as its characters, each 10 samples, in one
    audio-start to audio-stop for each of its words when it `streams`. `script(self, event, write)`
    replaces all of that.
    """

    def __init__(self, transcript: str = "", *, streams: bool = True, script: Any = None) -> None:
        self.transcript = transcript
        self.streams = streams
        self.script = script
        self.events: list[tuple[str, Any]] = []
        self.audio = bytearray()
        self._text = ""
        self.faults: list[Exception] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "WyomingServer":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"wyoming://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.faults:
            raise self.faults[0]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

        def write(kind: str, data: Any = None, payload: bytes = b"") -> None:
            body = json.dumps(data or {}).encode()
            sizes = {"data_length": len(body), "payload_length": len(payload)}
            header = json.dumps({"type": kind, "version": "1.10.2", **sizes})
            writer.write(header.encode() + b"\n" + body + payload)

        try:
            while line := await reader.readline():
                header = json.loads(line)
                data = header.get("data") or {}
                data |= json.loads(await reader.readexactly(header.get("data_length", 0)) or "{}")
                payload = await reader.readexactly(header.get("payload_length") or 0)
                self.events.append((header["type"], data))
                if self.script is not None:
                    await self.script(self, header["type"], write, writer)
                else:
                    self._answer(header["type"], data, payload, write)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except Exception as fault:  # an event against the rules
            self.faults.append(fault)
        finally:
            writer.close()

    def _answer(self, kind: str, data: Any, payload: bytes, write: Any) -> None:
        match kind:
            case "describe":
                tts = {"name": "stand-in", "supports_synthesize_streaming": self.streams}
                write("info", {"tts": [tts], "asr": []})
            case "audio-start":
                assert (data["rate"], data["width"], data["channels"]) == (16000, 2, 1)
            case "audio-chunk":
                assert len(payload) % 2 == 0
                self.audio += payload
            case "audio-stop":
                write("transcript", {"text": self.transcript})
            case "synthesize":
                self._speak(data["text"], write)
            case "synthesize-chunk":
                self._text += data["text"]
            case "synthesize-stop":
                for word in self._text.split():
                    self._speak(word, write)
                self._text = ""
                write("synthesize-stopped")
            case "transcribe" | "synthesize-start":
                pass
            case _:
                raise AssertionError(f"no event of a client: {kind}")

    def _speak(self, text: str, write: Any) -> None:
        shape = {"rate": 22050, "width": 2, "channels": 1}
        write("audio-start", shape)
        for character in text:
            write("audio-chunk", shape, bytes([ord(character) & 0xFF, 0] * 10))
        write("audio-stop")
