"""Cache of the card layouts that one MCP server offers as resources."""

import asyncio
import logging

from mcp import Client
from mcp_types import TextResourceContents

from voxcard.errors import VoxcardError
from voxcard.text_safety import safe_line

READ_LIMIT_S = 5.0  # the result is there already, and a person waits for it
BYTES_MAX = 1 << 20
KEPT_MAX = 16  # layouts; the one read longest ago goes first

_log = logging.getLogger(__name__)


class Templates:
    """The texts of a server's `a2ui://` resources; `forget` when they may have changed."""

    def __init__(self, server: str, read_limit_s: float = READ_LIMIT_S) -> None:
        self._server = server
        self._read_limit_s = read_limit_s
        self._texts: dict[str, str] = {}
        self._changes = 0

    def forget(self) -> None:
        """The server has other resources now, or is another one."""
        self._texts.clear()
        self._changes += 1

    async def get(self, client: Client, uri: str) -> str | None:
        """What `uri` holds, None (and a line in the log) when it cannot be had."""
        if uri in self._texts:
            return self._texts[uri]
        changes = self._changes
        try:
            async with asyncio.timeout(self._read_limit_s):
                text = await self._read(client, uri)
        # The SDK raises its own, pydantic's, anyio's and httpx's errors for one bad answer.
        except Exception as error:
            why = "it does not answer" if isinstance(error, TimeoutError) else str(error)
            layout, why = safe_line(uri, 100), safe_line(why, 200)
            _log.warning("tool server %s: no layout %s: %s", self._server, layout, why)
            return None
        if changes == self._changes:
            self._texts[uri] = text
            if len(self._texts) > KEPT_MAX:
                del self._texts[next(iter(self._texts))]
        return text

    async def _read(self, client: Client, uri: str) -> str:
        # Not client.read_resource: that asks questions, and here nobody is to be asked.
        result = await client.session.read_resource(uri)
        texts = [each.text for each in result.contents if isinstance(each, TextResourceContents)]
        size = sum(len(text.encode(errors="replace")) for text in texts)
        if size > BYTES_MAX:
            raise VoxcardError(f"it has {size} bytes, of which {BYTES_MAX} are allowed.", "")
        return "\n".join(texts)
