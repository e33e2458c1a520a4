"""Lines of a pipe or a file, read without blocking the loop."""

import asyncio
import os

import pytest
from voxcard.sim.lines import lines


def read(file_descriptor):
    async def all_lines():
        return [line async for line in lines(file_descriptor)]

    return asyncio.run(all_lines())


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"press\n\nsay hi\n", ["press", "", "say hi"]),
        (b"no end", ["no end"]),
        (b"\xff\n" + "wie heißt du".encode() + b"\n", ["\ufffd", "wie heißt du"]),
        (b"x" * 10000 + b"\n", ["x" * 10000]),
    ],
)
@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_every_line_of_a_pipe_and_of_a_file_is_read(tmp_path, data, expected, kind):
    if kind == "pipe":
        reader, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
    else:
        (tmp_path / "lines").write_bytes(data)
        reader = os.open(tmp_path / "lines", os.O_RDONLY)
    try:
        assert read(reader) == expected
    finally:
        os.close(reader)
