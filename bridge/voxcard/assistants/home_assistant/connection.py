"""One authenticated WebSocket to a Home Assistant: commands, their results, events of runs.

Everything leaves through one queue, so that it leaves in order, whoever is cancelled in between:
numbers of commands must increase, and no audio may follow the end of its run.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping

import websockets
from websockets.asyncio.client import ClientConnection

from voxcard.assistants import websocket
from voxcard.assistants.home_assistant.messages import (
    Event,
    Malformed,
    Message,
    Pong,
    Result,
    parse,
)
from voxcard.assistants.home_assistant.problems import HomeSubject, LostConnection
from voxcard.assistants.pipeline.server_problem import ServerProblem
from voxcard.json_value import Json, JsonObject

log = logging.getLogger(__name__)

CLOSE_S = 1.0
UNSENT_MAX = 2000  # frames: a minute of audio that it does not take

# Of a subscription: an event, or why no more come.
Incoming = JsonObject | ServerProblem
Receive = Callable[[Incoming], None]


class Connection:
    """`run` reads and writes until it ends, and is to be cancelled to close it."""

    def __init__(self, socket: ClientConnection, subject: HomeSubject) -> None:
        self.problem: ServerProblem | None = None  # why it is over
        self.over = asyncio.Event()
        self.heard_s = asyncio.get_running_loop().time()  # when it last sent something
        self._socket = socket
        self._subject = subject
        self._last_id = 0
        self._outgoing: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._pending: dict[int, asyncio.Future[Json]] = {}
        self._subscribed: dict[int, Receive] = {}

    async def run(self) -> None:
        """Serve it until it ends; `problem` says why it did."""
        tasks = [
            asyncio.create_task(self._read(), name="Home Assistant reader"),
            asyncio.create_task(self._write(), name="Home Assistant writer"),
            asyncio.create_task(self.over.wait(), name="Home Assistant end"),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.end(self._subject.lost())
            await websocket.close(self._socket, CLOSE_S)

    def end(self, problem: ServerProblem) -> None:
        """Give it up: everybody who waits gets `problem`. The first one counts."""
        if self.problem is not None:
            return
        self.problem = problem
        self.over.set()
        for future in self._pending.values():
            if not future.done():
                future.set_exception(problem)
                future.exception()  # nobody may be waiting any more
        for receive in self._subscribed.values():
            receive(problem)
        self._pending.clear()
        self._subscribed.clear()

    async def request(self, kind: str, limit_s: float, **fields: Json) -> Json:
        """The result of a command; raises RunFailed or LostConnection."""
        number = self.post(kind, **fields)
        return await self.result(number, limit_s)

    async def ping(self, limit_s: float) -> None:
        """Raises LostConnection when nothing answers."""
        await self.request("ping", limit_s)

    async def result(self, number: int, limit_s: float) -> Json:
        """The result of the command `post` numbered; nothing for `limit_s` ends the connection."""
        if self.problem is not None:
            raise self.problem
        future = self._pending[number]
        try:
            async with asyncio.timeout(limit_s):
                return await future
        except TimeoutError as error:
            self.end(self._subject.silent(limit_s))
            raise self._subject.silent(limit_s) from error
        finally:
            self._pending.pop(number, None)

    def subscribe(self, kind: str, receive: Receive, **fields: Json) -> int:
        """Send a command whose result is followed by events for `receive`; its number."""
        number = self.post(kind, **fields)
        if self.problem is None:
            self._subscribed[number] = receive
        return number

    def unsubscribe(self, number: int, *, tell: bool) -> None:
        """No events of it are wanted any more; `tell`: it was accepted there."""
        self._subscribed.pop(number, None)
        self._pending.pop(number, None)
        if tell and self.problem is None:
            self._pending.pop(self.post("unsubscribe_events", subscription=number), None)

    def post(self, kind: str, **fields: Json) -> int:
        """Send a command; its number."""
        self._last_id += 1
        number = self._last_id
        self._send(json.dumps({"id": number, "type": kind, **fields}))
        if self.problem is None:
            self._pending[number] = asyncio.get_running_loop().create_future()
        return number

    def audio(self, handler: int, pcm: bytes) -> None:
        """A piece of audio for a run; an empty one ends its audio."""
        self._send(bytes((handler,)) + pcm)

    def _send(self, frame: str | bytes) -> None:
        if self._outgoing.qsize() >= UNSENT_MAX:
            self.end(self._subject.lost())
        elif self.problem is None:
            self._outgoing.put_nowait(frame)

    async def _write(self) -> None:
        try:
            while True:
                await self._socket.send(await self._outgoing.get())
        except websockets.ConnectionClosed:
            pass  # the reader knows why

    async def _read(self) -> None:
        try:
            async for frame in self._socket:
                self.heard_s = asyncio.get_running_loop().time()
                for message in parse(frame):
                    self._receive(message)
        except Malformed as error:
            self.end(LostConnection(*self._subject.broken(f"sent {error}").args))
        except websockets.ConnectionClosed:
            pass
        self.end(self._subject.lost())

    def _receive(self, message: Message) -> None:
        match message:
            case Result(id=number, code="", result=result):
                self._settle(number, result)
            case Result(id=number, code=code, message=words):
                self._settle(number, self._subject.run_failed(code, words))
            case Pong(id=number):
                self._settle(number, None)
            case Event(id=number, event=event):
                receive = self._subscribed.get(number)
                if receive is not None:  # else of a run that was left
                    receive(event)

    def _settle(self, number: int, result: Json) -> None:
        future = self._pending.get(number)
        if future is None or future.done():
            return
        if isinstance(result, ServerProblem):
            future.set_exception(result)
            future.exception()  # the one who waited may be gone
        else:
            future.set_result(result)


async def next_message(socket: ClientConnection) -> Message:
    """The first message of the next frame, before a connection is served; raises Malformed."""
    for message in parse(await socket.recv()):
        return message
    raise Malformed("a message of a kind that does not belong there")


def auth(token: str) -> str:
    """The message that proves who asks."""
    message: Mapping[str, str] = {"type": "auth", "access_token": token}
    return json.dumps(message)
