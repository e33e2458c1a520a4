"""The parts of a board that is a program are tried by the firmware's own drivers."""

import asyncio
import contextlib
import re
import threading

import pytest
from fakes.cable.virtual_board import VirtualBoard
from fakes.command_line import Command
from voxcard.link.embedded_broker import EmbeddedBroker, free_port


@pytest.fixture
def voxcard(monkeypatch, capsys, tmp_path):
    return Command(monkeypatch, capsys, tmp_path)


@contextlib.contextmanager
def broker(port):
    """A broker that runs."""
    up, loop = threading.Event(), asyncio.new_event_loop()

    async def serve():
        broker = EmbeddedBroker(port=port)
        await broker.start()
        up.set()
        try:
            await asyncio.Event().wait()
        finally:
            await broker.stop()

    task = loop.create_task(serve())
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])))
    thread.start()
    assert up.wait(60)
    yield
    loop.call_soon_threadsafe(task.cancel)
    thread.join()
    loop.close()


def test_a_board_is_tried_part_by_part(voxcard, tmp_path, monkeypatch):
    monkeypatch.setattr("typer.confirm", lambda question, default: "tone" in question)
    port = free_port("127.0.0.1")
    with VirtualBoard(tmp_path / "board") as board:
        words = ("--set", "id=hall", "--set", "host=127.0.0.1", "--set", f"port={port}")
        where = ("--port", board.port)
        code, _, err = voxcard("device", "deploy", "--board", "diy-s3-oled", *words, *where)
        assert code == 0, err
        file = tmp_path / "report.txt"
        words = ("test-hardware", *where, "--report", str(file), "--press", "1")
        with broker(port):
            code, out, err = voxcard("device", *words)
    assert code == 1 and "Not in order: screen, microphone, button talk." in err
    rows = dict(re.findall(r"(?m)^\w+ +((?:button )?\w+): (.*)$", out))
    assert "bytes of heap free" in rows["memory"]
    assert rows["screen"].startswith("The pattern is not there")
    assert rows["speaker"] == "The tone is heard."
    assert re.match(r"1[56]\d\d\d samples a second, loudness 0 to 0.*no sound", rows["microphone"])
    assert rows["button talk"] == "No press was seen."
    assert rows["network"].startswith("Joined in ")
    assert re.fullmatch(r"There and back in \d+ ms, at most \d+\.", rows["broker"])
    text = file.read_text()
    assert text.startswith("Board: diy-s3-oled\nRuns: MicroPython 1.")
    assert [line.split()[0] for line in text.splitlines()[3:]] == [
        "ok", "failed", "ok", "failed", "absent", "absent", "failed", "ok", "ok"
    ]  # fmt: skip
