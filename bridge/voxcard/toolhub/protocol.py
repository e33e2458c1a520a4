"""Interfaces of the tool hub."""

from collections.abc import Callable, Mapping
from typing import Protocol

from voxcard.json_value import Json
from voxcard.toolhub.model import ToolOutcome, ToolSpec


class Tools(Protocol):
    """The part of the tool hub that a turn needs."""

    async def call(
        self,
        device_id: str,
        name: str,
        arguments: Mapping[str, Json],
        *,
        scope: str = "ai",
        on_progress: Callable[[str], None] | None = None,
    ) -> ToolOutcome:
        """Call a tool; never raises for the tool's failure."""


class DeviceHub(Tools, Protocol):
    """The part of the tool hub that a device's relay needs."""

    def attach(self, device_id: str, send: Callable[[dict[str, Json]], None]) -> None: ...
    def detach(self, device_id: str) -> None: ...
    def receive(self, device_id: str, payload: Mapping[str, Json]) -> None: ...
    async def refresh(self, device_id: str) -> None: ...
    def specs(self, device_id: str, scope: str = "ai") -> list[ToolSpec]: ...
