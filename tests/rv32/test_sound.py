"""The native code of an ESP32-C3 gives what that of a PC gives, byte for byte."""

import json
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


def on_this_computer(program: str) -> str:
    """What the unix port of this environment prints."""
    host = interpreters.host()
    paths = (built(arch=host.arch), ROOT / "tests", ".frozen")
    done = subprocess.run(
        [host.path, "-X", "heapsize=4M", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"MICROPYPATH": ":".join(map(str, paths))},
    )
    return done.stdout


@pytest.fixture(scope="module")
def here() -> list[str]:
    """What a PC's instructions give."""
    return on_this_computer(PROGRAM.format(folder=str(GOLDEN))).splitlines()


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


def test_the_weights_of_a_board_with_floats_of_32_bits_are_off_by_one_at_most():
    program = "from hal.sound import stretch; print(list(stretch._table()))"
    with machine() as processor:
        there = json.loads(processor.run(program))
    here = json.loads(on_this_computer(program))
    assert len(here) == len(there) == 1024
    assert max(abs(a - b) for a, b in zip(here, there, strict=True)) <= 1


def test_every_module_with_native_code_is_among_the_cases():
    native = {
        path.relative_to(FIRMWARE).with_suffix("").as_posix().replace("/", ".")
        for path in FIRMWARE.rglob("*.py")
        if NATIVE.search(path.read_text(encoding="utf-8"))
    }
    assert native == {
        "audio.adpcm",
        "audio.buffers",
        "audio.level",
        "hal.sound.pcm",
        "hal.sound.stretch",
    }
