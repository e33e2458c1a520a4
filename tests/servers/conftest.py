"""Starts the real servers of `make test-servers`, each once, with the models we ship."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from voxcard.assistants.offline.speech import model_files
from voxcard.link.embedded_broker import free_port

PYTHON = Path(__file__).parents[2] / ".venv" / "servers" / "bin" / "python"
LAST_LINES = 20


@contextlib.contextmanager
def server(*words: str, ready: str = "Ready") -> "Iterator[str]":
    """The program `words` of PYTHON, once it says that it is ready: the line that does."""
    if not PYTHON.is_file():
        pytest.fail(f"{PYTHON} is missing. Run: make test-servers")
    process = subprocess.Popen(
        [PYTHON, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said = []
        assert process.stdout is not None
        for line in process.stdout:  # pytest's timeout ends a wait without an end
            said.append(line)
            if ready in line:
                break
        else:
            pytest.fail(f"{words} did not start: {''.join(said[-LAST_LINES:])}")
        yield line
    finally:
        process.terminate()
        process.communicate()


@pytest.fixture(scope="session")
def whisper(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[str]":
    """The address of a wyoming-faster-whisper with tiny.en."""
    url = f"127.0.0.1:{free_port('127.0.0.1')}"
    model = model_files.find(model_files.RECOGNISERS["tiny.en"])
    folder = tmp_path_factory.mktemp("whisper")
    own = ("--model", str(model), "--language", "en", "--stt-library", "faster-whisper")
    with server(
        "-m", "wyoming_faster_whisper", "--uri", f"tcp://{url}", *own, "--data-dir", str(folder),
        "--local-files-only",
    ):  # fmt: skip
        yield f"wyoming://{url}"


@pytest.fixture(scope="session")
def piper(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[str]":
    """The address of a wyoming-piper with the voice joe."""
    url = f"127.0.0.1:{free_port('127.0.0.1')}"
    voice = model_files.find(model_files.VOICES["joe"])
    folder = tmp_path_factory.mktemp("piper")
    own = ("--voice", "en_US-joe-medium", "--data-dir", str(voice), "--download-dir", str(folder))
    with server("-m", "wyoming_piper", "--uri", f"tcp://{url}", *own, "--local-files-only"):
        yield f"wyoming://{url}"


@pytest.fixture(scope="session")
def llama() -> "Iterator[str]":
    """The address of llama.cpp's server with SmolLM2-135M."""
    with server(str(Path(__file__).with_name("llama_server.py"))) as line:
        yield f"{line.split()[-1]}/v1"


@pytest.fixture(scope="session")
def speech_to_speech() -> "Iterator[str]":
    """The address of a speech-to-speech whose models are scripted (realtime_unit.py)."""
    port = free_port("127.0.0.1")
    unit = Path(__file__).with_name("realtime_unit.py")
    with server(str(unit), str(port), ready="Uvicorn running on"):
        yield f"ws://127.0.0.1:{port}/v1"
