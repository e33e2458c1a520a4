"""`voxcard sim` or `make sim` as a process, read and typed at as a person does."""

import asyncio
import re
import sys
from pathlib import Path

LIMIT_S = 120  # of one thing that is waited for


class Sim:
    """The process, its lines as they come."""

    def __init__(self, process):
        self._process = process
        self.lines = []

    async def until(self, pattern):
        """The first new line that matches."""
        try:
            async with asyncio.timeout(LIMIT_S):
                while line := await self._process.stdout.readline():
                    self.lines.append(line.decode().rstrip("\n"))
                    if re.search(pattern, self.lines[-1]):
                        return self.lines[-1]
        except TimeoutError:
            self._process.kill()
        raise AssertionError(f"no {pattern!r} in {self.lines}")

    async def type(self, line):
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()

    async def end(self):
        """Close its input; its exit status."""
        self._process.stdin.close()
        return await self._process.wait()


async def made(folder, *options):
    """`make sim`, as make runs it, with its files in `folder`."""
    program = (
        "import sys; from pathlib import Path; from tools.sim import __main__ as sim;"
        "sim.FOLDER = Path(sys.argv.pop(1)); sys.exit(sim.main())"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(folder), *options),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=Path(__file__).parents[3],
    )
    return process, Sim(process)
