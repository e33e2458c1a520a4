"""A device without PSRAM is set up by a phone in the heap that it has, and is as small afterwards.

The firmware is frozen into a 32-bit MicroPython; board, radio and access point are stand-ins, the
sockets are real.
"""

import http.client
import json
import os
import re
import select
import subprocess
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.bench.heap_device import TALK_KB
from tools.build.interpreters import Interpreter, frozen32

LIMIT_S = 60.0
FREE_BYTES = 16_384  # left for what a board's own parts take more, and for pieces
PROGRAM = """
import gc, json
from hal import this_board

def said(what):
    gc.collect()
    gc.collect()
    print(json.dumps({"said": what, "used": gc.mem_alloc(), "free": gc.mem_free()}))

class Network:
    credentials, lost, problem = None, True, "No Wi-Fi is set."
    def use(self, credentials):
        self.credentials = credentials
    def joined(self):
        return self.credentials and self.credentials.password == "correct horse"
    async def connect(self):
        if self.lost and not self.joined():
            raise OSError("The Wi-Fi home refuses the password: set it again.")
        self.lost = False
    def status(self):
        return {"ssid": "home"} if self.joined() else {"type": "wifi"}

class Point:
    ssid, password, address, ports = "Voxcard-0a0b0c", "abcdefghjk", "127.0.0.1", PORTS
    def scan(self):
        return [("Network %d" % number, -50 - number, False) for number in range(20)]
    def open(self):
        said("open")
    def close(self):
        pass
    def stations(self):
        return 1
    def keep(self, credentials):
        said("kept")

import app
board = this_board()
board.network = Network()
board.access_point = Point
app.run(board)
"""


class Device:
    """The program in the heap in which a device must be able to talk; what it says."""

    def __init__(self, interpreter: Interpreter, folder: Path, port: int) -> None:
        config = {"id": "heap", "host": "127.0.0.1", "root": str(folder), "port": 9,
                  "speaker": f"{folder}/s.wav"}  # fmt: skip
        self._process = subprocess.Popen(
            [interpreter.path, "-X", f"heapsize={TALK_KB}k", "-c",
             PROGRAM.replace("PORTS", str((port, port + 1)))],
            cwd=interpreter.files,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "MICROPYPATH": ".frozen", "VOXCARD_SIMULATOR": json.dumps(config)},
        )  # fmt: skip
        self.said: dict[str, Any] = {}
        self._rest = b""
        self.log: list[str] = []

    def until(self, what: str) -> dict[str, Any]:
        end_s = time.monotonic() + LIMIT_S
        assert self._process.stdout is not None
        while what not in self.said and time.monotonic() < end_s:
            if not select.select([self._process.stdout], [], [], 1)[0]:
                continue
            data = os.read(self._process.stdout.fileno(), 4096)
            assert data, "\n".join(self.log[-15:])
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self.log.append(line.decode(errors="replace"))
                if b'"said"' in line:
                    value = json.loads(line)
                    self.said[value["said"]] = value
        assert what in self.said, "\n".join(self.log[-15:])
        found: dict[str, Any] = self.said[what]
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class Phone:
    def __init__(self, port: int) -> None:
        self._port = port

    def page(self) -> str:
        end_s = time.monotonic() + LIMIT_S
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=LIMIT_S)
            try:
                connection.request("GET", "/")
                break
            except ConnectionRefusedError:  # the Wi-Fi is there a moment before its page
                assert time.monotonic() < end_s
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.read().decode()

    def fill_in(self, **fields: str) -> str:
        match = re.search(r"name=token value=(\w+)", self.page())
        assert match is not None
        body = urllib.parse.urlencode({**fields, "token": match[1]})
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=LIMIT_S)
        connection.request("POST", "/", body)
        assert connection.getresponse().status == 303
        end_s = time.monotonic() + LIMIT_S
        while "refresh" in (text := self.page()):
            assert time.monotonic() < end_s
            time.sleep(0.1)
        return text


@pytest.fixture
def device(tmp_path: Path) -> Iterator[tuple[Device, Phone]]:
    port = 20_000 + os.getpid() % 20_000
    running = Device(frozen32(), tmp_path, port)
    yield running, Phone(port)
    running.close()


def test_a_phone_sets_a_device_up_in_the_heap_of_a_board_without_psram(device):
    running, phone = device
    running.until("open")
    for _ in range(3):
        assert "Network 0 (strong)" in phone.page()
    assert "refuses the password" in phone.fill_in(pick="Network 0", secret="wrong password")
    fields = {"host": "127.0.0.1", "port": "9", "anyway": "1"}
    text = phone.fill_in(pick="home", secret="correct horse", **fields)
    assert "has joined home" in text
    kept = running.until("kept")
    print(f"in use {kept['used']}, free {kept['free']} of {TALK_KB} KB")
    assert kept["free"] >= FREE_BYTES
