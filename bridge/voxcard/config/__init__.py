"""The bridge's configuration, parsed from `voxcard.toml`."""

from voxcard.config.file import FILE_NAME, RESERVED, find, load, parse
from voxcard.config.values import (
    Assistant,
    Config,
    Control,
    Device,
    History,
    McpServer,
    Mqtt,
    Secret,
    Web,
)

__all__ = [
    "FILE_NAME",
    "RESERVED",
    "Assistant",
    "Config",
    "Control",
    "Device",
    "History",
    "McpServer",
    "Mqtt",
    "Secret",
    "Web",
    "find",
    "load",
    "parse",
]
