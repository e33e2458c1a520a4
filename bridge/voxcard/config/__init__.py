"""The bridge's configuration, parsed from `voxcard.toml`."""

from voxcard.config.file import FILE_NAME, RESERVED, find, load, parse
from voxcard.config.values import (
    OFFLINE,
    Assistant,
    Config,
    Control,
    Device,
    History,
    HomeAssistant,
    McpServer,
    Mqtt,
    Pipeline,
    Secret,
    Server,
    Web,
)

__all__ = [
    "FILE_NAME",
    "OFFLINE",
    "RESERVED",
    "Assistant",
    "Config",
    "Control",
    "Device",
    "History",
    "HomeAssistant",
    "McpServer",
    "Mqtt",
    "Pipeline",
    "Secret",
    "Server",
    "Web",
    "find",
    "load",
    "parse",
]
