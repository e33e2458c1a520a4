"""The wire and the device's readers, on both interpreters."""

import hashlib
import json
import os
import select
import subprocess
from base64 import b64encode
from collections.abc import Iterator

from fakes.bridge import HELLO
from fakes.device.announcement import announcement
from provisioning import improv
from voxwire import audio, blob
from voxwire.bridge_only import capability_reader

from fuzz import both_sides
from fuzz.inputs import GOLDEN, ROOT, Inputs, changed_bytes, json_bytes
from fuzz.target import Target
from tools.build import interpreters

SCREEN = {"width": 128, "height": 64, "cell": [6, 8], "blocks": ["text", "qr", "choices"]}
WIRE = json.loads((GOLDEN / "wire/messages.json").read_text(encoding="utf-8"))
MESSAGES = [*WIRE["device"], *WIRE["bridge"]]
HELLOS = [
    HELLO,
    {**HELLO, "name": "Küche", "board": "b", "buttons": ["a"], "camera": True, "locale": "en",
     "modes": ["auto", "manual"], "firmware": "1.0"},
    {**HELLO, "screen": {**SCREEN, "glyphs": [[32, 126], [160, 255]], "pitch_um": 100}},
]  # fmt: skip
CARDS = [
    {"id": "c", "pages": [{"k": "t", "t": "Order", "l": ["a", ["h", "b"], ["s", 3, 0, 1]]}]},
    {"id": "q", "rev": 2, "pages": [{"k": "q", "n": 21, "d": b64encode(bytes(63)).decode(),
     "s": 2, "z": 1, "l": ["Scan"]}], "foot": "12:00", "ttl": 30, "prio": 5},
    {"id": "a", "pages": [{"k": "a", "o": [["y", "Yes"], ["n", ["s", 4, 1, 0]]], "l": ["Go?"]},
     {"k": "i", "b": 9, "w": 8, "h": 8, "ms": 500}], "play": {"auto": True, "loop": 1},
     "res": [3, 4, 9]},
    {"id": "many", "pages": [{"k": "t", "l": ["x"] * 7}] * 24},
]  # fmt: skip
PAYLOADS = [each["payload"] for each in MESSAGES if each["type"] == "mcp"]
CALLS = [
    *PAYLOADS,
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "x"}},
    {"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {"cursor": "self.volume"}},
    {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
     "params": {"name": "self.volume", "arguments": {"volume": 40.0},
                "_meta": {"voxcard/scope": "admin", "progressToken": 3}}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
    {"jsonrpc": "2.0", "id": 4, "error": {"code": -32601, "message": "no"}},
    {"name": "self.a", "description": "d", "inputSchema": {"type": "object"},
     "_meta": {"voxcard/scope": "user"}, "annotations": {"audience": ["user"]}},
]  # fmt: skip
SETTINGS = [
    {"volume": 60, "brightness": 75, "theme": "dark", "name": "Kitchen", "port": 1883,
     "id": "kitchen", "root": "voxcard", "host": "h", "log": "debug", "camera": "off"},
    {"volume": 0, "brightness": 0, "locale": "de", "cards": "text", "password": "p", "ca": "x"},
]  # fmt: skip
HASH = "0f" * 32
MANIFESTS = [
    {"format": 1, "version": "0.4.0", "digest": "1f3a9c2e", "board": "diy-s3-oled",
     "kind": "files", "micropython": [1, 26], "allow_older": False,
     "files": [["main.py", 120, HASH], ["voxwire/card.mpy", 1234, HASH], ["a/../b", 1, HASH]]},
    {"format": 1, "version": "1.2", "digest": "d", "board": "m5-atom-echo", "kind": "image",
     "micropython": [1, 28], "files": [["micropython.bin", 1600000, HASH]]},
]  # fmt: skip
OFFERS = [
    {"type": "offer", "serial": 1796032800, "version": "0.4.0", "manifest_size": 211,
     "manifest_sha256": HASH, "mac": HASH},
]  # fmt: skip
TOPICS = [b"voxcard/kitchen/up", b"voxcard/kitchen/blob/up", b"a/b/+/#", b"voxcard/bridge/mic"]
FRAMES = [
    bytes((1, codec, 0, 9, 0, 0, 0, 40)) + bytes(rest)
    for codec in (0, 1)
    for rest in (0, 320, 644)
] + [b"\x01\x01" + bytes(audio.HEADER_BYTES)]
STREAMS = [
    b"\x20\x02\x00\x00" + b"\x90\x04\x00\x01\x01\x00" + b"\xd0\x00",
    b"\x32\x09\x00\x03a/b\x00\x01hi" + b"\x40\x02\x00\x01" + b"\x30\x07\x00\x03a/bhi",
    b"\x30\xc8\x01\x00\x03a/b" + bytes(195) + b"\x40\x02\x00\x02",
    b"\x30\x80\x80\x01\x00\x03a/b" + bytes(3000),
]


def chunks(size: int) -> bytes:
    """A blob as `both_sides.check_blob` takes it."""
    data = bytes(index % 251 for index in range(size))
    head = blob.Head("photo", size, hashlib.sha256(data).hexdigest(), "p")
    parts = [blob.encode(blob.chunk_at(7, head, data, at)) for at in range(blob.count(head))]
    return b"".join(len(part).to_bytes(2, "big") + part for part in parts)


LINES = [
    improv.packet(improv.COMMAND, b"\x01\x14\x04home\x0dcorrect horse"),
    b"log\n" + improv.packet(improv.COMMAND, b"\x02\x00") * 2 + b"\x03",
    improv.result(improv.ASK_NETWORKS, ("home", "-60", "YES")),
]
NAMES = [
    b"\x12\x34\x01\x00\x00\x01" + bytes(6) + b"\x07captive\x05apple\x03com\x00\x00\x01\x00\x01",
    b"\x12\x34\x01\x00\x00\x01" + bytes(6) + b"\x01a\x00\x00\x1c\x00\x01",
]
REQUESTS = [
    b"GET /generate_204 HTTP/1.1\r\nHost: connectivitycheck.gstatic.com\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: 192.168.4.1\r\nOrigin: http://192.168.4.1\r\nContent-Length: 40"
    b"\r\n\r\ntoken=0011&ssid=Caf%C3%A9+1&secret=a%26b%3D",
]


def announced(*labels: bytes) -> bytes:
    """Answers of mDNS as `setup_side.check_mdns` takes them."""
    facts = (b"v=1", b"id=a1b2", b"root=voxcard", b"tls=1", b"host=box")
    packets = [announcement(label, b"\x0a\x00\x00\x01", facts) for label in labels]
    return b"".join(len(each).to_bytes(2, "big") + each for each in packets)


INPUTS: dict[str, Inputs] = {
    "message": json_bytes(MESSAGES),
    "frame": changed_bytes(FRAMES),
    "blob": changed_bytes([chunks(0), chunks(300), chunks(9000)]),
    "card": json_bytes(CARDS),
    "mqtt": changed_bytes(STREAMS),
    "rpc": json_bytes(CALLS),
    "tool": json_bytes(CALLS),
    "settings": json_bytes(SETTINGS),
    "topic": changed_bytes(TOPICS),
    "manifest": json_bytes(MANIFESTS),
    "offer": json_bytes(OFFERS),
    "improv": changed_bytes(LINES),
    "mdns": changed_bytes([announced(b"one"), announced(b"one", b"two")]),
    "dns": changed_bytes(NAMES),
    "http": changed_bytes(REQUESTS),
}


def check_hello(data: bytes) -> None:
    """Only the bridge reads a hello."""
    both_sides.typed(capability_reader.decode, data)


class MicroPython:
    """The checks of both_sides, and the drawing, in an interpreter that is started when needed."""

    LIMIT_S = 60.0  # until an answer: a machine may be busy
    SIZE_MAX = 16_384  # of an input: the client's buffer holds half of it

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, name: str, data: bytes) -> None:
        """Run one check there; AssertionError with what it raised."""
        if self._process is None:
            self._process = self._started()
        sent, answers = self._process.stdin, self._process.stdout
        assert sent is not None and answers is not None
        answer = b""
        try:
            sent.write(f"{name} {b64encode(data[: self.SIZE_MAX]).decode()}\n".encode())
            sent.flush()
            if select.select([answers], [], [], self.LIMIT_S)[0]:
                answer = answers.readline().strip()
        except BrokenPipeError:
            pass  # it ended after its last answer
        if answer == b"ok":
            return
        if not answer or answer.startswith(b"Traceback"):
            rest = self.close()
            raise AssertionError(f"MicroPython ended, or gave no answer: {rest}")
        raise AssertionError(answer.decode())

    def close(self) -> str:
        """End the interpreter; the last it said."""
        if self._process is None:
            return ""
        self._process.kill()
        said = self._process.communicate()[0] or b""
        self._process = None
        return said.decode(errors="replace")[-400:]

    def _started(self) -> subprocess.Popen[bytes]:
        paths = ":".join(str(ROOT / each) for each in ("firmware", "tests"))
        command = [str(interpreters.host().path), "-X", "heapsize=4M",
                   str(ROOT / "tests/fuzz/both_sides.py")]  # fmt: skip
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "MICROPYPATH": paths + ":.frozen"},
        )


def targets(device: MicroPython) -> Iterator[Target]:
    """The wire here, and the wire and the screen on `device`."""
    hellos = json_bytes(HELLOS)
    yield Target(name="hello", inputs=hellos, check=check_hello)
    for name, inputs in INPUTS.items():
        yield Target(name=name, inputs=inputs, check=both_sides.CHECKS[name])
    for name, inputs in [*INPUTS.items(), ("draw", INPUTS["card"])]:
        yield Target(
            name=f"{name} on MicroPython",
            inputs=inputs,
            check=lambda data, name=name: device.check(name, data),
        )
