"""The firmware's own Improv as the program of a chip."""

import contextlib
import json
import os
import socket
import subprocess
import threading
from pathlib import Path

from voxcard.sim import interpreter

TESTS = Path(__file__).parents[2]


class FirmwareProgram:
    """Starts with the chip; `send(data)` gets what it says, `kept` are the Wi-Fis it keeps."""

    def __init__(self):
        self.kept = []
        self._process = self._line = None

    def start(self, send):
        self.close()
        with socket.create_server(("127.0.0.1", 0)) as server:
            program = Path(__file__).with_name("firmware_improv.py")
            paths = (TESTS.parent / "firmware", TESTS, ".frozen")
            self._process = subprocess.Popen(
                [interpreter.find(), "-X", "heapsize=2M", program, str(server.getsockname()[1])],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "MICROPYPATH": ":".join(map(str, paths))},
            )
            self._line, _ = server.accept()
        threading.Thread(target=self._carry, args=(self._line, send)).start()

    def take(self, data):
        self._line.sendall(data)

    def close(self):
        """Takes its power away; `kept` is known then."""
        if self._process is None:
            return
        self._process.kill()
        output, _ = self._process.communicate()
        rows = [line for line in output.splitlines() if line.startswith("[")]
        self.kept += [tuple(json.loads(row)) for row in rows]
        self._line.close()
        self._process = None

    def _carry(self, line, send):
        with contextlib.suppress(OSError):
            while data := line.recv(65536):
                send(data)
