"""MCP client of one device in one session: JSON-RPC out by `send`, in by `receive`."""

import asyncio
import base64
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping

from voxwire import tool as wire
from voxwire.bridge_only.tool_reader import read_description
from voxwire.errors import WireError

from voxcard import __version__
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import safe_line
from voxcard.toolhub import listing
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.outcome import progress_text

BLOB_KEY = "voxcard/blob"  # in `_meta` of an image: id of the blob that brings its data
# The revision every device knows, xiaozhi's included.
PROTOCOL_VERSION = "2024-11-05"
_AMOUNT_MAX = 2**53
# How the pictures of devices begin (toolbox.camera, toolbox.display).
_PICTURE_HEADS: Mapping[str, tuple[bytes, ...]] = {
    "image/jpeg": (b"\xff\xd8",),
    "image/x-portable-bitmap": (b"P4",),
    "image/x-portable-pixmap": (b"P6",),
}

Send = Callable[[dict[str, Json]], None]
Progress = Callable[[str], None]
Fetch = Callable[[str, int], Awaitable[bytes]]

_log = logging.getLogger(__name__)


class DeviceTools:
    """Talks to the MCP server in a device.

    `ids` gives the number of each request, never one twice in the bridge's life, so the device
    can tell a repeat; `picture(device_id, blob_id)` waits for a blob; `on_list_changed()` says
    that the list must be read again. Waits without a limit: the caller sets one, and cancels.
    """

    def __init__(
        self,
        device_id: str,
        send: Send,
        *,
        ids: Iterator[int],
        picture: Fetch,
        on_list_changed: Callable[[], None],
    ) -> None:
        self.specs: tuple[ToolSpec, ...] = ()
        self._device_id = device_id
        self._send = send
        self._ids = ids
        self._picture = picture
        self._on_list_changed = on_list_changed
        self._listing = listing.Listing(device_id, source="device", limits=listing.DEVICE)
        self._waiting: dict[int | str, asyncio.Future[Mapping[str, Json]]] = {}
        self._progress: dict[int | str, Progress] = {}
        self._ended = asyncio.Event()

    async def refresh(self) -> None:
        """Shake hands and read every page of the list; VoxcardError when the device refuses."""
        client = {"name": "voxcard", "version": __version__}
        hello = {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}
        await self._request("initialize", hello)
        self._send(wire.request(None, "notifications/initialized"))
        entries = await self._entries()
        self.specs = await asyncio.to_thread(self._listing.read, entries)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Json],
        *,
        scope: str,
        on_progress: Progress | None = None,
    ) -> Mapping[str, Json]:
        """The result of a tools/call, pictures in place; VoxcardError when there is none."""
        meta = {wire.SCOPE_KEY: scope}
        params = {"name": name, "arguments": dict(arguments), "_meta": meta}
        result = await self._request("tools/call", params, on_progress)
        content = result.get("content")
        if not isinstance(content, list):
            return result
        return {**result, "content": [await self._filled(block) for block in content]}

    def receive(self, payload: Mapping[str, Json]) -> None:
        """Take a JSON-RPC message of the device; what is none, or comes too late, is logged."""
        try:
            message = wire.parse(payload)
        except WireError as error:
            _log.warning("%s: refused mcp message: %s", self._device_id, error)
            return
        if isinstance(message, wire.Request):
            self._requested(message)
            return
        waiting = self._waiting.get(message.id)
        if waiting is None or waiting.done():
            _log.debug("%s: late or repeated answer %s", self._device_id, message.id)
        elif message.error is not None:
            waiting.set_exception(VoxcardError(message.error.message))
        else:
            waiting.set_result(message.result)

    def close(self) -> None:
        """The session is over: every call that waits fails."""
        self._ended.set()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(self._gone())

    def _gone(self) -> VoxcardError:
        problem = f"{self._device_id} went away before it answered."
        return VoxcardError(problem, "Try again when it is back.")

    async def ended_within(self, limit_s: float) -> bool:
        """Whether the session ends in that time; waits for it."""
        try:
            await asyncio.wait_for(self._ended.wait(), limit_s)
        except TimeoutError:
            return False
        return True

    async def _request(
        self, method: str, params: Mapping[str, Json], on_progress: Progress | None = None
    ) -> Mapping[str, Json]:
        if self._ended.is_set():
            raise self._gone()
        call_id = next(self._ids)
        if on_progress is not None:
            self._progress[call_id] = on_progress
            meta = {**params.get("_meta", {}), "progressToken": call_id}
            params = {**params, "_meta": meta}
        answer: asyncio.Future[Mapping[str, Json]] = asyncio.get_running_loop().create_future()
        self._waiting[call_id] = answer
        try:
            self._send(wire.request(call_id, method, params))
            return await answer
        except WireError as error:
            problem = f"The call does not fit into a message to the device ({error})."
            raise VoxcardError(problem, "Use shorter arguments.") from error
        except asyncio.CancelledError:
            reason = {"requestId": call_id, "reason": "cancelled or out of time"}
            with contextlib.suppress(VoxcardError):  # the link may be gone as well
                self._send(wire.request(None, "notifications/cancelled", reason))
            raise
        finally:
            del self._waiting[call_id]
            self._progress.pop(call_id, None)

    def _requested(self, request: wire.Request) -> None:
        if request.method == "notifications/progress":
            self._progressed(request.params)
        elif request.method == "notifications/tools/list_changed":
            self._on_list_changed()
        elif request.method == "ping" and request.id is not None:
            self._send(wire.result(request.id, {}))
        elif request.id is not None:
            text = f"The bridge has no method {request.method[:40]}."
            self._send(wire.error(request.id, wire.METHOD_NOT_FOUND, text))

    def _progressed(self, params: Mapping[str, Json]) -> None:
        token, done, total = (params.get(key) for key in ("progressToken", "progress", "total"))
        report = self._progress.get(token) if isinstance(token, int | str) else None
        amount = _amount(done)
        if report is None or amount is None:
            return
        message = params.get("message")
        text = message if isinstance(message, str) else None
        report(progress_text(amount, _amount(total), text))

    async def _entries(self) -> list[listing.Entry]:
        """Every page of the list, as far as it is used."""
        entries: list[listing.Entry] = []
        refused: list[str] = []
        cursors: set[str] = set()
        params: dict[str, Json] = {"withUserTools": True}  # we keep the scopes apart ourselves
        for _ in range(listing.PAGES_MAX):
            page = await self._request("tools/list", params)
            tools = page.get("tools")
            for tool in tools if isinstance(tools, list) else ():
                try:
                    entries.append(_entry(tool))
                except WireError as error:
                    refused.append(str(error))
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or cursor in cursors:
                break
            if len(entries) > self._listing.tools_max:
                break
            cursors.add(cursor)
            params = {**params, "cursor": cursor}
        if refused:
            text = "%s: refused %d tools, the first because %s"
            _log.warning(text, self._device_id, len(refused), safe_line(refused[0], 200))
        return entries

    async def _filled(self, block: Json) -> Json:
        """An image block with the data its blob brought; any other block as it is."""
        meta = block.get("_meta") if isinstance(block, Mapping) else None
        blob_id = meta.get(BLOB_KEY) if isinstance(meta, Mapping) else None
        if not isinstance(blob_id, int) or isinstance(blob_id, bool):
            return block
        try:
            data = await self._picture(self._device_id, blob_id)
        except (VoxcardError, TimeoutError) as error:
            problem = "The picture did not arrive whole."
            raise VoxcardError(problem, "Ask for it again.") from error
        heads = _PICTURE_HEADS.get(str(block.get("mimeType")), (b"",))
        if not data.startswith(heads) or data in heads:
            raise VoxcardError("The camera gave no picture.", "Try again.")
        return {**block, "data": base64.b64encode(data).decode()}


def _entry(tool: Json) -> listing.Entry:
    described = read_description(tool)
    return listing.Entry(
        name=described.name,
        description=described.description,
        input_schema=described.input_schema,
        scope=described.scope,
        meta=tool.get("_meta"),
        destructive=described.destructive,
    )


def _amount(value: Json) -> float | None:
    """A number of a progress; JSON has some that no float is as large as."""
    is_amount = isinstance(value, int | float) and -_AMOUNT_MAX <= value <= _AMOUNT_MAX
    return value if is_amount else None
