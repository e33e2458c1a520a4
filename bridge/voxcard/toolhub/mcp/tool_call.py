"""One `tools/call` on a connected MCP server."""

import logging
from collections.abc import Callable, Mapping

from mcp import Client, MCPError
from mcp_types import CONNECTION_CLOSED

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.mcp.transport import reason
from voxcard.toolhub.outcome import progress_text

_log = logging.getLogger(__name__)


async def call(
    client: Client,
    server: str,
    tool: str,
    arguments: Mapping[str, Json],
    on_progress: Callable[[str], None] | None,
) -> Mapping[str, Json]:
    """The result; VoxcardError, which names `server`, when there is none."""
    try:
        result = await client.call_tool(
            tool,
            dict(arguments),
            progress_callback=_Progress(on_progress) if on_progress else None,
        )
    # The SDK raises its own, pydantic's, anyio's and httpx's errors for one bad answer.
    except Exception as error:
        raise _failure(server, error) from error
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


def _failure(server: str, error: Exception) -> VoxcardError:
    if not isinstance(error, MCPError):
        _log.warning("tool server %s: no valid answer: %s", server, reason(error))
        problem = f"The tool server {server} gave no valid answer."
        return VoxcardError(problem, "Try again in a moment.")
    if error.error.code == CONNECTION_CLOSED:
        problem = f"The tool server {server} stopped before it answered."
        return VoxcardError(problem, "Try again in a moment.")
    return VoxcardError(f"The tool server {server} answers: {reason(error)}.")


class _Progress:
    """The SDK's progress callback: a line for each notification."""

    def __init__(self, on_progress: Callable[[str], None]) -> None:
        self._on_progress = on_progress

    async def __call__(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        self._on_progress(progress_text(progress, total, message))
