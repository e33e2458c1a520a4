"""One turn on a connection: what is said goes up, what is answered comes down, tools run."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator

from voxcard.assistants import (
    CallTool,
    Done,
    Heard,
    Hush,
    NextReply,
    NextUtterance,
    Part,
    Reply,
    Running,
    ToolReply,
    Turn,
)
from voxcard.assistants.xiaozhi.answer import Answer
from voxcard.assistants.xiaozhi.events import Event, Lost, SpeechSent
from voxcard.assistants.xiaozhi.server_problem import Subject, XiaozhiProblem
from voxcard.assistants.xiaozhi.tools import mcp_server
from voxcard.assistants.xiaozhi.uplink import send_silence, send_speech
from voxcard.assistants.xiaozhi.wire.connection import Connection
from voxcard.assistants.xiaozhi.wire.inbox import Inbox
from voxcard.assistants.xiaozhi.wire.messages import Stt
from voxcard.assistants.xiaozhi.wire.opus import Decoder

log = logging.getLogger(__name__)

LOOK_S = 0.04  # between two looks whether a tool is done, while nothing comes of the server
DEVICE_S = 0.5  # that a device plays behind what it gets, at most
LAST_S = 3.0  # for an answer to what was said as an open microphone closed
CANCELLED = -32000


class Talk:
    """What the server began by itself, unless it is told something with `say` first.

    `parts()` is to be called once; `finished` says whether the answer came to its end. `limit_s`:
    without a sign of the server, once it is its turn.
    """

    def __init__(
        self, connection: Connection, inbox: Inbox[Event], subject: Subject, limit_s: float
    ) -> None:
        self.finished = False
        self.answer = Answer(Decoder().decode, typed=True, begun=True)
        self._pushed = True
        self._connection = connection
        self._inbox = inbox
        self._subject = subject
        self._limit_s = limit_s
        self._calls: dict[str, int] = {}  # ours -> the server's id of each that runs
        self._count = 0
        self._answers = 0  # that are over
        self._sent = True  # all that was said is at the server
        self._open = False
        self._plays_until_s = 0.0
        self._uplink: asyncio.Task[None] | None = None

    async def say(self, heard: Heard, hears_from_s: float) -> None:
        """Begin to send an utterance. `hears_from_s`: when the server listens at the earliest."""
        self._pushed = False
        self.answer = Answer(Decoder().decode, typed=heard.audio is None)
        if heard.audio is None:
            await self._connection.send("listen", state="detect", text=heard.text or "")
            await send_silence(self._connection)
            return
        self._sent, self._open = False, heard.open
        mode = "realtime" if heard.open else "manual" if heard.held else "auto"
        await self._connection.send("listen", state="start", mode=mode)
        work = self._send(heard.audio, hears_from_s)
        self._uplink = asyncio.create_task(work, name="xiaozhi uplink")

    async def parts(self) -> Turn:
        """The answer, until it is over."""
        while True:
            if self._calls:
                reply = yield NextReply(wait=False)
                if not isinstance(reply, Running):
                    await self._replied(reply)
                    continue
            if self.answer.over or self._idle():
                if not self._open or self._sent:
                    break
                yield NextUtterance()
                self.answer.again()
                self._answers += 1
            event = await self._inbox.get(self._patience_s())
            if event is None:
                if not self._calls and not self._ended():
                    raise self._late()
                continue
            for part in self._parts(event):
                yield part
        for part in self.answer.end():
            yield part
        self.finished = True
        yield Done()

    async def let_go(self) -> None:
        """Stop sending, and tell the server that tools it waits for are cancelled."""
        uplink, self._uplink = self._uplink, None
        if uplink is not None:
            uplink.cancel()
            await asyncio.gather(uplink, return_exceptions=True)
        calls, self._calls = self._calls, {}
        for number in calls.values():
            cancelled = mcp_server.error(number, CANCELLED, "The person interrupted the answer")
            await self._connection.send_mcp(cancelled)

    def _parts(self, event: Event) -> Iterator[Part]:
        match event:
            case Lost(problem=problem, goodbye=goodbye):
                if not self._may_end(announced=goodbye):
                    raise problem
                self._sent = self.answer.over = True
            case SpeechSent():
                self._sent = True
            case mcp_server.Call(id=number, name=name, arguments=arguments):
                self._count += 1
                self._calls[str(self._count)] = number
                yield CallTool(name=name, arguments=arguments, id=str(self._count))
            case _:
                if isinstance(event, Stt) and self._open and self._plays():
                    yield Hush()
                before_ms = self.answer.audio_ms
                yield from self.answer.take(event)
                self._played(self.answer.audio_ms - before_ms)
                if self.answer.heard and not self._open:
                    self._stop_sending()

    async def _replied(self, reply: Reply) -> None:
        """Give a tool's result to the server."""
        if not isinstance(reply, ToolReply):
            self._calls.clear()
            return
        number = self._calls.pop(reply.id, None)
        if number is not None:
            await self._connection.send_mcp(mcp_server.outcome(number, reply))

    def _idle(self) -> bool:
        """A call out of nothing was made, and nothing else is going on."""
        waits = self._calls or len(self._inbox) or self.answer.speaking
        return self._pushed and self._count > 0 and not waits

    def _may_end(self, *, announced: bool) -> bool:
        """Whether nobody is cut off by the end of the connection."""
        if self.answer.begun:
            return announced and not self.answer.speaking
        return self._open and self._answers > 0

    def _ended(self) -> bool:
        """Whether the microphone closed after answers, and no more was said into it."""
        if self.answer.begun or not self._answers:
            return False
        self.answer.over = True
        return True

    def _patience_s(self) -> float | None:
        if self._calls:
            return LOOK_S
        if self._answers and self._sent and not self.answer.begun:
            return min(LAST_S, self._limit_s)
        return self._limit_s if self._sent or self.answer.begun else None

    def _late(self) -> XiaozhiProblem:
        if self.answer.begun:
            return self._subject.late(self._limit_s)
        return self._subject.late(self._limit_s, "answered nothing to what was said")

    def _plays(self) -> bool:
        return asyncio.get_running_loop().time() < self._plays_until_s

    def _played(self, ms: float) -> None:
        """Speech of `ms` is behind what plays already."""
        if ms > 0:
            now_s = asyncio.get_running_loop().time()
            begins_s = max(now_s + DEVICE_S, self._plays_until_s)
            self._plays_until_s = begins_s + ms / 1000

    def _stop_sending(self) -> None:
        if self._uplink is not None:
            self._uplink.cancel()
        self._sent = True

    async def _send(self, audio: AsyncIterator[bytes], hears_from_s: float) -> None:
        try:
            await send_speech(self._connection, audio, hears_from_s)
        except XiaozhiProblem as problem:
            await self._inbox.put(Lost(problem))
        except Exception:
            log.exception("the microphone's audio cannot be sent")
            await self._inbox.put(Lost(self._subject.closed()))
        else:
            await self._inbox.put(SpeechSent())
