"""The real bridge with an assistant that says back what it hears, as a process to be measured.

python -m tools.bench.relay.echo_bridge PORT FOLDER [--after] [--profile FILE]

Serves the broker on PORT, keeps its files in FOLDER, and reports its use as its neighbour
`measured` does.
--after lets it hear all of a question before it answers; --profile writes cProfile's figures to
FILE at the end.
"""

import argparse
import asyncio
import cProfile
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from voxcard import config
from voxcard.app import App
from voxcard.assistants import (
    Begun,
    Done,
    Facts,
    Heard,
    HeardReply,
    Speech,
    Turn,
)
from voxcard.toolhub.model import ToolSpec

from tools.bench.relay import measured

RATE_HZ = 16000


class Echo:
    """An assistant and its only conversation: speech out as microphone audio comes in, or `after`
    all of it came."""

    def __init__(self, after: bool) -> None:
        self.pieces = 0
        self._after = after

    def check(self) -> None:
        pass

    async def start(self) -> None:
        """There is nothing to load."""

    async def stop(self) -> None:
        """There is nothing to release."""

    def health(self) -> str:
        return ""

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> "Echo":
        return self

    async def turn(self, heard: Heard) -> Turn:
        assert heard.audio is not None
        question = b""
        async for piece in heard.audio:
            self.pieces += 1
            if self._after:
                question += piece
            else:
                yield Speech(pcm=piece, rate_hz=RATE_HZ)
        if question:
            yield Speech(pcm=question, rate_hz=RATE_HZ)
        yield Done()

    def prepare(self) -> None:
        pass

    def tools_changed(self) -> None:
        pass

    def interrupted(self, heard: HeardReply) -> None:
        """An echo has no memory."""

    async def begun(self) -> AsyncIterator[Begun]:
        """It begins no turns by itself."""
        return
        yield

    async def close(self) -> None:
        pass

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        yield Speech(pcm=bytes(RATE_HZ // 10), rate_hz=RATE_HZ)


async def serve(port: int, folder: Path, after: bool) -> None:
    """Run the bridge until the standard input ends."""
    settings = {
        "mqtt": {"host": "127.0.0.1", "port": port},
        "history": {"path": str(folder / "history.sqlite3")},
        "control": {"socket": str(folder / "control.sock")},
    }
    echo = Echo(after)
    app = App(config.parse(settings, environ={}), assistant=echo)
    running = asyncio.create_task(app.run(), name="bridge")
    await app.ready.wait()
    await measured.report(lambda: echo.pieces)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--after", action="store_true")
    parser.add_argument("--profile", type=Path)
    options = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    profile = cProfile.Profile()
    if options.profile:
        profile.enable()
    asyncio.run(serve(options.port, options.folder, options.after))
    if options.profile:
        profile.dump_stats(options.profile)


if __name__ == "__main__":
    main()
