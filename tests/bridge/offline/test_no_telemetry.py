"""Offline means offline: the libraries of local speech neither call home nor leave an id."""

import os
import subprocess
import sys

LOAD = """
import os, socket
called = []

def refused(self, address, *more):
    called.append(address)
    raise OSError("no network here")

socket.socket.connect = refused
from voxcard.assistants.offline.speech.asr import WhisperRecogniser
from voxcard.assistants.offline.speech.voices import PiperVoice

recogniser, voice = WhisperRecogniser(), PiperVoice()
recogniser.load()
voice.load()
recogniser.transcribe(bytes(32000), "")
print(called, os.environ["ORT_DISABLE_TELEMETRY"], os.environ["HF_HUB_OFFLINE"])
"""


def test_local_speech_writes_no_files_and_opens_no_connection(tmp_path):
    # Under CI the libraries keep quiet by themselves: a home is not CI.
    quiet = ("CI", "ORT_DISABLE_TELEMETRY", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY")
    environment = {key: value for key, value in os.environ.items() if key not in quiet}
    done = subprocess.run(
        [sys.executable, "-c", LOAD],
        env={**environment, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split("\n")[0] == "[] 1 1", done.stderr[-2000:]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
