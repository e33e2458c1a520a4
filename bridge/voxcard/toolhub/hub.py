"""Lists and calls tools of devices, MCP servers and the bridge in one way."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace

from voxwire.tool import reaches

from voxcard.errors import VoxcardError
from voxcard.json_value import Json, JsonObject
from voxcard.text_safety import safe_line, safe_text
from voxcard.toolhub import outcome
from voxcard.toolhub.builtin.bridge_tool import BridgeTool
from voxcard.toolhub.device_sessions import DeviceSessions
from voxcard.toolhub.device_tools import Fetch, Progress, Send
from voxcard.toolhub.listing import no_such_tool
from voxcard.toolhub.mcp.client import McpClient
from voxcard.toolhub.mcp.questions import Caller
from voxcard.toolhub.model import ToolOutcome, ToolSpec
from voxcard.toolhub.schema.validation import Validation, whole_numbers

LIMIT_S = 20.0
CAMERA_LIMIT_S = 30.0  # the picture travels in chunks over the same link as the audio
CONFIRM_LIMIT_S = 60.0  # a person walks to the device
_NAME_SHOWN = 60  # characters of a name that does not exist
_ERROR_MAX = 2000  # characters of what went wrong
_PROGRESS_MAX = 200  # characters

_log = logging.getLogger(__name__)


class Hub:
    """The device's own tools (`self.…`), the servers' (`<server>.…`), the bridge's (`bridge.…`).

    `picture(device_id, blob_id)` waits for a blob a device sends; `on_change()` is called when a
    tool list changes. A call never raises for what a tool, a server or a device does: it returns
    a ToolOutcome with `is_error` and a sentence.
    """

    def __init__(
        self,
        *,
        picture: Fetch,
        servers: Sequence[McpClient] = (),
        bridge: Sequence[BridgeTool] = (),
        on_change: Callable[[], None] = lambda: None,
        limit_s: float = LIMIT_S,
        camera_limit_s: float = CAMERA_LIMIT_S,
        confirm_limit_s: float = CONFIRM_LIMIT_S,
    ) -> None:
        self._servers = {server.name: server for server in servers}
        self._bridge = {tool.spec.name: tool for tool in bridge}
        self._on_change = on_change
        self._limit_s = limit_s
        self._camera_limit_s = camera_limit_s
        self._confirm_limit_s = confirm_limit_s
        self._validation = Validation()
        self._devices = DeviceSessions(picture=picture, on_change=on_change, spawn=self._spawn)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start every MCP server at once; does not wait for them (see `settled`)."""
        for server in self._servers.values():
            self._spawn(server.run(self._on_change), f"tool server {server.name}")

    async def settled(self) -> None:
        """Wait until each server is connected or has failed once. No limit: the caller has one."""
        await asyncio.gather(*(server.settled.wait() for server in self._servers.values()))

    async def stop(self) -> None:
        """End the servers and every waiting call; safe to call twice."""
        self._devices.detach_all()
        for server in self._servers.values():
            server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def offer(self, tool: BridgeTool) -> None:
        """Offer a tool of the bridge, in the place of one of its name."""
        self._bridge[tool.spec.name] = tool
        self._on_change()

    def attach(self, device_id: str, send: Send) -> None:
        """A device's session begins: `send` takes the JSON-RPC payloads for it."""
        self._devices.attach(device_id, send)

    def detach(self, device_id: str) -> None:
        """Its session is over; calls that wait for it fail."""
        self._devices.detach(device_id)

    def receive(self, device_id: str, payload: Mapping[str, Json]) -> None:
        """The payload of an `mcp` message of a device."""
        self._devices.receive(device_id, payload)

    async def refresh(self, device_id: str) -> None:
        """Read the device's list of tools; a failure is logged, the list before stays."""
        await self._devices.refresh(device_id)

    def specs(self, device_id: str, scope: str = "ai") -> list[ToolSpec]:
        """Every tool a caller with `scope` may call for this device, each name once."""
        return [spec for spec in self._all(device_id) if reaches(scope, spec.scope)]

    async def call(
        self,
        device_id: str,
        name: str,
        arguments: Mapping[str, Json],
        *,
        scope: str = "ai",
        on_progress: Callable[[str], None] | None = None,
    ) -> ToolOutcome:
        """Call a tool for a device; `on_progress` gets short lines while it runs.

        Cancelling the caller cancels the call at the device or server too.
        """
        try:
            return await self._call(device_id, name, arguments, scope, on_progress)
        except VoxcardError as error:
            text = safe_text(str(error)[:_ERROR_MAX])
        # Whatever a tool, a server or its card makes of the bridge costs this call alone.
        except Exception:
            _log.exception("%s: %s failed", device_id, safe_line(name, _NAME_SHOWN))
            return outcome.failed("Something went wrong here. Please try again.")
        _log.warning("%s: %s failed: %s", device_id, name, safe_line(text))
        return outcome.failed(text)

    async def _call(
        self,
        device_id: str,
        name: str,
        arguments: Mapping[str, Json],
        scope: str,
        on_progress: Progress | None,
    ) -> ToolOutcome:
        tools = self._all(device_id)
        spec = next((spec for spec in tools if spec.name == name), None)
        refusal = await self._refusal(spec, name, tools, arguments, scope)
        if refusal or spec is None:
            _log.info("%s: refused %s: %s", device_id, safe_line(name, _NAME_SHOWN), refusal)
            return outcome.failed(refusal)
        arguments = whole_numbers(spec, arguments)
        report = on_progress and _Report(device_id, on_progress)
        limit_s = self._limit(spec, scope)
        try:
            async with asyncio.timeout(limit_s) as limit:
                caller = Caller(device_id, limit, limit_s)
                return await self._run(caller, spec, arguments, scope, report)
        except TimeoutError as error:
            if spec.source in self._servers:
                self._servers[spec.source].doubt()
            problem = f"The tool did not answer within {limit_s:g} seconds."
            raise VoxcardError(problem, "Try again in a moment.") from error

    def tool_meta(self, tool: str) -> JsonObject:
        """The `_meta` of the description of a server's tool; empty for any other tool."""
        server = self._server_of(tool)
        specs = server.specs if server is not None else ()
        return next((spec.meta for spec in specs if spec.name == tool), {})

    async def resource(self, tool: str, uri: str) -> str | None:
        """The text of a resource of the server a tool is of; None when it cannot be had."""
        server = self._server_of(tool)
        return await server.template(uri) if server is not None else None

    def _server_of(self, tool: str) -> McpClient | None:
        return self._servers.get(tool.partition(".")[0])

    def _all(self, device_id: str) -> list[ToolSpec]:
        # A device may not pass for a server or for the bridge.
        taken = {*self._servers, "bridge"}
        own = self._devices.specs(device_id)
        specs = [spec for spec in own if spec.name.partition(".")[0] not in taken]
        for server in self._servers.values():
            specs += server.specs
        return specs + [tool.spec for tool in self._bridge.values()]

    async def _refusal(
        self,
        spec: ToolSpec | None,
        name: str,
        tools: Sequence[ToolSpec],
        arguments: Mapping[str, Json],
        scope: str,
    ) -> str:
        """Why the call is not even tried, or ""."""
        if spec is None:
            return await asyncio.to_thread(no_such_tool, name, [tool.name for tool in tools])
        # An admin tool of a device asks a person on its own screen.
        asks = spec.source == "device" and scope == "user"
        if not reaches(scope, spec.scope) and not asks:
            return f"{name} may be called only with the scope {spec.scope}, not {scope}."
        return await asyncio.to_thread(self._validation.refusal, spec, arguments)

    def _limit(self, spec: ToolSpec, scope: str) -> float:
        if not reaches(scope, spec.scope):
            return self._confirm_limit_s
        own = self._bridge.get(spec.name)
        if own is not None and own.limit_s is not None:
            return own.limit_s
        server = self._servers.get(spec.source)
        if server is not None and server.limit_s is not None:
            return server.limit_s
        return self._camera_limit_s if ".camera." in spec.name else self._limit_s

    async def _run(
        self,
        caller: Caller,
        spec: ToolSpec,
        arguments: Mapping[str, Json],
        scope: str,
        on_progress: Progress | None,
    ) -> ToolOutcome:
        device_id = caller.device_id
        if spec.source == "bridge":
            return await self._bridge[spec.name].call(device_id, arguments)
        if spec.source == "device":
            device = self._devices.tools(device_id)
            result = await device.call(spec.name, arguments, scope=scope, on_progress=on_progress)
        else:
            tool = spec.name.removeprefix(f"{spec.source}.")
            server = self._servers[spec.source]
            result = await server.call(tool, arguments, caller, on_progress)
        return await asyncio.to_thread(_read, spec.name, result)

    def _spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Report:
    """Progress as one clean line; whoever takes it cannot disturb the call."""

    def __init__(self, device_id: str, on_progress: Progress) -> None:
        self._device_id = device_id
        self._on_progress = on_progress

    def __call__(self, text: str) -> None:
        try:
            self._on_progress(safe_line(text, _PROGRESS_MAX))
        except Exception:
            _log.exception("%s: progress not shown", self._device_id)


def _read(name: str, result: Mapping[str, Json]) -> ToolOutcome:
    """The outcome of a result, its text clean. In a thread: both may be large."""
    done = outcome.read(name, result)
    return replace(done, text=safe_text(done.text))
