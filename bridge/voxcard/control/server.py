"""Control server and client: JSON lines over a Unix socket.

A request is one line `{"do": NAME, ...}`; answers are `{"report": ...}` lines, any number, then
one `{"done": value}` or `{"error": {"problem", "remedy"}}`. Closing the connection cancels.
"""

import asyncio
import base64
import hmac
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO

from voxwire.errors import WireError
from voxwire.json_text import loads

from voxcard.announce.announcement import Announcement
from voxcard.control import socket_file
from voxcard.control.service import Service
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.private_files import private_folder
from voxcard.text_safety import safe_line
from voxcard.toolhub.model import ToolSpec

LIMIT_BYTES = 16 << 20  # of a line: a minute of WAV or a photo, in base64
REQUEST_LIMIT_S = 10.0  # from connecting to the whole request
CLIENTS_MAX = 32
# Reports a client may leave unread, and the time it has for what is written at the end.
UNREAD_MAX = 4 << 20  # bytes
ANSWER_LIMIT_S = 30.0

_log = logging.getLogger(__name__)

Report = Callable[[Mapping[str, Json]], None]


class BridgeAway(VoxcardError):  # noqa: N818 - says what is so
    """No bridge runs on that socket."""


class ControlServer:
    """Answers requests on `path` with what `service` does."""

    def __init__(self, service: Service, path: Path, admin_token: str = "") -> None:
        self._service = service
        self._path = path
        self._token = admin_token
        self._lock: IO[str] | None = None
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen; VoxcardError when another bridge does, or when the path cannot be used."""
        try:
            private_folder(self._path.parent)
            self._lock = socket_file.lock(self._path)
            listening = socket_file.bind(self._path)
        except OSError as error:
            remedy = "Name another one under [control] socket."
            problem = f"The control socket {self._path} cannot be made: {error}."
            raise VoxcardError(problem, remedy) from error
        self._server = await asyncio.start_unix_server(
            self._accept, sock=listening, limit=LIMIT_BYTES
        )

    async def stop(self) -> None:
        """Cancel what runs, close, remove the socket; safe to call twice."""
        if self._server is not None:
            self._server.close()
            for talk in self._talks:
                talk.cancel()
            await asyncio.gather(*self._talks, return_exceptions=True)
            self._path.unlink(missing_ok=True)
            self._server = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._talks) >= CLIENTS_MAX:
            problem = f"The bridge answers {CLIENTS_MAX} commands already."
            _write(writer, {"error": {"problem": problem, "remedy": "End one of them."}})
            writer.close()
            return
        talk = asyncio.ensure_future(self._talk(reader, writer))
        self._talks.add(talk)
        try:
            await talk
        except (OSError, asyncio.CancelledError):
            pass  # the client went, or the bridge stops: nobody is left to tell
        except Exception:
            _log.exception("a control request failed")
        finally:
            self._talks.discard(talk)
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(REQUEST_LIMIT_S):
            try:
                line = await reader.readline()
            except ValueError:  # over the limit
                line = b""
        answer = asyncio.create_task(self._answer(line, writer), name="control request")
        # The client says nothing more: whatever comes is its going away.
        gone = asyncio.create_task(reader.read(1), name="control client")
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            answer.cancel()
            gone.cancel()
            await asyncio.gather(answer, gone, return_exceptions=True)
        if not answer.cancelled():
            answer.result()
        writer.transport.set_write_buffer_limits(high=0)  # `drain` waits for the last byte
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                await writer.drain()
        except TimeoutError:
            _drop(writer, f"it took nothing for {ANSWER_LIMIT_S:g} s")

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        def report(value: Mapping[str, Json]) -> None:
            if writer.transport.get_write_buffer_size() > UNREAD_MAX:
                _drop(writer, f"it left more than {UNREAD_MAX >> 20} MB unread")
            _write(writer, {"report": value})

        try:
            request = _request(line)
            handler = _HANDLERS.get(_text(request, "do"))
            if handler is None:
                raise VoxcardError(
                    f"The bridge does not know the request {safe_line(request['do'], 60)}.",
                    "Use the command line of the same version.",
                )
            _write(writer, {"done": await handler(self, request, report)})
        except VoxcardError as error:
            _write(writer, {"error": {"problem": error.problem, "remedy": error.remedy}})
        except Exception as error:
            _log.exception("control request failed")
            problem = f"The bridge failed at this ({type(error).__name__})."
            _write(writer, {"error": {"problem": problem, "remedy": "See its log."}})

    async def _devices(self, request: Mapping[str, Json], report: Report) -> Json:
        return [asdict(row) for row in self._service.devices()]

    async def _problems(self, request: Mapping[str, Json], report: Report) -> Json:
        return list(self._service.problems())

    async def _say(self, request: Mapping[str, Json], report: Report) -> Json:
        urgent = request.get("urgent") is True
        await self._service.say(_text(request, "device"), _text(request, "text"), urgent=urgent)
        return {}

    async def _announce(self, request: Mapping[str, Json], report: Report) -> Json:
        devices = request.get("devices")
        if not isinstance(devices, list) or not all(isinstance(each, str) for each in devices):
            raise VoxcardError("The request has no devices.", "Give devices as a list of ids.")
        ends: list[Json] = []
        async for outcome in self._service.announce(_announcement(request), devices):
            report({**asdict(outcome), "words": outcome.words()})
            if outcome.is_end:
                ends.append({**asdict(outcome), "delivered": outcome.is_delivered})
        return ends

    async def _ask(self, request: Mapping[str, Json], report: Report) -> Json:
        wav = _bytes(request, "wav") if "wav" in request else None
        text = _text(request, "text") if wav is None else ""
        parts = []
        async for part in self._service.ask(_text(request, "device"), text=text, wav=wav):
            parts.append(asdict(part))
            report(parts[-1])
        return parts

    async def _tool_list(self, request: Mapping[str, Json], report: Report) -> Json:
        specs = self._service.tool_list(_text(request, "device"), _text(request, "scope"))
        return [_tool_row(spec) for spec in specs]

    async def _tool_call(self, request: Mapping[str, Json], report: Report) -> Json:
        scope = _text(request, "scope")
        if scope == "admin" and not self._is_admin(request):
            scope = "user"
            report({"progress": "Confirm this on the device's screen."})
        outcome = await self._service.tool_call(
            _text(request, "device"),
            _text(request, "name"),
            _object(request, "arguments"),
            scope=scope,
            on_progress=lambda text: report({"progress": text}),
        )
        return {"text": outcome.text, "is_error": outcome.is_error, "result": outcome.result}

    async def _card_show(self, request: Mapping[str, Json], report: Report) -> Json:
        source = _object(request, "source")
        return {"id": await self._service.card_show(_text(request, "device"), source)}

    async def _pair(self, request: Mapping[str, Json], report: Report) -> Json:
        return {"id": self._service.pair(_text(request, "code"))}

    async def _access_changed(self, request: Mapping[str, Json], report: Report) -> Json:
        self._service.access_changed(str(request.get("removed", "")))
        return {}

    async def _update(self, request: Mapping[str, Json], report: Report) -> Json:
        self._need_token(request)
        device_id, last = _text(request, "device"), dict[str, Json]()
        async for progress in self._service.update(device_id, _text(request, "incoming")):
            last = asdict(progress)
            report(last)
        return last

    async def _update_state(self, request: Mapping[str, Json], report: Report) -> Json:
        return asdict(self._service.update_state(_text(request, "device")))

    async def _update_cancel(self, request: Mapping[str, Json], report: Report) -> Json:
        self._need_token(request)
        return asdict(await self._service.update_cancel(_text(request, "device")))

    def _need_token(self, request: Mapping[str, Json]) -> None:
        """VoxcardError unless the request may do what only an admin does.

        Without a token of the home that is whoever the socket belongs to.
        """
        if self._token and not self._is_admin(request):
            raise VoxcardError(
                "An update needs the admin token of this bridge.",
                "Give it: --admin-token, or VOXCARD_ADMIN_TOKEN in the environment.",
            )

    def _is_admin(self, request: Mapping[str, Json]) -> bool:
        token = str(request.get("token", ""))
        return bool(self._token) and hmac.compare_digest(token.encode(), self._token.encode())

    async def _watch(self, request: Mapping[str, Json], report: Report) -> Json:
        report({"kind": "watching"})
        async for happening in self._service.watch():
            report(asdict(happening))
        return {}


_HANDLERS: Mapping[str, Callable[[ControlServer, Mapping[str, Json], Report], Awaitable[Json]]] = {
    "devices": ControlServer._devices,
    "problems": ControlServer._problems,
    "say": ControlServer._say,
    "announce": ControlServer._announce,
    "ask": ControlServer._ask,
    "tool_list": ControlServer._tool_list,
    "tool_call": ControlServer._tool_call,
    "card_show": ControlServer._card_show,
    "pair": ControlServer._pair,
    "access_changed": ControlServer._access_changed,
    "update": ControlServer._update,
    "update_state": ControlServer._update_state,
    "update_cancel": ControlServer._update_cancel,
    "watch": ControlServer._watch,
}


async def request(path: Path, do: str, values: Mapping[str, Json], report: Report) -> Json:
    """Ask the bridge that listens on `path`; its final value, or its VoxcardError."""
    try:
        reader, writer = await asyncio.open_unix_connection(path, limit=LIMIT_BYTES)
    except PermissionError as error:
        remedy = "Run this as the user who runs the bridge."
        raise VoxcardError("The bridge belongs to another user.", remedy) from error
    except OSError as error:
        remedy = "Start it with: voxcard run (and give both the same --config)"
        raise BridgeAway("The bridge is not running.", remedy) from error
    try:
        _write(writer, {"do": do, **values})
        async for line in _lines(reader):
            answer = json.loads(line)
            if "error" in answer:
                raise VoxcardError(answer["error"]["problem"], answer["error"]["remedy"])
            if "done" in answer:
                return answer["done"]
            report(answer["report"])
    finally:
        writer.close()
    raise VoxcardError("The bridge stopped before it answered.", "Start it with: voxcard run")


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What the bridge sends, until it closes, in good order or not."""
    try:
        async for line in reader:
            yield line
    except ConnectionError:
        return


