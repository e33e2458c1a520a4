"""One HTTP connection: times out when idle, is closed when a newer one needs its slot."""

import asyncio
import logging

from uvicorn.protocols.http.h11_impl import H11Protocol

_log = logging.getLogger(__name__)

CONNECTIONS_MAX = 64
REQUEST_S = 5.0  # from connecting, or from the answer before, to a whole request's head
HEAD_BYTES_MAX = 16_384  # of a request's line and headers


class HttpProtocol(H11Protocol):
    """uvicorn's protocol, which waits for a first request without a limit.

    A connection that has not asked for anything in REQUEST_S is closed, whether it is silent or
    sends a byte now and then. When CONNECTIONS_MAX are open, a new one takes the slot of the one
    that has waited longest without a request; when all of them are being answered it is refused.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or close it when no slot is free."""
        if len(self.connections) >= CONNECTIONS_MAX and not self._free_slot():
            _log.info("web: a connection is refused, %d are being answered", CONNECTIONS_MAX)
            transport.abort()
            return
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._stop_waiting()
        if self.transport is not None:  # it had a slot
            super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take what came; the wait ends with the head of a request."""
        super().handle_events()
        if self._is_answering():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """The answer is sent: wait for the next request."""
        super().on_response_complete()
        self._wait()

    def _free_slot(self) -> bool:
        waiting = [
            (each._late.when(), id(each), each)
            for each in self.connections
            if isinstance(each, HttpProtocol) and each._late is not None
        ]
        if not waiting:
            return False
        _, _, longest = min(waiting)
        longest._close()
        self.connections.discard(longest)
        return True

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self._late = self.loop.call_later(REQUEST_S, self._close)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close(self) -> None:
        self._stop_waiting()
        self.transport.abort()
