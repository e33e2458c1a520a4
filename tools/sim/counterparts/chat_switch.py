"""A chat server of two models: scripted calls of tools, and everything else to the real model.

A model as small as the real one calls no tools, and its window is too small for their list: it is
asked without them.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple

import httpx2

HEAD_MAX = 65536
LIMIT_S = 120
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

Json = dict[str, Any]


class Script(NamedTuple):
    """What the scripted model calls; then it says what the tool gave back."""

    tool: str  # a name as the chat has it
    arguments: Json


class ChatSwitch:
    """`scripts`: words of a question -> what is called for it. `model` is the real one's address.

    `tell` hears who answers.
    """

    def __init__(
        self, model: str, scripts: Mapping[str, Script], tell: Callable[[str], None]
    ) -> None:
        self._model = model
        self._scripts = scripts
        self._tell = tell
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Its address, up to /v1."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_MAX)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def stop(self) -> None:
        """Take no more questions; safe to call twice."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            size = int(head.partition("content-length:")[2].split("\r\n")[0])
            request = json.loads(await reader.readexactly(size))
            async for piece in self._answer(request):
                writer.write(piece)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, httpx2.HTTPError):
            pass  # the bridge left, or the model: an answer that breaks off says so
        finally:
            writer.close()

    async def _answer(self, request: Json) -> AsyncIterator[bytes]:
        messages: list[Json] = request["messages"]
        asked = [each for each in messages if each["role"] == "user"][-1]["content"].lower()
        script = next((made for words, made in self._scripts.items() if words in asked), None)
        if script is None:
            self._tell("model      the real one")
            async for piece in self._real(request):
                yield piece
            return
        self._tell("model      a script")
        yield STREAM
        if messages[-1]["role"] == "tool":
            yield event({"content": messages[-1]["content"].partition(" (A card")[0]})
            yield event({}, "stop")
        else:
            function = {"name": script.tool, "arguments": json.dumps(script.arguments)}
            call = {"index": 0, "id": "call_1", "type": "function", "function": function}
            yield event({"tool_calls": [call]})
            yield event({}, "tool_calls")
        yield b"data: [DONE]\n\n"

    async def _real(self, request: Json) -> AsyncIterator[bytes]:
        words = [each for each in request["messages"] if each["role"] != "tool"]
        messages = [{k: v for k, v in each.items() if k != "tool_calls"} for each in words]
        body = {k: v for k, v in request.items() if k != "tools"} | {"messages": messages}
        url = f"{self._model}/chat/completions"
        async with (
            httpx2.AsyncClient(trust_env=False, timeout=LIMIT_S) as client,
            client.stream("POST", url, json=body) as response,
        ):
            response.raise_for_status()
            yield STREAM
            async for piece in response.aiter_bytes():
                yield piece


def event(delta: Json, finish: str | None = None) -> bytes:
    """One chunk of a chat's stream, as OpenAI publishes it."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "demo"}
    return f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n".encode()
