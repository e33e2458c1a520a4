"""HTTP server on the bridge's event loop: one listening socket, a table of routes."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator, Sequence

import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from voxcard.errors import VoxcardError
from voxcard.web.http_protocol import HEAD_BYTES_MAX, HttpProtocol

log = logging.getLogger(__name__)

STOP_S = 2


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the bridge's business."""
        yield


class WebServer:
    """Serves `routes` and nothing else at `host`:`port`; port 0 takes a free one."""

    def __init__(self, routes: Sequence[BaseRoute], host: str, port: int) -> None:
        self._routes = list(routes)
        self._host, self.port = host, port
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen; VoxcardError when the address is taken or not ours."""
        try:
            family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            listening = socket.create_server((self._host, self.port), family=family)
        except (
            OSError,
            ValueError,
            TypeError,
        ) as error:  # the latter two: a name that can be none
            reason = getattr(error, "strerror", None) or error
            problem = f"No web server can listen at {self._host}:{self.port} ({reason})."
            raise VoxcardError(problem, "Set another listen or port in [web].") from error
        self.port = listening.getsockname()[1]
        site = Starlette(routes=self._routes)
        site.router.redirect_slashes = False  # a path is answered or is not there
        self._server = _Server(
            uvicorn.Config(
                site,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,  # who followed which link is nobody's business
                server_header=False,
                # A reverse proxy stands on this computer; no other client may name itself.
                proxy_headers=True,
                forwarded_allow_ips="127.0.0.1,::1",
                http=HttpProtocol,
                h11_max_incomplete_event_size=HEAD_BYTES_MAX,
                timeout_graceful_shutdown=STOP_S,
            )
        )
        self._task = asyncio.create_task(self._server.serve(sockets=[listening]), name="web")
        log.info("web: listening at %s:%d", self._host, self.port)

    async def stop(self) -> None:
        """Close the connections and the socket."""
        if self._server is None or self._task is None:
            return
        self._server.should_exit = True
        await asyncio.wait((self._task,), timeout=STOP_S + 1)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
