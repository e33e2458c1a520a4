"""A Realtime server that refuses what the published interface would: openai's types, both ways."""

import asyncio
import base64
import copy
import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from openai.types.realtime import RealtimeClientEvent, RealtimeServerEvent
from pydantic import BaseModel, TypeAdapter, ValidationError
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

RATE_HZ = 24000
_CLIENT: Any = TypeAdapter(RealtimeClientEvent)
_SERVER: Any = TypeAdapter(RealtimeServerEvent)
_BETA = {
    "response.output_audio.delta": "response.audio.delta",
    "response.output_audio_transcript.delta": "response.audio_transcript.delta",
    "conversation.item.added": "conversation.item.created",
}


@dataclass(kw_only=True)
class Answer:
    """A response: `text` said in `ms` of sound, then `calls` (name, arguments[, call_id]).

    `gate` is waited for between its first piece and the rest.
    """

    text: str = ""
    ms: int = 400
    calls: tuple[tuple[str, ...], ...] = ()
    status: str = "completed"
    reason: str = ""
    error: dict[str, str] | None = None
    gate: asyncio.Event | None = None
    silent: bool = False  # never comes to anything


@dataclass(kw_only=True)
class Raw:
    """What is sent instead of a response: frames as they are; then `close` is the close code."""

    frames: tuple[str | bytes, ...] = ()
    close: int = 0
    reason: str = ""


