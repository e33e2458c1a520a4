"""Puts the wire into a wheel as the package that the bridge imports.

A wheel holds it twice, as `voxwire` and in the firmware. A checkout's environment reads it from
firmware/: a copy there would go on running after the source has changed.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelHook(BuildHookInterface[Any]):
    """hatchling calls `initialize` before it builds; `version` is "editable" for a checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add what this kind of wheel needs."""
        if version == "standard":
            build_data["force_include"]["firmware/voxwire"] = "voxwire"
