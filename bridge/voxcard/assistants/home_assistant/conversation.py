"""One device's talk with a Home Assistant: each turn is one run of its pipeline."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing

from voxcard.assistants import (
    RATE_HZ,
    Begun,
    Done,
    Facts,
    Failed,
    Heard,
    HeardReply,
    Part,
    Sentence,
    Transcript,
    Turn,
)
from voxcard.assistants.home_assistant.answer import Answer
from voxcard.assistants.home_assistant.connection import Connection
from voxcard.assistants.home_assistant.home import Home
from voxcard.assistants.home_assistant.pipeline_events import (
    PipelineEvent,
    RunError,
    RunStart,
    SttEnd,
    VadEnd,
)
from voxcard.assistants.home_assistant.problems import LostConnection, RunFailed
from voxcard.assistants.home_assistant.run import MicrophoneClosed, NothingHeard, Run
from voxcard.errors import VoxcardError
from voxcard.json_value import Json

Parts = AsyncGenerator[Part, None]
NOTHING_HEARD = "I did not hear anything."
NOBODY_MS = 8000  # of audio without speech, then nobody speaks
_BYTES_A_MS = RATE_HZ * 2 // 1000


class HomeAssistantConversation:
    """The server remembers what was said; here is only the id of the talk."""

    def __init__(self, home: Callable[[], Home], place: Callable[[], Facts]) -> None:
        self._home = home
        self._place = place
        self._conversation_id = ""
        self._task: asyncio.Task[None] | None = None

    def tools_changed(self) -> None:
        """Its agent has the tools of the house, not those here."""

    def prepare(self) -> None:
        """Connect, look whether the connection lives, and learn the lists a run needs."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._prepared(), name="Home Assistant prepare")

    async def _prepared(self) -> None:
        with contextlib.suppress(VoxcardError):  # the turn says it
            home = self._home()
            connection = await home.link.connection()
            await home.pipeline(connection)
            await home.device_id(connection, self._place())

    async def close(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def begun(self) -> AsyncIterator[Begun]:
        """It begins no turns by itself."""
        return
        yield

    def interrupted(self, heard: HeardReply) -> None:
        """The server keeps its own log of the talk, and has no way to correct it."""

    async def turn(self, heard: Heard) -> Turn:
        """Answer one utterance; the parts and their order: `voxcard.assistants`."""
        home = self._home()
        now_s = asyncio.get_running_loop().time
        answer = Answer(home.media_url)
        try:
            async with aclosing(self._answered(home, heard, answer)) as parts:
                async for part in parts:
                    yield part
            home.health.worked()
            for part in answer.done():
                yield part
            yield Done()
        except VoxcardError as error:
            home.health.failed(str(error), now_s())
            yield Failed(message=str(error), retryable=_untouched(error, answer))
        finally:
            self._conversation_id = answer.conversation_id or self._conversation_id

    async def _answered(self, home: Home, heard: Heard, answer: Answer) -> Parts:
        """The parts up to the answer's end, or an excuse when nothing was understood."""
        excuse = ""
        try:
            async with aclosing(self._run(home, heard, answer)) as parts:
                async for part in parts:
                    yield part
            if answer.nothing_heard:
                excuse = NOTHING_HEARD
        except RunFailed as error:
            if not error.excuse:
                raise
            excuse = error.excuse
        if excuse:
            for part in answer.end_of_speech():
                yield part
            yield Transcript(text="")
            yield Sentence(text=excuse, excuse=True)
            async for speech in home.speak(excuse):
                yield speech

    async def _run(self, home: Home, heard: Heard, answer: Answer) -> Parts:
        run = await self._opened(home, heard, answer)
        pump: asyncio.Task[None] | None = None
        try:
            if heard.audio is None:
                yield Transcript(text=heard.text or "")
            while not answer.over and not answer.nothing_heard:
                listening = heard.audio is not None and not answer.speech_ended
                event = await run.next(None if listening and pump else home.settings.limit_s)
                if isinstance(event, MicrophoneClosed) and pump is not None:
                    await pump  # it has ended; what it raised is raised here
                if isinstance(event, RunStart) and heard.audio is not None:
                    if not run.takes_audio:
                        raise home.subject.broken("takes no audio")
                    work = _pumped(run, heard.audio, answer)
                    pump = asyncio.create_task(work, name="Home Assistant microphone")
                for part in self._applied(home, run, event, answer):
                    yield part
            if answer.silent and not answer.nothing_heard:
                raise home.subject.broken("sent no sound of its answer")
        finally:
            run.close()
            if pump is not None:
                pump.cancel()
                await asyncio.gather(pump, return_exceptions=True)

    def _applied(
        self,
        home: Home,
        run: Run,
        event: PipelineEvent | MicrophoneClosed | NothingHeard,
        answer: Answer,
    ) -> list[Part]:
        match event:
            case MicrophoneClosed():
                return answer.end_of_speech()
            case NothingHeard():
                answer.nothing_heard = True
                return answer.end_of_speech()
            case RunError(code=code, message=message):
                if code == "intent-unauthorized":
                    answer.conversation_id = self._conversation_id = ""
                raise home.subject.run_failed(code, message)
            case VadEnd() | SttEnd():
                run.stop_audio()
        return answer.apply(event)

    async def _opened(self, home: Home, heard: Heard, answer: Answer) -> Run:
        """A run for what was heard, on a connection that lives; a dead one is tried once."""
        for is_last in (False, True):
            try:
                connection = await home.link.connection()
                fields = await self._request(home, connection, heard, answer)
                return await Run.opened(connection, home.subject, home.settings.limit_s, **fields)
            except LostConnection:
                if is_last:
                    raise
        raise AssertionError

    async def _request(
        self, home: Home, connection: Connection, heard: Heard, answer: Answer
    ) -> dict[str, Json]:
        pipeline = await home.pipeline(connection)
        if heard.audio is not None and not pipeline.stt:
            raise home.subject.cannot("speech-to-text")
        answer.speaks = bool(pipeline.tts)
        # The button alone ends what is said while it is held: no pause does, nor 15 s.
        audio: dict[str, Json] = {
            "sample_rate": RATE_HZ,
            **({"no_vad": True} if heard.held else {}),
        }
        fields: dict[str, Json] = {
            "start_stage": "intent" if heard.audio is None else "stt",
            "end_stage": "tts" if pipeline.tts else "intent",
            "input": {"text": heard.text or ""} if heard.audio is None else audio,
            "pipeline": pipeline.id,
        }
        if self._conversation_id:
            fields["conversation_id"] = self._conversation_id
        if device_id := await home.device_id(connection, self._place()):
            fields["device_id"] = device_id
        return fields


async def _pumped(run: Run, audio: AsyncIterator[bytes], answer: Answer) -> None:
    """Send what the microphone hears, until it closes or nobody wants it any more."""
    size = 0
    try:
        async for pcm in audio:
            if not run.takes_audio:
                return
            if pcm:  # an empty frame would end the audio
                run.audio(pcm)
            size += len(pcm)
            if answer.vad and not answer.speech_began and size >= NOBODY_MS * _BYTES_A_MS:
                run.stop_audio()
                run.note(NothingHeard())
                return
    finally:
        if run.takes_audio:
            run.audio(b"")
            run.note(MicrophoneClosed())


def _untouched(error: VoxcardError, answer: Answer) -> bool:
    """Whether nothing came of the turn, so that another assistant may answer it."""
    return error.untouched if isinstance(error, RunFailed) else not answer.may_have_acted
