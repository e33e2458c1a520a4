"""Several assistants as one: the first that is well answers, the next ones stand by.

The next one takes over a turn only while nothing came of it: no tool ran, no word was said, no
card shown. It hears all of the audio from the beginning, as it was kept.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from voxcard.assistants import (
    Assistant,
    Begun,
    CallTool,
    Conversation,
    Facts,
    Failed,
    Heard,
    HeardReply,
    Media,
    Part,
    Reply,
    Sentence,
    ShowCard,
    Speech,
    Turn,
)
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

KEPT_MAX = 32_000 * 60  # bytes: a minute; a longer question goes on with the one that hears it
BEGUN_MAX = 4  # turns that wait to be taken; then an assistant waits with the next one
AGAIN_S = 30.0  # until one whose begun() failed is asked once more
_Row = TypeVar("_Row", bound=tuple[str, Assistant, object])
_LASTING = CallTool | Sentence | Speech | Media | ShowCard


class KeptAudio:
    """Audio that can be heard from its beginning again, as often as wanted."""

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        self._source = source
        self._pieces: list[bytes] = []
        self._size = 0

    @property
    def whole(self) -> bool:
        """Whether everything that came is still there."""
        return self._size <= KEPT_MAX

    async def replay(self) -> AsyncIterator[bytes]:
        """Everything from the beginning; one listener at a time."""
        at = 0
        while True:
            if at == len(self._pieces):
                try:
                    piece = await anext(self._source)
                except StopAsyncIteration:
                    return
                self._size += len(piece)
                self._pieces.append(piece if self.whole else b"")
                yield piece
            else:
                yield self._pieces[at]
            at += 1


class RankedConversation:
    """The talks of one device with every assistant; each keeps its own memory."""

    def __init__(self, ranking: Sequence[tuple[str, Assistant, Conversation]]) -> None:
        self._ranking = ranking
        self._answered = ranking[0][2]

    def tools_changed(self) -> None:
        for _, _, conversation in self._ranking:
            conversation.tools_changed()

    def prepare(self) -> None:
        for _, _, conversation in self._ranking:
            conversation.prepare()

    def interrupted(self, heard: HeardReply) -> None:
        self._answered.interrupted(heard)

    async def begun(self) -> AsyncIterator[Begun]:
        """The turns that any of them begins; what is heard of one is told to that one."""
        begun: asyncio.Queue[Begun | None] = asyncio.Queue(BEGUN_MAX)

        async def listen(name: str, conversation: Conversation) -> None:
            while True:
                try:
                    async for each in conversation.begun():
                        await begun.put(replace(each, open=self._opening(conversation, each.open)))
                except Exception:
                    log.exception("%s begins no turns for %.0f s", name, AGAIN_S)
                    await asyncio.sleep(AGAIN_S)
                else:
                    await begun.put(None)
                    return

        tasks = [asyncio.create_task(listen(name, each)) for name, _, each in self._ranking]
        left = len(tasks)
        try:
            while left:
                begin = await begun.get()
                if begin is None:
                    left -= 1
                else:
                    yield begin
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _opening(
        self, conversation: Conversation, begin: Callable[[], Turn]
    ) -> Callable[[], Turn]:
        def open_turn() -> Turn:
            self._answered = conversation
            return begin()

        return open_turn

    async def close(self) -> None:
        for _, _, conversation in self._ranking:
            await conversation.close()

    async def turn(self, heard: Heard) -> Turn:
        kept = KeptAudio(heard.audio) if heard.audio is not None else None
        order = _well_first(self._ranking)
        for rank, (name, _, conversation) in enumerate(order):
            again = heard
            if kept is not None:
                again = replace(heard, audio=kept.replay())
            self._answered = conversation
            failed, lasting, reply = "", False, None
            parts = _as_parts(conversation.turn(again))
            try:
                while True:
                    part = await parts.asend(reply)
                    is_last = rank + 1 == len(order) or lasting
                    if isinstance(part, Failed) and part.retryable and not is_last:
                        failed = part.message
                        break
                    lasting = lasting or isinstance(part, _LASTING)
                    reply = yield part
            except StopAsyncIteration:
                return
            finally:
                await parts.aclose()
            if kept is not None and not kept.whole:
                yield Failed(message=failed)
                return
            log.warning("%s cannot answer (%s); %s does", name, failed, order[rank + 1][0])


class Ranked:
    """`ranking` are (name, assistant), the first one preferred; at least one."""

    def __init__(self, ranking: Sequence[tuple[str, Assistant]]) -> None:
        self._ranking = tuple(ranking)

    def check(self) -> None:
        for _, assistant in self._ranking:
            assistant.check()

    async def start(self) -> None:
        for _, assistant in self._ranking:
            await assistant.start()

    async def stop(self) -> None:
        for _, assistant in reversed(self._ranking):
            await assistant.stop()

    def health(self) -> str:
        problems = [assistant.health() for _, assistant in self._ranking]
        return "" if not all(problems) else problems[0]

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> RankedConversation:
        return RankedConversation(
            [
                (name, assistant, assistant.conversation(place, tools))
                for name, assistant in self._ranking
            ]
        )

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        order = _well_first([(name, assistant, None) for name, assistant in self._ranking])
        for rank, (name, assistant, _) in enumerate(order):
            begun = False
            try:
                async for speech in assistant.say(text, locale):
                    begun = True
                    yield speech
                return
            except VoxcardError as error:
                if begun or rank + 1 == len(order):
                    raise
                log.warning("%s cannot speak (%s); %s does", name, error, order[rank + 1][0])


def _well_first(rows: Sequence[_Row]) -> list[_Row]:
    """In order, those that could answer now before those that could not."""
    return sorted(rows, key=lambda row: bool(row[1].health()))


async def _as_parts(turn: Turn) -> Turn:
    """The turn, a raised VoxcardError or fault as the Failed it means."""
    reply: Reply = None
    part: Part
    try:
        while True:
            part = await turn.asend(reply)
            reply = yield part
    except StopAsyncIteration:
        return
    except VoxcardError as error:
        yield Failed(message=str(error), retryable=True)
    except Exception:
        log.exception("an assistant failed")
        yield Failed(message="The assistant failed.", retryable=True)
    finally:
        await turn.aclose()
