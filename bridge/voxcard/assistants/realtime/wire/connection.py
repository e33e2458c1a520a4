"""One WebSocket to a Realtime server: events out, events in; every failure is a ServerProblem."""

import asyncio
import ssl
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from voxcard.assistants import websocket
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.pipeline.web import error_message
from voxcard.assistants.realtime.wire import client_events, parsing
from voxcard.assistants.realtime.wire.parsing import NoEvent
from voxcard.assistants.realtime.wire.problems import failure
from voxcard.assistants.realtime.wire.server_events import (
    AudioDelta,
    ServerError,
    ServerEvent,
    SessionCreated,
    SpeechStarted,
)
from voxcard.config import Server
from voxcard.json_value import JsonObject

# A session ends after 60 minutes; one is not begun a turn with that is so near it.
RENEW_S = 55 * 60.0
_NEAR_END_S = 120.0  # before the moment that the server names
_CONNECT_S = 5.0
_CLOSE_S = 2.0
_MESSAGE_MAX = 4 << 20  # bytes; a server's largest event is a response with its words
_OUT_MAX = 1500  # events that wait for the network: some 30 s of a microphone
_PENDING_MAX = 60 << 20  # bytes of answer that nobody took: 20 minutes of sound


@dataclass(frozen=True, slots=True, kw_only=True)
class MicrophoneEnded:
    """No more audio comes; `sent_ms` of this turn's went to the server."""

    sent_ms: int


Received = ServerEvent | MicrophoneEnded


class Connection:
    """An open session. `send` never waits, so a turn may be closed at any of its awaits."""

    def __init__(self, socket: ClientConnection, subject: Subject) -> None:
        self._socket = socket
        self._subject = subject
        self._begun_s = time.monotonic()
        self._expires_s = self._begun_s + RENEW_S
        self._out: asyncio.Queue[str] = asyncio.Queue(_OUT_MAX)
        self._in: deque[Received] = deque()
        self._pending = 0  # bytes of sound in it
        self._came = asyncio.Event()
        self._problem: ServerProblem | None = None
        self._sent = 0
        self._interruptions = 0  # SpeechStarted in `_in`
        self._tasks = [
            asyncio.create_task(self._read(), name="realtime read"),
            asyncio.create_task(self._write(), name="realtime write"),
        ]

    @classmethod
    async def open(
        cls, server: Server, subject: Subject, limit_s: float, tls: ssl.SSLContext | None
    ) -> "Connection":
        """Connect and wait until the server begins the session."""
        socket = await _connected(server, subject, limit_s, tls)
        connection = cls(socket, subject)
        try:
            while not isinstance(event := await connection.receive(limit_s), SessionCreated):
                if isinstance(event, ServerError):
                    raise failure(subject, event)
            connection._expires(event.expires_at)
        except BaseException:
            await connection.close()
            raise
        return connection

    @property
    def is_open(self) -> bool:
        return self._problem is None

    @property
    def is_old(self) -> bool:
        """Whether its end is near."""
        return self.left_s <= 0

    @property
    def left_s(self) -> float:
        """How long until its end is near."""
        return self._expires_s - time.monotonic()

    @property
    def is_interrupted(self) -> bool:
        """Whether a SpeechStarted waits: what comes before it is not to be played any more."""
        return self._interruptions > 0

    def send(self, event: JsonObject) -> None:
        """Send `event` as soon as the network takes it; nothing on a connection that ended."""
        if self._problem is not None:
            return
        self._sent += 1
        kind = event.get("event_id") or str(event["type"]).rpartition(".")[2]
        event_id = f"{kind}-{self._sent}"
        try:
            self._out.put_nowait(client_events.encoded(event, event_id))
        except asyncio.QueueFull:
            self._fail(self._subject.broken("takes nothing any more"))

    def post(self, event: Received) -> None:
        """Put an event behind those that came."""
        self._in.append(event)
        self._came.set()

    async def receive(self, limit_s: float | None) -> Received:
        """The next event; ServerProblem when there is none within `limit_s`."""
        try:
            async with asyncio.timeout(limit_s):
                while not self._in:
                    if self._problem is not None:
                        raise self._problem
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError as error:
            raise self._subject.late(limit_s or 0) from error
        return self._taken()

    def drain(self) -> Iterator[Received]:
        """What came and was not received."""
        while self._in:
            yield self._taken()

    async def close(self) -> None:
        """End the session; safe to call twice."""
        self._problem = self._problem or self._subject.broken("was left")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await websocket.close(self._socket, _CLOSE_S)
        self._came.set()

    def _taken(self) -> Received:
        event = self._in.popleft()
        self._interruptions -= isinstance(event, SpeechStarted)
        self._pending -= len(event.pcm) if isinstance(event, AudioDelta) else 0
        return event

    def _expires(self, at_s: int) -> None:
        if at_s:
            left_s = at_s - time.time() - _NEAR_END_S
            self._expires_s = min(self._expires_s, self._begun_s + max(0.0, left_s))

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                event = parsing.parse(message)
                if event is None:
                    continue
                self._interruptions += isinstance(event, SpeechStarted)
                self._pending += len(event.pcm) if isinstance(event, AudioDelta) else 0
                self.post(event)
                if self._pending > _PENDING_MAX:
                    raise NoEvent("answers without an end")
            self._fail(self._subject.broken("closed the connection"))
        except NoEvent as error:
            self._fail(self._subject.broken(str(error)))
        except ConnectionClosed as error:
            self._fail(self._subject.broken(_why_closed(error, self._subject)))
        except OSError:
            self._fail(self._subject.broken("broke off in the middle"))

    async def _write(self) -> None:
        try:
            while True:
                await self._socket.send(await self._out.get())
        except (ConnectionClosed, OSError):
            self._fail(self._subject.broken("broke off in the middle"))

    def _fail(self, problem: ServerProblem) -> None:
        """Nothing comes or goes any more; what came before is still received."""
        self._problem = self._problem or problem
        self._came.set()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._socket.transport.abort()


async def _connected(
    server: Server, subject: Subject, limit_s: float, tls: ssl.SSLContext | None
) -> ClientConnection:
    key = server.key.value
    try:
        return await websocket.opened(
            f"{server.url}/realtime?model={quote(server.model, safe='')}",
            open_s=min(_CONNECT_S, limit_s),
            close_s=_CLOSE_S,
            message_max=_MESSAGE_MAX,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            tls=tls,
            is_compressed=True,  # the sound is base64
        )
    except InvalidStatus as error:
        said = (error.response.body or b"")[:8192].decode("utf-8", "replace")
        said = error_message(said) or said
        raise subject.refused(error.response.status_code, said) from error
    except (TimeoutError, OSError) as error:
        raise subject.away() from error
    except WebSocketException as error:
        raise subject.broken("does not speak WebSocket") from error


def _why_closed(error: ConnectionClosed, subject: Subject) -> str:
    """Completes "it ..."; a server's reason may be all it says about a key or a quota."""
    if error.sent is not None and error.sent.code == 1009:
        return "sent a message that is too long"
    if error.rcvd is not None and error.rcvd.reason:
        return f"closed the connection: {subject.words(error.rcvd.reason).rstrip('.')}"
    return "closed the connection" if error.rcvd is not None else "broke off in the middle"
