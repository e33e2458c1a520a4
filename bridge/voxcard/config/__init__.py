"""The bridge's configuration, parsed from `voxcard.toml`."""

from voxcard.config.file import FILE_NAME, RESERVED, find, load, parse
from voxcard.config.values import (
    OFFLINE,
    AnyAssistant,
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
    Xiaozhi,
)

__all__ = [
    "FILE_NAME",
    "OFFLINE",
    "RESERVED",
    "AnyAssistant",
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
    "Xiaozhi",
    "find",
    "load",
    "parse",
]
