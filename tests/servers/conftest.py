"""Starts the real servers of `make test-servers`, each once, with the models we ship."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from voxcard.link.embedded_broker import free_port

from tools.sim.counterparts import processes


@pytest.fixture(scope="session")
def whisper() -> "Iterator[str]":
    """The address of a wyoming-faster-whisper with tiny.en."""
    with processes.whisper() as url:
        yield url


@pytest.fixture(scope="session")
def piper() -> "Iterator[str]":
    """The address of a wyoming-piper with the voice joe."""
    with processes.piper() as url:
        yield url


@pytest.fixture(scope="session")
def llama() -> "Iterator[str]":
    """The address of llama.cpp's server with SmolLM2-135M."""
    with processes.llama() as url:
        yield url


@pytest.fixture(scope="session")
def speech_to_speech() -> "Iterator[str]":
    """The address of a speech-to-speech whose models are scripted (realtime_unit.py)."""
    port = free_port("127.0.0.1")
    unit = Path(__file__).with_name("realtime_unit.py")
    with processes.server(str(unit), str(port), ready="Uvicorn running on"):
        yield f"ws://127.0.0.1:{port}/v1"
