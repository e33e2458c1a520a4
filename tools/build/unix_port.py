"""Builds MicroPython's unix port for this computer, where no package has it: unix_port.py TARGET

tools/setup.sh runs it with the standard library alone; it takes a minute or five. What cannot be
done is one sentence, and exit status 1.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools.build.micropython_source import URLS, CannotBuildError, unpacked

PROGRAMS = ("cc", "make")
# asyncio is all that the firmware needs of what is usually frozen in. The package has no
# submodules: neither micropython-lib nor a TLS library.
MANIFEST = 'include("$(MPY_DIR)/extmod/asyncio")\n'
OPTIONS = ("VARIANT=standard", "MICROPY_PY_FFI=0", "MICROPY_PY_BTREE=0", "MICROPY_PY_SSL=0",
           "MICROPY_SSL_MBEDTLS=0", "MICROPY_SSL_AXTLS=0")  # fmt: skip
WARNINGS = "CWARN=-Wno-error"  # another compiler than its authors' finds other things to say


def build(target: Path, urls: Sequence[str] = URLS) -> None:
    """Put the interpreter at `target`."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        remedy = "on Debian and Raspberry Pi OS run: sudo apt-get install build-essential"
        raise CannotBuildError(f"{' and '.join(missing)} are missing; {remedy}")
    with tempfile.TemporaryDirectory(prefix="voxcard-micropython-") as name:
        source = Path(name) / "micropython"
        unpacked(source, urls)
        program = compiled(source)
        shutil.copy(program, target.with_suffix(".new"))
        target.with_suffix(".new").rename(target)


def compiled(source: Path) -> Path:
    """Compile the sources; the interpreter."""
    manifest = source / "manifest.py"
    manifest.write_text(MANIFEST)
    library = source / "no-library"  # only its presence is checked
    library.mkdir()
    (library / "README.md").touch()
    port = source / "ports" / "unix"
    _make(source / "mpy-cross", WARNINGS)
    _make(port, WARNINGS, f"MPY_LIB_DIR={library}", f"FROZEN_MANIFEST={manifest}", *OPTIONS)
    return port / "build-standard" / "micropython"


def _make(folder: Path, *words: str) -> None:
    done = subprocess.run(
        ["make", f"-j{os.cpu_count() or 1}", "-C", folder, *words],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        reason = (lines or done.stderr.splitlines() or ["make failed"])[0].strip()
        raise CannotBuildError(f"it does not compile ({reason})")


def main() -> int:
    target = Path(sys.argv[1]).absolute()
    print("Building MicroPython for the simulated device (once, some minutes)...", flush=True)
    try:
        build(target)
    except (CannotBuildError, OSError, tarfile.TarError) as error:
        print(
            f"No MicroPython for the simulated device: {error}. Everything else works; "
            "MICROPYTHON may name one.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
