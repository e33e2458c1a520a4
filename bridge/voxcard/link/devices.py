"""Device registry, filled from the retained status and the hello of each device."""

import logging
import secrets
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, replace

from voxwire import message, value
from voxwire.bridge_only import capability_reader
from voxwire.capability import Capability
from voxwire.errors import WireError

from voxcard.text_safety import safe_line

# Characters of what a device says of itself.
NAME_MAX, WORD_MAX = 48, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """What is known of one device. `capability` (voxwire.capability) is None before its hello,
    `session_id` is empty without a session."""

    id: str
    name: str = ""
    online: bool = False
    session_id: str = ""
    capability: Capability | None = None
    since_s: float = 0.0  # Unix time of the last change of online

    def __str__(self) -> str:
        return f"{self.id}/{self.session_id[:6] or '-'}"


class DeviceLog(logging.LoggerAdapter[logging.Logger]):
    """Puts the device and its session before every line, and into the record's fields."""

    def __init__(self, logger: logging.Logger, device: Device) -> None:
        super().__init__(logger, {"device": device.id, "session": device.session_id})
        self._device = device

    def process(
        self, msg: object, kwargs: MutableMapping[str, object]
    ) -> tuple[str, MutableMapping[str, object]]:
        return f"{self._device}: {msg}", {**kwargs, "extra": self.extra}


class Once:
    """Remembers the last `size` ids, so that a QoS 1 repeat is applied once."""

    def __init__(self, size: int = 32) -> None:
        self._size = size
        self._ids: dict[str, None] = {}

    def first(self, message_id: str) -> bool:
        """Whether `message_id` is seen for the first time; remembers it."""
        if message_id in self._ids:
            return False
        self._ids[message_id] = None
        if len(self._ids) > self._size:
            del self._ids[next(iter(self._ids))]
        return True


class Devices:
    """The registry. `now_s` is Unix time; `new_id` makes session ids."""

    def __init__(
        self, now_s: Callable[[], float], new_id: Callable[[], str] = lambda: secrets.token_hex(8)
    ) -> None:
        self._now_s = now_s
        self._new_id = new_id
        self._devices: dict[str, Device] = {}

    def all(self) -> tuple[Device, ...]:
        """Every device heard of, by id."""
        return tuple(self._devices[key] for key in sorted(self._devices))

    def get(self, device_id: str) -> Device | None:
        return self._devices.get(device_id)

    def status(self, device_id: str, payload: bytes) -> Device:
        """Take a status; the device after it. WireError names a wrong field. An empty payload
        (the retained status was cleared) means offline."""
        online = False
        if payload:
            data = message.load(payload, "status")
            if "online" not in data:
                raise WireError("status.online", "is missing")
            online = value.check(data["online"], value.BOOLEAN, "status.online")
        before = self._devices.get(device_id) or Device(id=device_id, name=device_id)
        if before.online == online and device_id in self._devices:
            return before
        session_id = before.session_id if online else ""
        return self._keep(
            replace(before, online=online, session_id=session_id, since_s=self._now_s())
        )

    def hello(
        self, device_id: str, payload: bytes, name: str = "", *, is_repeat: bool = False
    ) -> Device:
        """Take a hello and open a session; WireError names a wrong field.

        With `is_repeat` the device has said nothing since its last hello: the same hello again
        keeps its session, and the Device is the one before.
        """
        hello = capability_reader.decode(payload)
        if hello.id != device_id:
            raise WireError("hello.id", f"is {hello.id}, the topic says {device_id}")
        hello = hello._replace(
            board=safe_line(hello.board, WORD_MAX), firmware=safe_line(hello.firmware, WORD_MAX)
        )
        before = self._devices.get(device_id) or Device(id=device_id)
        if is_repeat and before.session_id and before.capability == hello:
            return before
        return self._keep(
            replace(
                before,
                name=name or safe_line(hello.name, NAME_MAX) or device_id,
                online=True,
                session_id=self._new_id(),
                capability=hello,
                since_s=before.since_s if before.online else self._now_s(),
            )
        )

    def forget(self, device_id: str) -> None:
        """Drop what is known of a device."""
        self._devices.pop(device_id, None)

    def link_lost(self) -> None:
        """The broker is away: every session ends; retained statuses come again later."""
        for device in self.all():
            self._keep(replace(device, online=False, session_id="", since_s=self._now_s()))

    def _keep(self, device: Device) -> Device:
        self._devices[device.id] = device
        return device
