"""The log of `voxcard run`."""

import logging

from voxcard.text_safety import safe_line


class LineFormatter(logging.Formatter):
    """Every record is one line that commands no terminal, whatever a device put into it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        record.message = safe_line(record.message)
        return super().formatMessage(record)


def log_to_stderr(level: str) -> None:
    """`level` as in [log]."""
    handler = logging.StreamHandler()
    handler.setFormatter(LineFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    if level != "debug":
        # A line for each HTTP request of an MCP server says nothing about the home, and of the
        # embedded broker we tell ourselves.
        for name in ("httpx2", "iotcore", "mcp"):
            logging.getLogger(name).setLevel(logging.WARNING)
