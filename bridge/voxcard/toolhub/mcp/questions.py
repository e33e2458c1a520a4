"""Elicitation requests of an MCP server, each routed to the device of its call."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from mcp.client import ClientRequestContext
from mcp_types import ElicitRequestFormParams, ElicitRequestURLParams, ElicitResult

from voxcard.json_value import Json

QUESTIONS_MAX = 5  # of one call; whoever asks more often is declined

# elicit(device_id, server, params of an elicitation/create) -> {action, content?} of its result
Elicit = Callable[[str, str, Mapping[str, Json]], Awaitable[Mapping[str, Json]]]

_DECLINED: Mapping[str, Json] = {"action": "decline"}
_CANCELLED: Mapping[str, Json] = {"action": "cancel"}

_log = logging.getLogger(__name__)


async def nobody(device_id: str, server: str, params: Mapping[str, Json]) -> Mapping[str, Json]:
    """Declines: there is no screen to ask on."""
    return _DECLINED


class Caller:
    """The device a running call belongs to.

    The call's `limit` rests while a person is asked and starts anew, `limit_s` long, after it.
    """

    def __init__(self, device_id: str, limit: asyncio.Timeout, limit_s: float) -> None:
        self.device_id = device_id
        self._limit = limit
        self._limit_s = limit_s
        self._asked = 0
        self._open: set[asyncio.Task[Mapping[str, Json]]] = set()
        self._over = False

    async def ask(self, question: Callable[[], Awaitable[Mapping[str, Json]]]) -> Json:
        """The answer; a question that the end of the call overtakes is withdrawn."""
        self._asked += 1
        if self._over:
            return _CANCELLED
        if self._asked > QUESTIONS_MAX:
            return _DECLINED
        task = asyncio.ensure_future(question())
        self._open.add(task)
        self._rest(None)
        try:
            await asyncio.wait((task,))
        finally:
            task.cancel()
            self._open.discard(task)
            if not self._open:
                self._rest(asyncio.get_running_loop().time() + self._limit_s)
        return _CANCELLED if task.cancelled() else task.result()

    def end(self) -> None:
        """The call is over: nobody waits for an answer any more."""
        self._over = True
        for task in self._open:
            task.cancel()

    def _rest(self, until_s: float | None) -> None:
        if not self._over and not self._limit.expired():
            self._limit.reschedule(until_s)


_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)


class Questions:
    """The questions of one server. Each goes to the device whose call it belongs to.

    The server's question names no call. Over HTTP, and where the question is the result of the
    call, it comes in the call's own context; over stdio it is the call's that alone is running.
    """

    def __init__(self, server: str, elicit: Elicit) -> None:
        self._server = server
        self._elicit = elicit
        self._running: list[Caller] = []

    @contextmanager
    def during(self, caller: Caller) -> Iterator[None]:
        """While a call of `caller` runs."""
        token = _caller.set(caller)
        self._running.append(caller)
        try:
            yield
        finally:
            self._running.remove(caller)
            caller.end()
            _caller.reset(token)

    async def answer(
        self,
        context: ClientRequestContext,
        params: ElicitRequestFormParams | ElicitRequestURLParams,
    ) -> ElicitResult:
        """The elicitation callback of the SDK."""
        caller = self._asked()
        if caller is None:
            _log.warning(
                "tool server %s: its question is declined, as it belongs to no call, or to any of"
                " %d devices' calls",
                self._server,
                len({each.device_id for each in self._running}),
            )
            return ElicitResult(action="decline")
        form = params.model_dump(mode="json", by_alias=True, exclude_none=True)
        answer = await caller.ask(lambda: self._elicit(caller.device_id, self._server, form))
        return ElicitResult.model_validate(answer)

    def _asked(self) -> Caller | None:
        own = _caller.get()
        if own in self._running:
            return own
        one_device = len({each.device_id for each in self._running}) == 1
        return self._running[-1] if one_device else None
