"""A chat server asked over `/chat/completions`, its answer streamed."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

import httpx2

from voxcard.assistants.pipeline.chat_server.completion import Completion, NoChunk
from voxcard.assistants.pipeline.chat_server.sse import Events, EventTooLong
from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.pipeline.web import Web
from voxcard.config import Server
from voxcard.json_value import Json, JsonObject


class Chat:
    """`subject` names the server in errors, `limit_s` is how long it may say nothing."""

    def __init__(self, subject: Subject, server: Server, limit_s: float) -> None:
        self._web = Web(subject, server, limit_s)
        self._subject = subject
        self._model = server.model
        self._limit_s = limit_s

    async def start(self) -> None:
        await self._web.start()

    async def stop(self) -> None:
        await self._web.stop()

    def empty(self, completion: Completion) -> ServerProblem:
        """What to raise for an answer without a word and without a call."""
        return self._subject.empty(completion.finish)

    async def ask(
        self,
        messages: Sequence[JsonObject],
        tools: Sequence[JsonObject],
        completion: Completion,
    ) -> AsyncGenerator[str, None]:
        """The pieces of text of the answer; `completion` is complete afterwards.

        ServerProblem when there is no whole answer.
        """
        request: dict[str, Json] = {
            "model": self._model,
            "messages": list(messages),
            "stream": True,
        }
        if tools:
            request["tools"] = list(tools)
        async with self._web.post("/chat/completions", json=request) as response:
            is_stream = "json" not in response.headers.get("content-type", "")
            chunks = (
                self._streamed(response.aiter_bytes(), completion)
                if is_stream
                else self._whole(response)
            )
            begun = False
            async with aclosing(self._in_time(chunks)) as timely:
                async for chunk in timely:
                    begun = True
                    try:
                        text = completion.push(chunk)
                    except NoChunk as error:
                        raise self._subject.broken(self._subject.words(str(error))) from error
                    if text:
                        yield text
            # A connection that ends says nothing of the answer: a server that died closes it too.
            if is_stream and begun and not completion.finish:
                raise self._subject.broken("broke off in the middle")

    async def _in_time(self, chunks: AsyncIterator[Json]) -> AsyncGenerator[Json, None]:
        """`chunks`; signs of life alone are none of an answer."""
        while True:
            try:
                async with asyncio.timeout(self._limit_s):
                    chunk = await anext(chunks)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise self._subject.late(self._limit_s) from error
            yield chunk

    async def _streamed(
        self, pieces: AsyncIterator[bytes], completion: Completion
    ) -> AsyncIterator[Json]:
        events = Events()
        try:
            async for piece in pieces:
                for data in events.push(piece):
                    if data.strip() == "[DONE]":
                        completion.finish = completion.finish or "stop"
                        return
                    yield self._json(data)
        except EventTooLong as error:
            raise self._subject.broken("sent an event without an end") from error
        for data in events.end():
            if data.strip() != "[DONE]":
                yield self._json(data)
            else:
                completion.finish = completion.finish or "stop"

    async def _whole(self, response: httpx2.Response) -> AsyncIterator[Json]:
        """The one answer of a server that does not stream."""
        body = await response.aread()
        yield self._json(body.decode("utf-8", "replace"))

    def _json(self, data: str) -> Json:
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._subject.broken("sent something that is no JSON") from error
