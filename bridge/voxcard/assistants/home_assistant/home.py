"""One Home Assistant, as its conversations share it."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from voxcard import config
from voxcard.assistants import Facts, Speech
from voxcard.assistants.home_assistant.connection import Connection
from voxcard.assistants.home_assistant.link import Link
from voxcard.assistants.home_assistant.problems import HomeSubject, RunFailed
from voxcard.assistants.home_assistant.registry import (
    AssistPipeline,
    chosen,
    device_id,
    devices,
    pipelines,
)
from voxcard.assistants.home_assistant.wav_stream import NotPlayable, WavStream
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.web import Web
from voxcard.json_value import Json

FRESH_S = 60.0  # a list there is asked for again after that
ROOMS_FRESH_S = 600.0  # so is the list of devices, which is long, when it had what was sought
_SOUND = re.compile(r"/api/tts_proxy/(?!\.\.)[A-Za-z0-9._~-]{1,256}")  # all that is spoken
# pcm16 mono as every device takes it; ffmpeg there makes it when the engine does not.
_WAV = {
    "preferred_format": "wav",
    "preferred_sample_rate": 16000,
    "preferred_sample_channels": 1,
    "preferred_sample_bytes": 2,
}


_List = TypeVar("_List")


class Home:
    """`name` is what voxcard.toml calls it."""

    def __init__(self, name: str, settings: config.HomeAssistant) -> None:
        self.settings = settings
        self.subject = HomeSubject(name, settings.server)
        self.health = Health()
        self.link = Link(self.subject, settings.server.url, settings.server.key)
        self._web = Web(self.subject, settings.server, settings.limit_s)
        self._lists: dict[str, tuple[Connection, float, Any]] = {}

    async def start(self) -> None:
        await self._web.start()
        await self.link.start()

    async def stop(self) -> None:
        await self.link.stop()
        await self._web.stop()
        self._lists.clear()

    async def pipeline(self, connection: Connection) -> AssistPipeline:
        """The one that was chosen; raises ServerProblem when it is not there."""
        kind = "assist_pipeline/pipeline/list"
        found, preferred = await self._list(connection, kind, pipelines, FRESH_S)
        pipeline = chosen(found, preferred, self.settings.pipeline)
        if pipeline is None:
            del self._lists[kind]
            known = ", ".join(each.name for each in found) or "none"
            raise self.subject.no_pipeline(self.settings.pipeline, self.subject.words(known))
        return pipeline

    async def device_id(self, connection: Connection, place: Facts) -> str:
        """What the device of a talk is called there, which says in which room it is; or ""."""
        written = self.settings.devices.get(place.device)
        if written is not None:
            return written
        kind = "config/device_registry/list"
        try:
            for fresh_s in (ROOMS_FRESH_S, FRESH_S):
                found = await self._list(connection, kind, devices, fresh_s)
                if there := device_id(found, place.device, place.name):
                    return there
        except RunFailed:
            pass  # the talk goes on without its room
        return ""

    def media_url(self, url: str) -> str:
        """Where the sound at `url` is: at the address we reach the server by.

        Its own may be one that only its network knows, and nothing but its sound is fetched.
        """
        problem = self.subject.broken("names a place that is not for its sound")
        try:
            path = urlsplit(url).path
        except ValueError as error:  # "http://["
            raise problem from error
        if not _SOUND.fullmatch(path):
            raise problem
        return self.settings.server.url + path

    async def speak(self, text: str) -> AsyncIterator[Speech]:
        """`text` in the voice of the pipeline; raises ServerProblem."""
        pipeline = await self.pipeline(await self.link.connection())
        if not pipeline.tts:
            raise self.subject.cannot("text-to-speech")
        wav = WavStream()
        async with self._web.get(self._path(await self._sound_of(text, pipeline))) as response:
            try:
                async for piece in response.aiter_bytes():
                    if pcm := wav.push(piece):
                        yield Speech(pcm=pcm, rate_hz=wav.rate_hz)
            except NotPlayable as error:
                raise self.subject.broken(f"sends {error}") from error
        if not wav.rate_hz:
            raise self.subject.broken("sent no samples")

    async def _sound_of(self, text: str, pipeline: AssistPipeline) -> str:
        """The URL of it."""
        options = {"voice": pipeline.tts_voice} if pipeline.tts_voice else {}
        wish: dict[str, Json] = {
            "engine_id": pipeline.tts,
            "message": text,
            "options": {**options, **_WAV},
        }
        if pipeline.tts_language:
            wish["language"] = pipeline.tts_language
        async with self._web.post("/api/tts_get_url", json=wish) as response:
            await response.aread()
            try:
                answer = response.json()
            except ValueError as error:
                raise self.subject.broken("sent something that is no JSON") from error
        url = answer.get("path", answer.get("url")) if isinstance(answer, dict) else None
        if not isinstance(url, str):
            raise self.subject.broken("names no sound")
        return url

    def _path(self, url: str) -> str:
        return self.media_url(url).removeprefix(self.settings.server.url)

    async def _list(
        self, connection: Connection, kind: str, read: Callable[[Json], _List], fresh_s: float
    ) -> _List:
        """A list of the server, as it was at most `fresh_s` ago."""
        now_s = asyncio.get_running_loop().time()
        kept = self._lists.get(kind)
        if kept is not None and kept[0] is connection and now_s - kept[1] < fresh_s:
            found: _List = kept[2]
            return found
        found = read(await connection.request(kind, self.settings.limit_s))
        self._lists[kind] = (connection, now_s, found)
        return found
