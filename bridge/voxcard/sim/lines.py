"""Lines of a terminal, a pipe or a file, without blocking the loop."""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator


async def lines(file_descriptor: int) -> AsyncIterator[str]:
    """Each line without its end, until the input ends.

    Read in a thread, since an event loop takes no files, and past sys.stdin, whose lock a thread
    that still reads would hold at the program's end.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def put(line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody reads any more
            loop.call_soon_threadsafe(queue.put_nowait, line)

    def read() -> None:
        rest = b""
        with contextlib.suppress(OSError):
            while data := os.read(file_descriptor, 4096):
                *whole, rest = (rest + data).split(b"\n")
                for line in whole:
                    put(line.decode(errors="replace"))
        if rest:
            put(rest.decode(errors="replace"))
        put(None)

    threading.Thread(target=read, name="terminal", daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line
