"""One run of an Assist pipeline: its audio there, its events back."""

import asyncio
from dataclasses import dataclass

from voxcard.assistants.home_assistant.connection import Connection, Incoming
from voxcard.assistants.home_assistant.messages import Malformed
from voxcard.assistants.home_assistant.pipeline_events import (
    PipelineEvent,
    RunError,
    RunStart,
    parse_event,
)
from voxcard.assistants.home_assistant.problems import HomeSubject, LostConnection, RunFailed
from voxcard.assistants.pipeline.server_problem import ServerProblem
from voxcard.json_value import Json

EVENTS_MAX = 10_000  # that nobody pulled, while a long answer plays


@dataclass(frozen=True, slots=True, kw_only=True)
class MicrophoneClosed:
    """Our own side of a run: every sample was sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingHeard:
    """Our own side of a run: nobody spoke for too long."""


class Run:
    """`opened` sends it off; `next` gives its events; `close` leaves it, however far it came."""

    def __init__(self, connection: Connection, subject: HomeSubject) -> None:
        self._connection = connection
        self._subject = subject
        self._number = 0
        self._events: asyncio.Queue[Incoming | MicrophoneClosed | NothingHeard] = asyncio.Queue()
        self._handler: int | None = None
        self._accepted = False

    @classmethod
    async def opened(
        cls, connection: Connection, subject: HomeSubject, limit_s: float, **fields: Json
    ) -> "Run":
        """A run that was accepted; raises RunFailed or LostConnection."""
        run = cls(connection, subject)
        run._number = connection.subscribe("assist_pipeline/run", run._receive, **fields)
        try:
            await connection.result(run._number, limit_s)
        except RunFailed:
            run.close()
            raise
        except BaseException:  # left while it may begin there
            run._accepted = True
            run.close()
            raise
        run._accepted = True
        return run

    async def next(
        self, limit_s: float | None = None
    ) -> PipelineEvent | MicrophoneClosed | NothingHeard:
        """The next event, waited for `limit_s`; raises LostConnection."""
        try:
            async with asyncio.timeout(limit_s):
                incoming = await self._events.get()
        except TimeoutError as error:
            assert limit_s is not None
            raise self._subject.silent(limit_s) from error
        if isinstance(incoming, ServerProblem):
            raise incoming
        if isinstance(incoming, MicrophoneClosed | NothingHeard):
            return incoming
        try:
            event = parse_event(incoming)
        except Malformed as error:
            raise LostConnection(*self._subject.broken(f"sent {error}").args) from error
        if isinstance(event, RunStart):
            self._handler = event.handler
        if isinstance(event, RunError):
            self._handler = None
        return event

    def _receive(self, incoming: Incoming) -> None:
        self._events.put_nowait(incoming)
        if self._events.qsize() == EVENTS_MAX:
            broken = self._subject.broken("sends without end")
            self._connection.end(LostConnection(*broken.args))

    @property
    def takes_audio(self) -> bool:
        """There is somebody there for it."""
        return self._handler is not None

    def audio(self, pcm: bytes) -> None:
        """Send samples; empty ones say that no more come."""
        if self._handler is not None:
            self._connection.audio(self._handler, pcm)

    def stop_audio(self) -> None:
        """It wants no more of it: its number may be another run's soon."""
        self._handler = None

    def note(self, event: MicrophoneClosed | NothingHeard) -> None:
        """Put an event of our own side among the others."""
        self._events.put_nowait(event)

    def close(self) -> None:
        """Leave it: there it is cancelled if it still runs, and forgotten."""
        self._handler = None
        self._connection.unsubscribe(self._number, tell=self._accepted)
        self._accepted = False
