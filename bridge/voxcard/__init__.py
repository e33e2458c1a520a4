"""The Voxcard bridge: voice sessions, tool calls and cards between devices and an assistant."""

__version__ = "0.1.0"
