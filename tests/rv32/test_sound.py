"""The native code of an ESP32-C3 gives what that of a PC gives, byte for byte."""

import re
import subprocess
from hashlib import sha256

import pytest
from rv32.machine import machine, remote

from tools.build import interpreters
from tools.build.firmware import FIRMWARE, ROOT, built

GOLDEN = ROOT / "tests" / "golden" / "adpcm"
PROGRAM = "import rv32.sound; rv32.sound.main({folder!r})"
NATIVE = re.compile(r"^@micropython\.(viper|native|asm_\w+)", re.M)
PACKET_BYTES = 164


@pytest.fixture(scope="module")
def here() -> list[str]:
    """What the unix port of this environment gives."""
    host = interpreters.host()
    paths = (built(arch=host.arch), ROOT / "tests", ".frozen")
    done = subprocess.run(
        [host.path, "-X", "heapsize=4M", "-c", PROGRAM.format(folder=str(GOLDEN))],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"MICROPYPATH": ":".join(map(str, paths))},
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def there() -> list[str]:
    """What the C3's instructions give."""
    with machine() as processor:
        return processor.run(PROGRAM.format(folder=remote(GOLDEN))).splitlines()


def test_every_case_gives_the_same_bytes(here, there):
    assert len(here) > 2000
    different = [case for case in zip(here, there, strict=True) if case[0] != case[1]]
    assert different == []


def test_every_golden_packet_is_the_one_audioop_makes(there):
    found = [line.split() for line in there if line.startswith("golden ")]
    assert len(found) == 16
    for _, name, frame, size, packet in found:
        expected = (GOLDEN / f"{name}.adpcm").read_bytes()
        at = int(frame) * PACKET_BYTES
        assert int(size) == PACKET_BYTES
        digest = sha256(expected[at : at + PACKET_BYTES]).hexdigest()
        assert packet == digest[:16], (name, frame)


def test_every_module_with_native_code_is_among_the_cases():
    native = {
        path.relative_to(FIRMWARE).with_suffix("").as_posix().replace("/", ".")
        for path in FIRMWARE.rglob("*.py")
        if NATIVE.search(path.read_text(encoding="utf-8"))
    }
    assert native == {"audio.adpcm", "audio.buffers", "audio.level", "hal.parts.pcm"}
