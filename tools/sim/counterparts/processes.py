"""Real servers of a pipeline as processes, with the models that are shipped: no network.

They run by a Python of their own, which `make test-servers` and `make demo ASSISTANT=pipeline`
install.
"""

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from voxcard.assistants.offline.speech import model_files
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import free_port

PYTHON = Path(__file__).parents[3] / ".venv" / "servers" / "bin" / "python"
LAST_LINES = 20


class ServerStartError(VoxcardError):
    """A server did not start; the text is the end of what it said."""


@contextlib.contextmanager
def server(*words: str, ready: str = "Ready") -> Iterator[str]:
    """The program `words` of PYTHON, once it says that it is ready: the line that does."""
    if not PYTHON.is_file():
        raise ServerStartError(f"{PYTHON} is missing.", "Run: make servers")
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
        for line in process.stdout:
            said.append(line)
            if ready in line:
                break
        else:
            end = "".join(said[-LAST_LINES:])
            raise ServerStartError(f"{' '.join(words[:2])} did not start: {end}", "See there.")
        yield line
    finally:
        process.terminate()
        process.communicate()


@contextlib.contextmanager
def whisper() -> Iterator[str]:
    """The address of a wyoming-faster-whisper with tiny.en."""
    url = f"127.0.0.1:{free_port('127.0.0.1')}"
    model = model_files.find(model_files.RECOGNISERS["tiny.en"])
    own = ("--model", str(model), "--language", "en", "--stt-library", "faster-whisper")
    with tempfile.TemporaryDirectory(prefix="voxcard-whisper-") as folder, server(
        "-m", "wyoming_faster_whisper", "--uri", f"tcp://{url}", *own, "--data-dir", folder,
        "--local-files-only",
    ):  # fmt: skip
        yield f"wyoming://{url}"


@contextlib.contextmanager
def piper() -> Iterator[str]:
    """The address of a wyoming-piper with the voice joe."""
    url = f"127.0.0.1:{free_port('127.0.0.1')}"
    voice = model_files.find(model_files.VOICES["joe"])
    with tempfile.TemporaryDirectory(prefix="voxcard-piper-") as folder:
        own = ("--voice", "en_US-joe-medium", "--data-dir", str(voice), "--download-dir", folder)
        with server("-m", "wyoming_piper", "--uri", f"tcp://{url}", *own, "--local-files-only"):
            yield f"wyoming://{url}"


@contextlib.contextmanager
def llama() -> Iterator[str]:
    """The address of llama.cpp's server with SmolLM2-135M."""
    with server(str(Path(__file__).with_name("llama_server.py"))) as line:
        yield f"{line.split()[-1]}/v1"
