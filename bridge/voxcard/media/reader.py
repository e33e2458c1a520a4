"""Reads the sound of an assistant's Media, in a thread of its own, while it comes."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor

from voxcard.assistants import Media, Speech
from voxcard.errors import VoxcardError
from voxcard.media.decoder import MediaFailed, decode
from voxcard.media.fetch import BYTES_MAX, MediaFetcher
from voxcard.media.spool import Spool


class MediaReader:
    """`read(media)` gives its sound; any number at a time."""

    def __init__(self, fetcher: MediaFetcher) -> None:
        self._fetcher = fetcher

    async def read(self, media: Media) -> AsyncGenerator[Speech, None]:
        """The sound as it is fetched and decoded; VoxcardError says why there is no more of it.
        Closing it ends its fetch and, soon after, its thread."""
        if not media.url and not media.data:
            raise MediaFailed("The assistant wanted to play a sound and named none.")
        if len(media.data) > BYTES_MAX:
            raise MediaFailed(f"The sound is larger than {BYTES_MAX >> 20} MB.")
        spool = Spool()
        fetching = asyncio.create_task(self._fill(spool, media), name="media")
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="media")
        pieces = decode(spool)
        loop = asyncio.get_running_loop()
        try:
            while True:
                piece = await loop.run_in_executor(thread, _next, pieces)
                if piece is None:
                    return
                yield piece
        finally:
            spool.close()
            thread.submit(pieces.close)  # type: ignore[attr-defined]  # a generator
            thread.shutdown(wait=False)
            fetching.cancel()
            await asyncio.gather(fetching, return_exceptions=True)

    async def _fill(self, spool: Spool, media: Media) -> None:
        if media.data:
            spool.put(media.data)
            spool.end()
            return
        try:
            async for piece in self._fetcher.fetch(media.url):
                spool.put(piece)
        except VoxcardError as error:
            spool.end(error)
        finally:
            spool.end()


def _next(pieces: Iterator[Speech]) -> Speech | None:
    return next(pieces, None)
