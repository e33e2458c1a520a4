"""The devices that are in a session, each with its tools."""

import asyncio
import itertools
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import safe_line
from voxcard.toolhub.device_tools import DeviceTools, Fetch, Send
from voxcard.toolhub.model import ToolSpec

REFRESH_LIMIT_S = 20.0

_log = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[None, None, None], str], None]


class DeviceSessions:
    """`picture(device_id, blob_id)` waits for a blob; `on_change()` says that a list changed;
    `spawn(work, name)` runs a task.
    """

    def __init__(self, *, picture: Fetch, on_change: Callable[[], None], spawn: Spawn) -> None:
        self._picture = picture
        self._on_change = on_change
        self._spawn = spawn
        self._ids = itertools.count(1)
        self._devices: dict[str, DeviceTools] = {}
        self._stale: dict[str, bool] = {}  # while a device's list is read again: once more?

    def attach(self, device_id: str, send: Send) -> None:
        """A device's session begins: `send` takes the JSON-RPC payloads for it."""
        self.detach(device_id)
        self._devices[device_id] = DeviceTools(
            device_id,
            send,
            ids=self._ids,
            picture=self._picture,
            on_list_changed=lambda: self._read_again(device_id),
        )

    def detach(self, device_id: str) -> None:
        """Its session is over; calls that wait for it fail."""
        device = self._devices.pop(device_id, None)
        if device is not None:
            device.close()

    def detach_all(self) -> None:
        """Every session is over."""
        for device_id in tuple(self._devices):
            self.detach(device_id)

    def receive(self, device_id: str, payload: Mapping[str, Json]) -> None:
        """The payload of an `mcp` message of a device."""
        if device_id in self._devices:
            self._devices[device_id].receive(payload)

    def specs(self, device_id: str) -> Sequence[ToolSpec]:
        """The tools it last listed; none without a session."""
        device = self._devices.get(device_id)
        return device.specs if device is not None else ()

    def tools(self, device_id: str) -> DeviceTools:
        """Its tools; VoxcardError without a session."""
        device = self._devices.get(device_id)
        if device is None:
            raise VoxcardError(f"{device_id} went away.", "Try again when it is back.")
        return device

    async def refresh(self, device_id: str) -> None:
        """Read the device's list of tools; a failure is logged, the list before stays."""
        device = self._devices.get(device_id)
        if device is None:
            return
        try:
            async with asyncio.timeout(REFRESH_LIMIT_S):
                await device.refresh()
        except TimeoutError:
            _log.warning("%s: tools not listed: no answer in %g s", device_id, REFRESH_LIMIT_S)
        except VoxcardError as error:
            _log.warning("%s: tools not listed: %s", device_id, safe_line(str(error), 200))
        # Whatever a foreign list makes of its reader costs this list, not the bridge.
        except Exception:
            _log.exception("%s: tools not listed", device_id)
        else:
            _log.info("%s: %d tools", device_id, len(device.specs))
            self._on_change()

    def _read_again(self, device_id: str) -> None:
        """The list changed: it is read once at a time, however often that is said."""
        reading = device_id in self._stale
        self._stale[device_id] = True
        if not reading:
            self._spawn(self._read_while_stale(device_id), f"refresh {device_id}")

    async def _read_while_stale(self, device_id: str) -> None:
        try:
            while self._stale[device_id]:
                self._stale[device_id] = False
                await self.refresh(device_id)
        finally:
            del self._stale[device_id]
