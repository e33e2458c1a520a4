"""One run of a stand-in's pipeline, and the scripts that play it."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fakes.home_assistant.client import Client

Script = Callable[["ServerRun"], Any]


class ServerRun:
    """One run: what was asked, the audio that came, and the events that a script sends."""

    def __init__(self, connection: "Client", request: Any) -> None:
        self.request = request
        self.audio = bytearray()
        self.audio_ended = False
        self.handler: int | None = None
        self.cancelled = asyncio.Event()
        self.conversation_id = (
            request.get("conversation_id") or f"talk{len(connection.server.runs)}"
        )
        self.url = f"/api/tts_proxy/{request['id']}.mp3"
        self._connection = connection
        self._changed = asyncio.Event()

    def take(self, pcm: bytes) -> None:
        self.audio += pcm
        self.audio_ended = self.audio_ended or not pcm
        self._changed.set()

    async def event(self, kind: str, data: Any = None) -> None:
        event = {"type": kind, "data": data, "timestamp": "2026-12-01T10:00:00+00:00"}
        await self._connection.send({"id": self.request["id"], "type": "event", "event": event})

    async def start(self, *, url_known: bool = True, **more: Any) -> None:
        output = {
            "token": "x",
            "url": self.url,
            "mime_type": "audio/mpeg",
            "stream_response": True,
        }
        data = {
            "pipeline": self.request.get("pipeline", "01whisper"),
            "language": "en",
            "conversation_id": self.conversation_id,
            "runner_data": {"stt_binary_handler_id": self.handler, "timeout": 300},
            **({"tts_output": output} if url_known else {}),
            **more,
        }
        await self.event("run-start", data)

    async def heard(self, size: "int | None" = None) -> None:
        """Wait for so many bytes of audio; None: for its end."""
        while not self.audio_ended and (size is None or len(self.audio) < size):
            self._changed.clear()
            await self._changed.wait()

    async def listen(self, text: str, *, vad: bool = True) -> None:
        """Speech to text: the first 320 ms are silence, 640 of speech follow."""
        processing = {"requires_external_vad": True, "prefers_auto_gain": True}
        await self.event("stt-start", {"engine": "stt.x", "audio_processing": processing})
        vad = vad and "no_vad" not in self.request["input"]
        if vad:
            await self.heard(32 * 640)
            await self.event("stt-vad-start", {"timestamp": 620})
            await self.heard(32 * 1660)
            await self.event("stt-vad-end", {"timestamp": 1660})
        else:
            await self.heard()
        await self.event("stt-end", {"stt_output": {"text": text}})

    async def intend(self, text: str, *deltas: Any, stream: bool = False, **more: Any) -> None:
        """The agent: its log's `deltas` (a text stands for its content), then its last `text`."""
        await self.event("intent-start", {"engine": "conversation.x", "intent_input": "…"})
        count = 0
        for delta in [{"content": each} if isinstance(each, str) else each for each in deltas]:
            await self.event("intent-progress", {"chat_log_delta": delta})
            count += len(delta.get("content") or "") if isinstance(delta, dict) else 0
            if stream and count > 60:
                stream = False
                await self.event("intent-progress", {"tts_start_streaming": True})
        await self.event("intent-end", intent_output(text, self.conversation_id, **more))

    async def speak(self, text: str) -> None:
        await self.event("tts-start", {"engine": "tts.piper", "tts_input": text})
        output = {"media_id": "m", "token": "x", "url": self.url, "mime_type": "audio/mpeg"}
        await self.event("tts-end", {"tts_output": output})

    async def fail(self, code: str, message: str = "…") -> None:
        await self.event("error", {"code": code, "message": message})


def intent_output(
    text: str, conversation_id: str, *, error: str = "", continues: bool = False
) -> "dict[str, Any]":
    response = {
        "speech": {"plain": {"speech": text, "extra_data": None}} if text else {},
        "card": {},
        "language": "en",
        "response_type": "error" if error else "action_done",
        "data": {"code": error} if error else {"success": [], "failed": []},
    }
    output = {
        "response": response,
        "conversation_id": conversation_id,
        "continue_conversation": continues,
    }
    return {"processed_locally": not error, "intent_output": output}


def answers(text: str, heard: str = "switch the light on", **more: Any) -> Script:
    """A whole run of either kind."""

    async def script(run: ServerRun) -> None:
        await run.start()
        if run.request["start_stage"] == "stt":
            await run.listen(heard)
        await run.intend(text, **more)
        if run.request["end_stage"] == "tts" and text:
            await run.speak(text)

    return script
