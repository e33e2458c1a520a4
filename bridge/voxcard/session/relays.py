"""The relays of the devices that said hello, by id."""

import asyncio
from collections.abc import Iterable, Iterator

from voxwire import session

from voxcard.errors import VoxcardError
from voxcard.link.devices import Device
from voxcard.session.relay import Relay


class Relays:
    """At most one relay a device; iterating gives the relays."""

    def __init__(self) -> None:
        self._relays: dict[str, Relay] = {}

    def __len__(self) -> int:
        return len(self._relays)

    def __iter__(self) -> Iterator[Relay]:
        return iter(tuple(self._relays.values()))

    def ids(self) -> tuple[str, ...]:
        """The devices, in the order of their first hellos."""
        return tuple(self._relays)

    def find(self, device_id: str) -> Relay | None:
        """The relay of a device, if it has one."""
        return self._relays.get(device_id)

    def relay(self, device_id: str) -> Relay:
        """The relay of a device that said hello; VoxcardError when there is none."""
        relay = self._relays.get(device_id)
        if relay is None:
            known = ", ".join(sorted(self._relays)) or "none yet"
            raise VoxcardError(f"There is no device {device_id}.", f"Devices: {known}.")
        return relay

    def add(self, device_id: str, relay: Relay) -> None:
        """Keep the relay of a device that has none."""
        self._relays[device_id] = relay

    def remove(self, device_id: str) -> Relay | None:
        """Keep it no longer; returns it, if there is one."""
        return self._relays.pop(device_id, None)

    def state(self, device_id: str) -> str:
        """Of the device's session, one of voxwire.session."""
        relay = self._relays.get(device_id)
        return relay.state if relay is not None else session.OFFLINE

    def has_session(self, device_id: str) -> bool:
        """Whether the device and this bridge have one."""
        return self.state(device_id) != session.OFFLINE

    def is_busy(self, device_id: str) -> bool:
        """Whether a turn runs on it."""
        return self.state(device_id) not in (session.OFFLINE, session.IDLE)

    def lost(self, devices: Iterable[Device]) -> list[str]:
        """Which of `devices` are online and have no session."""
        return [each.id for each in devices if each.online and not self.has_session(each.id)]

    def spoke_within(self, device_id: str, seconds: float) -> bool:
        """Whether the device said anything in its session lately."""
        relay = self._relays.get(device_id)
        if relay is None or relay.spoken_s is None:
            return False
        return asyncio.get_running_loop().time() - relay.spoken_s < seconds

    def tools_changed(self) -> None:
        """Every device's assistant learns the tools there are now."""
        for relay in self:
            relay.turns.tools_changed()

    async def close(self) -> None:
        """End every turn and say goodbye."""
        await asyncio.gather(*(relay.close() for relay in self))