def extras(value: Any, where: str = "") -> Iterator[str]:
    """The fields of a parsed event that its type does not have."""
    if isinstance(value, BaseModel):
        yield from (f"{where}.{name}" for name in value.model_extra or ())
        for name in type(value).model_fields:
            yield from extras(getattr(value, name), f"{where}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from extras(each, where)


def check(adapter: Any, event: Any) -> str:
    """What is wrong with an event, "" when nothing is."""
    try:
        parsed = adapter.validate_python(event, strict=True)
    except ValidationError as error:
        return f"{event.get('type')}: {error}"
    unknown = list(extras(parsed))
    return f"{event['type']} has no fields {unknown}" if unknown else ""


class RealtimeServer:
    """Answers with `replies` in their order; `faults` are what clients did wrong."""

    def __init__(
        self, *replies: Any, transcript: str = "switch the light on", **more: Any
    ) -> None:
        self.replies = list(replies)
        self.transcript = transcript
        self.beta: bool = more.pop("beta", False)
        self.refuse: tuple[int, bytes] | None = more.pop("refuse", None)
        self.first: tuple[Any, ...] = more.pop("first", ())  # frames instead of session.created
        self.expires_at: int = more.pop("expires_at", 0)
        self.written: asyncio.Event | None = more.pop("written", None)  # before transcripts
        self.writes: str = more.pop("writes", "completed")  # or failed, never
        # Waited for before what the microphone sent is looked at.
        self.hears: asyncio.Event | None = more.pop("hears", None)
        assert not more, more
        self.peers: list[Peer] = []
        self.keys: list[str] = []
        self.models: list[str] = []
        self.faults: list[str] = []

    async def __aenter__(self) -> "RealtimeServer":
        quiet = logging.getLogger("realtime stand-in")  # what is looked at is the client's log
        quiet.setLevel(logging.CRITICAL)
        more = {"process_request": self._request, "max_size": 1 << 24, "logger": quiet}
        self._server = await serve(self._serve, "127.0.0.1", 0, **more)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()
        assert self.faults == []

    def sent(self, kind: str = "") -> list[dict[str, Any]]:
        """The events of all clients, those of `kind` alone if given."""
        events = [event for peer in self.peers for event in peer.events]
        return [event for event in events if not kind or event["type"] == kind]

    def kinds(self) -> list[str]:
        """The kinds of all events but the microphone's, in order."""
        kinds = [event["type"] for event in self.sent()]
        return [kind for kind in kinds if kind != "input_audio_buffer.append"]

    def _request(self, connection: ServerConnection, request: Any) -> Any:
        parts = urlsplit(request.path)
        self.keys.append(request.headers.get("Authorization", ""))
        self.models += parse_qs(parts.query).get("model", [])
        if self.refuse is not None:
            status, body = self.refuse
            response = connection.respond(HTTPStatus(status), "")
            response.body = body
            del response.headers["Content-Length"]
            response.headers["Content-Length"] = str(len(body))
            return response
        if parts.path != "/v1/realtime" or "OpenAI-Beta" in request.headers:
            return connection.respond(HTTPStatus.NOT_FOUND, "no such interface")
        return None

    async def _serve(self, socket: ServerConnection) -> None:
        peer = Peer(self, socket)
        self.peers.append(peer)
        with suppress(ConnectionClosed):
            await peer.run()


@dataclass
class _Item:
    role: str
    ms: int = 0
    text: str = ""
    calls: set[str] = field(default_factory=set)


class Peer:
    """One session."""

    def __init__(self, server: RealtimeServer, socket: ServerConnection) -> None:
        self.events: list[dict[str, Any]] = []
        self.items: dict[str, _Item] = {}
        self.calls: set[str] = set()  # call ids without an output
        self.audio = b""  # all of the session
        self.session: dict[str, Any] = {"type": "realtime"}
        self.errors: list[str] = []
        self.truncated: list[tuple[str, int]] = []
        self._server, self._socket = server, socket
        self._uncommitted = 0
        self._speech = ""  # the item that is being said
        self._quiet_ms = 0
        self._count = 0
        self._active = ""
        self._response: asyncio.Task[None] | None = None
        self._spoke = False
        self.closed = asyncio.Event()

    async def run(self) -> None:
        try:
            if self._server.first:
                for frame in self._server.first:
                    await self._socket.send(frame)
            else:
                created: dict[str, Any] = {"type": "realtime"}
                if self._server.expires_at:
                    created["expires_at"] = self._server.expires_at
                await self.send("session.created", session=created, unchecked=True)
            async for message in self._socket:
                await self._take(message)
        finally:
            self.closed.set()
            if self._response is not None:
                self._response.cancel()
                await asyncio.gather(self._response, return_exceptions=True)

    async def send(self, kind: str, *, unchecked: bool = False, **values: Any) -> None:
        event = {"type": kind, "event_id": self._id("event"), **values}
        fault = "" if unchecked else check(_SERVER, event)
        if fault:
            self._server.faults.append(f"our own {fault}")
        event["type"] = _BETA.get(kind, kind) if self._server.beta else kind
        await self._socket.send(json.dumps(event))

    async def error(self, code: str, message: str, event_id: str | None = None) -> None:
        self.errors.append(code)
        error = {"type": "invalid_request_error", "code": code, "message": message}
        await self.send("error", error={**error, "event_id": event_id, "param": None})

    def close(self, code: int = 1000, reason: str = "") -> Any:
        return self._socket.close(code, reason)

    def drop(self) -> None:
        """The network is gone."""
        self._socket.transport.abort()

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{id(self) % 10_000}_{self._count}"

    async def _take(self, message: str | bytes) -> None:
        event = json.loads(message)
        fault = check(_CLIENT, event)
        if fault:
            self._server.faults.append(fault)
        self.events.append(event)
        await getattr(self, "_on_" + event["type"].replace(".", "_"))(event)

    async def _on_session_update(self, event: dict[str, Any]) -> None:
        session = event["session"]
        voice = session.get("audio", {}).get("output", {}).get("voice")
        if voice and self._spoke:
            self._server.faults.append("the voice cannot be changed after it spoke")
        _merge(self.session, copy.deepcopy(session))
        await self.send("session.updated", session=session)

    async def _on_input_audio_buffer_append(self, event: dict[str, Any]) -> None:
        if self._server.hears is not None:
            await self._server.hears.wait()
        pcm = base64.b64decode(event["audio"], validate=True)
        if not pcm or len(pcm) % 2 or "format" not in self.session["audio"]["input"]:
            self._server.faults.append("audio of no format, of no samples or of half a sample")
        self.audio += pcm
        self._uncommitted += len(pcm)
        detection = self.session["audio"]["input"].get("turn_detection")
        if detection is not None:
            await self._detect(pcm, detection)

    async def _detect(self, pcm: bytes, detection: dict[str, Any]) -> None:
        is_loud = bool(np.abs(np.frombuffer(pcm, "<i2").astype(int)).max() > 2000)
        at_ms = len(self.audio) // 48
        self._quiet_ms = 0 if is_loud else self._quiet_ms + len(pcm) // 48
        if is_loud and not self._speech:
            self._speech = self._id("item")
            if self._active and detection.get("interrupt_response", True):
                await self._cancel("turn_detected")
            await self.send(
                "input_audio_buffer.speech_started",
                item_id=self._speech,
                audio_start_ms=at_ms - len(pcm) // 48,
            )
        elif self._speech and self._quiet_ms >= detection.get("silence_duration_ms", 500):
            item_id, self._speech = self._speech, ""
            await self.send(
                "input_audio_buffer.speech_stopped", item_id=item_id, audio_end_ms=at_ms
            )
            await self._commit(item_id)
            if detection.get("create_response", True) and not self._active:
                self._answer({})

    async def _commit(self, item_id: str) -> None:
        self._uncommitted = 0
        self.items[item_id] = _Item("user")
        await self.send("input_audio_buffer.committed", item_id=item_id, previous_item_id=None)
        content = [{"type": "input_audio", "transcript": None}]
        item = {"id": item_id, "type": "message", "role": "user", "content": content}
        await self.send("conversation.item.added", item=item, previous_item_id=None)
        if self.session["audio"]["input"].get("transcription"):
            self._writing = asyncio.create_task(self._write(item_id))

    async def _write(self, item_id: str) -> None:
        prefix, text = "conversation.item.input_audio_transcription", self._server.transcript
        if self._server.written is not None:
            await self._server.written.wait()
        where = {"item_id": item_id, "content_index": 0}
        if self._server.writes == "failed":
            await self.send(f"{prefix}.failed", **where, error={"message": "too noisy"})
        elif self._server.writes == "completed":
            half = len(text) // 2
            for delta in (text[:half], text[half:]):
                await self.send(f"{prefix}.delta", **where, delta=delta)
            usage = {"type": "duration", "seconds": 1.0}
            await self.send(f"{prefix}.completed", **where, transcript=text, usage=usage)

    async def _on_input_audio_buffer_commit(self, event: dict[str, Any]) -> None:
        if self._uncommitted < 4800:
            await self.error("input_audio_buffer_commit_empty", "too small", event["event_id"])
            return
        item_id, self._speech = self._speech or self._id("item"), ""
        await self._commit(item_id)

    async def _on_input_audio_buffer_clear(self, event: dict[str, Any]) -> None:
        self._uncommitted, self._speech = 0, ""
        await self.send("input_audio_buffer.cleared")

    async def _on_conversation_item_create(self, event: dict[str, Any]) -> None:
        item = {"id": self._id("item"), **event["item"]}
        if item["type"] == "function_call_output":
            if item["call_id"] not in self.calls:
                await self.error("invalid_value", "no such call", event["event_id"])
                self._server.faults.append(f"an output of no call: {item}")
                return
            self.calls.discard(item["call_id"])
        elif item["type"] == "function_call":
            self.calls.add(item["call_id"])
        self.items[item["id"]] = _Item(item.get("role", ""), text=json.dumps(item))
        await self.send("conversation.item.added", item=item, previous_item_id=None)
        await self.send("conversation.item.done", item=item, previous_item_id=None)

    async def _on_conversation_item_truncate(self, event: dict[str, Any]) -> None:
        item = self.items.get(event["item_id"])
        if item is None or event["audio_end_ms"] > item.ms or event["content_index"] != 0:
            await self.error("invalid_value", "no such audio", event["event_id"])
            self._server.faults.append(f"a wrong truncation: {event}")
            return
        self.truncated.append((event["item_id"], event["audio_end_ms"]))
        values = {name: event[name] for name in ("item_id", "content_index", "audio_end_ms")}
        await self.send("conversation.item.truncated", **values)

    async def _on_response_create(self, event: dict[str, Any]) -> None:
        if self._active:
            code = "conversation_already_has_active_response"
            await self.error(code, "one at a time", event["event_id"])
            return
        self._answer(event.get("response", {}))

    async def _on_response_cancel(self, event: dict[str, Any]) -> None:
        if not self._active or event.get("response_id", self._active) != self._active:
            await self.error("response_cancel_not_active", "nothing to cancel", event["event_id"])
            return
        await self._cancel("client_cancelled")

    async def _cancel(self, reason: str) -> None:
        task, self._response = self._response, None
        assert task is not None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await self._done(self._active, Answer(status="cancelled", reason=reason), [])

    def answer(self) -> None:
        """Begin a response by itself, as after `idle_timeout_ms`."""
        self._answer({})

    def _answer(self, wanted: dict[str, Any]) -> None:
        if wanted.get("conversation") == "none":
            text = wanted["input"][0]["content"][0]["text"].rpartition(": ")[2]
            reply: Any = Answer(text=text)
        else:
            reply = self._server.replies.pop(0) if self._server.replies else Answer(text="Well.")
        self._active = self._id("resp")
        self._response = asyncio.create_task(self._respond(self._active, reply))

    async def _respond(self, response_id: str, reply: Any) -> None:
        if isinstance(reply, Raw):
            for frame in reply.frames:
                await self._socket.send(frame)
            if reply.close == 1006:
                self.drop()
            elif reply.close:
                await self.close(reply.close, reply.reason)
            return
        if reply.silent:
            return
        await self.send("response.created", response={"id": response_id, "status": "in_progress"})
        output: list[Any] = []
        if reply.text:
            output.append(await self._say(response_id, reply))
        for index, call in enumerate(reply.calls, len(output)):
            output.append(await self._call(response_id, index, *call))
        await self._done(response_id, reply, output)

    async def _say(self, response_id: str, reply: Answer) -> Any:
        item_id = self._id("item")
        self._spoke = True
        item: dict[str, Any] = {
            "id": item_id, "type": "message", "role": "assistant", "status": "in_progress",
            "content": [],
        }  # fmt: skip
        here = {"response_id": response_id, "output_index": 0}
        await self.send("response.output_item.added", **here, item=item)
        await self.send("conversation.item.added", item=item, previous_item_id=None)
        at = {**here, "item_id": item_id, "content_index": 0}
        part = {"type": "audio", "transcript": ""}
        await self.send("response.content_part.added", **at, part=part)
        self.items[item_id] = _Item("assistant")
        for piece in _halves(reply.text):
            await self.send("response.output_audio_transcript.delta", **at, delta=piece)
        for size in _halves(bytes(reply.ms * 48)):
            self.items[item_id].ms += len(size) // 48
            delta = base64.b64encode(size).decode()
            await self.send("response.output_audio.delta", **at, delta=delta)
            if reply.gate is not None:
                await reply.gate.wait()
        await self.send("response.output_audio.done", **at)
        await self.send("response.output_audio_transcript.done", **at, transcript=reply.text)
        content = [{"type": "output_audio", "transcript": reply.text}]
        item = {**item, "status": "completed", "content": content}
        await self.send("response.output_item.done", **here, item=item)
        return item

    async def _call(
        self, response_id: str, index: int, name: str, arguments: str, call_id: str = ""
    ) -> Any:
        item_id, call_id = self._id("item"), call_id or self._id("call")
        self.calls.add(call_id)
        item = {
            "id": item_id, "type": "function_call", "status": "in_progress", "call_id": call_id,
            "name": name, "arguments": "",
        }  # fmt: skip
        here = {"response_id": response_id, "output_index": index}
        at = {**here, "item_id": item_id, "call_id": call_id}
        await self.send("response.output_item.added", **here, item=item)
        for piece in _halves(arguments):
            await self.send("response.function_call_arguments.delta", **at, delta=piece)
        done = "response.function_call_arguments.done"
        await self.send(done, **at, arguments=arguments, name=name)
        item = {**item, "status": "completed", "arguments": arguments}
        await self.send("response.output_item.done", **here, item=item)
        return item

    async def _done(self, response_id: str, reply: Answer, output: list[Any]) -> None:
        self._active = ""
        details: dict[str, Any] = {"type": reply.status}
        if reply.reason:
            details["reason"] = reply.reason
        if reply.error:
            details["error"] = reply.error
        response = {
            "id": response_id, "object": "realtime.response", "status": reply.status,
            "status_details": details, "output": output,
            "usage": {"total_tokens": 3, "input_tokens": 2, "output_tokens": 1},
        }  # fmt: skip
        await self.send("response.done", response=response)
        limits = [{"name": "tokens", "limit": 100, "remaining": 9, "reset_seconds": 1.5}]
        await self.send("rate_limits.updated", rate_limits=limits)


def _merge(into: dict[str, Any], update: dict[str, Any]) -> None:
    for name, value in update.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value


def _halves(whole: Any) -> list[Any]:
    half = len(whole) // 4 * 2
    return [piece for piece in (whole[:half], whole[half:]) if piece]