def _drop(writer: asyncio.StreamWriter, reason: str) -> None:
    """End a client that does not read: its connection is lost, which cancels what it asked for."""
    if not writer.transport.is_closing():
        _log.warning("a client of the control socket is dropped: %s", reason)
        writer.transport.abort()


def _write(writer: asyncio.StreamWriter, value: Mapping[str, Json]) -> None:
    if writer.transport.is_closing():
        return
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    # A tool's answer may hold half a character, which no terminal could show.
    writer.write(text.encode("utf-8", "replace") + b"\n")


def _tool_row(spec: ToolSpec) -> Json:
    """A tool as it was listed; its plain form is read anew by whoever wants it."""
    keys = ("name", "description", "input_schema", "source", "scope", "sentences", "meta")
    return {key: getattr(spec, key) for key in keys}


def _plain(value: Iterable[Json]) -> Json:
    return dict(value) if isinstance(value, Mapping) else list(value)


def _request(line: bytes) -> Mapping[str, Json]:
    remedy = "Send one line of JSON with `do`."
    try:
        request = loads(line, "The request")
    except WireError as error:
        raise VoxcardError(f"{error.part} {error.reason}.", remedy) from error
    if not isinstance(request, dict):
        raise VoxcardError("The request is not a JSON object.", remedy)
    return request


def _text(request: Mapping[str, Json], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str) or not value:
        raise VoxcardError(f"The request has no {key}.", f"Give {key} as text.")
    return value


def _object(request: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = request.get(key)
    if not isinstance(value, dict):
        raise VoxcardError(f"The request has no {key}.", f"Give {key} as a JSON object.")
    return value


def _announcement(request: Mapping[str, Json]) -> Announcement:
    wait_s = request.get("wait_s", -1)
    if isinstance(wait_s, bool) or not isinstance(wait_s, int | float):
        raise VoxcardError("The request's wait_s is no number.", "Give seconds, or leave it out.")
    return Announcement(
        text=_text(request, "text") if "text" in request else "",
        audio=_bytes(request, "audio") if "audio" in request else b"",
        card=dict(_object(request, "card")) if "card" in request else None,
        urgent=request.get("urgent") is True,
        wait_s=wait_s,
    )


def _bytes(request: Mapping[str, Json], key: str) -> bytes:
    try:
        return base64.b64decode(str(request[key]), validate=True)
    except ValueError as error:  # binascii.Error is one
        raise VoxcardError(f"The request's {key} is not base64.", "Send it so.") from error
