"""Tools of every device in a session."""

import asyncio
import itertools
import logging
import random
from collections.abc import Callable, Coroutine, Mapping, Sequence

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import safe_line
from voxcard.toolhub.device_tools import DeviceTools, Fetch, Send
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.slots import Slots

REFRESH_LIMIT_S = 20.0
# Lists that are read at a time: a whole home that comes at once must not fill every queue on the
# way; a device that does not answer holds its slot for a moment only.
READING_MAX, READING_S = 100, 2.0
RETRY_MIN_S, RETRY_MAX_S = 1.0, 300.0  # before a list that could not be read is read again

_log = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[None, None, None], str], None]


class DeviceSessions:
    """`picture(device_id, blob_id)` waits for a blob; `on_change()` is called when a list changed;
    `spawn(work, name)` runs a task.
    """

    def __init__(self, *, picture: Fetch, on_change: Callable[[], None], spawn: Spawn) -> None:
        self._picture = picture
        self._on_change = on_change
        self._spawn = spawn
        self._ids = itertools.count(1)
        self._slots = Slots(READING_MAX, READING_S)
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
        """Read the device's list of tools; the list before stays until it is read.

        While that fails it is tried again, after pauses that grow, as long as the session lives;
        the first failure is a warning.
        """
        device = self._devices.get(device_id)
        failures = 0
        while device is not None and not await self._read(device_id, device, failures):
            pause_s = min(RETRY_MAX_S, RETRY_MIN_S * 2.0**failures) * random.uniform(0.5, 1.0)
            failures += 1
            if await device.ended_within(pause_s):
                return

    async def _read(self, device_id: str, device: DeviceTools, failures: int) -> bool:
        """Read the list once; whether it is read, or is not to be read any more."""
        level = logging.DEBUG if failures else logging.WARNING
        problem = ""
        try:
            async with self._slots.slot(), asyncio.timeout(REFRESH_LIMIT_S):
                await device.refresh()
        except TimeoutError:
            problem = f"no answer in {REFRESH_LIMIT_S:g} s"
        except VoxcardError as error:
            problem = safe_line(str(error), 200)
        # Whatever a foreign list makes of its reader costs this list, not the bridge; it would
        # do so again.
        except Exception:
            _log.exception("%s: tools not listed", device_id)
            return True
        else:
            _log.info("%s: %d tools", device_id, len(device.specs))
            self._on_change()
            return True
        if self._devices.get(device_id) is not device:
            return True
        _log.log(level, "%s: tools not listed: %s", device_id, problem)
        return False

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
