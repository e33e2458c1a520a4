"""The sound file of an answer that plays beside the parts which follow it."""

import asyncio
from collections.abc import Coroutine


class SoundFile:
    """At most one plays; `ended` waits for its end, `stop` needs no waiting."""

    def __init__(self) -> None:
        self._playing: asyncio.Task[None] | None = None

    def start(self, play: Coroutine[None, None, None]) -> None:
        """Run `play`; the one before has ended."""
        self._playing = asyncio.create_task(play, name="sound file")

    def stop(self) -> None:
        """Nothing more of it is said; what it fetches with is closed soon after."""
        if self._playing is not None:
            self._playing.cancel()

    async def ended(self) -> None:
        """Wait until it has played or was stopped; raises what playing it raised."""
        if self._playing is None:
            return
        await asyncio.wait((self._playing,))
        playing, self._playing = self._playing, None
        if not playing.cancelled():
            playing.result()

    async def end(self) -> None:
        """The turn is over: stop it, and wait until it has let go of everything."""
        playing, self._playing = self._playing, None
        if playing is not None:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
