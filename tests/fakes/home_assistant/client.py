"""One connection to a stand-in: its commands, by the schemas Home Assistant has for them."""

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import websockets
from fakes.home_assistant.run import Script, ServerRun
from websockets.asyncio.server import ServerConnection

if TYPE_CHECKING:
    from fakes.home_assistant.server import HomeServer

_RUN_KEYS = {"id", "type", "start_stage", "end_stage", "input"}
_RUN_MORE = {"pipeline", "conversation_id", "device_id", "timeout"}


class Client:
    """One connection of a client."""

    def __init__(self, server: "HomeServer", socket: ServerConnection) -> None:
        self.server = server
        self.socket = socket
        self.handlers: list[ServerRun | None] = []
        self.runs: dict[int, asyncio.Task[None]] = {}
        self.last_id = 0

    async def send(self, message: Any) -> None:
        with contextlib.suppress(websockets.ConnectionClosed):
            await self.socket.send(json.dumps(message))

    async def result(self, number: int, result: Any = None) -> None:
        await self.send({"id": number, "type": "result", "success": True, "result": result})

    async def refuse(self, number: int, code: str, message: str) -> None:
        error = {"code": code, "message": message}
        await self.send({"id": number, "type": "result", "success": False, "error": error})

    def binary(self, frame: bytes) -> None:
        assert frame and 1 <= frame[0] <= len(self.handlers), "no handler of that number was ever"
        assert len(frame) % 2 == 1, "half a sample"
        run = self.handlers[frame[0] - 1]
        if run is not None:  # else it ended while the frame was on its way
            run.take(frame[1:])

    async def command(self, data: Any) -> None:
        number, kind = data["id"], data["type"]
        assert type(number) is int and number > self.last_id, "id_reuse"
        self.last_id = number
        self.server.commands.append(data)
        if kind in self.server.refuse:
            await self.refuse(number, *self.server.refuse[kind])
            return
        match kind:
            case "ping":
                assert set(data) == {"id", "type"}
                if self.server.pongs:
                    await self.send({"id": number, "type": "pong"})
            case "assist_pipeline/pipeline/list":
                assert set(data) == {"id", "type"}
                rows = {"pipelines": self.server.pipelines, "preferred_pipeline": "01whisper"}
                await self.result(number, rows)
            case "config/device_registry/list":
                assert set(data) == {"id", "type"}
                await self.result(number, self.server.devices)
            case "unsubscribe_events":
                assert set(data) == {"id", "type", "subscription"}
                task = self.runs.pop(data["subscription"])
                task.cancel()
                await self.result(number)
            case "assist_pipeline/run":
                self.check_run(data)
                await self.run(data)
            case _:
                raise AssertionError(f"unknown_command {kind}")

    def check_run(self, data: Any) -> None:
        """By the schema of websocket_run, and validate() of the default pipeline."""
        assert _RUN_KEYS <= set(data) <= _RUN_KEYS | _RUN_MORE, set(data)
        assert data["start_stage"] in ("stt", "intent", "tts")
        pipeline = {each["id"]: each for each in self.server.pipelines}[data["pipeline"]]
        if data["start_stage"] == "stt":
            assert data["input"] in (
                {"sample_rate": 16000},
                {"sample_rate": 16000, "no_vad": True},
            )
            assert pipeline["stt_engine"]
        else:
            assert list(data["input"]) == ["text"] and isinstance(data["input"]["text"], str)
        assert data["end_stage"] == "tts" if pipeline["tts_engine"] else "intent"
        for key in ("conversation_id", "device_id"):
            assert key not in data or isinstance(data[key], str)

    async def run(self, data: Any) -> None:
        run = ServerRun(self, data)
        self.server.runs.append(run)
        if data["start_stage"] == "stt":
            self.handlers.append(run)
            run.handler = len(self.handlers)
        await self.result(data["id"])
        script = self.server.script()
        self.runs[data["id"]] = asyncio.create_task(self._play(run, script))

    async def _play(self, run: ServerRun, script: Script) -> None:
        try:
            await script(run)
        except asyncio.CancelledError:
            run.cancelled.set()
        except Exception as fault:
            self.server.faults.append(fault)
        finally:
            if run.handler is not None:
                self.handlers[run.handler - 1] = None
        await run.event("run-end")
