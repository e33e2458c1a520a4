"""The firmware as files that an interpreter on this computer can run."""

import hashlib
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from voxcard import package_files
from voxcard.sim import interpreter

# Room for compiling the sources; a board gets them compiled.
HEAP = "2M"
_VIPER = re.compile(
    r"^@micropython\.viper\n(?P<head>def \w+\((?P<arguments>[^)]*)\).*:\n)", re.MULTILINE
)
_POINTER = re.compile(r"\b(\w+): (ptr8|ptr16)\b")
_POINTERS = "plain_pointers"
# What viper's ptr8 and ptr16 do, by MicroPython's own C arrays. They check no bounds either.
_POINTERS_SOURCE = """\
import uctypes

_ANY = 1 << 20
_BYTES = {"at": (uctypes.ARRAY, _ANY | uctypes.UINT8)}
_WORDS = {"at": (uctypes.ARRAY, _ANY | uctypes.UINT16)}


def ptr8(buffer):
    return uctypes.struct(uctypes.addressof(buffer), _BYTES).at


def ptr16(buffer):
    return uctypes.struct(uctypes.addressof(buffer), _WORDS).at
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firmware:
    """An interpreter, the folder it runs the firmware from, and what `-X heapsize` takes."""

    interpreter: Path
    files: Path
    heap: str


def from_sources() -> Firmware:
    """The firmware's sources, run by the interpreter of this computer. Blocks.

    VoxcardError when there is no interpreter, or none that runs.
    """
    path, files = interpreter.find(), package_files.firmware()
    if not interpreter.compiles_viper(path):
        files = _kept_without_viper(files)
    return Firmware(interpreter=path, files=files, heap=HEAP)


def without_viper(folder: Path) -> None:
    """Make the viper functions of all modules in `folder` plain ones, line for line.

    They give the same as long as their numbers keep within 32 bits, which the boards demand.
    """
    for path in folder.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        plain, count = _VIPER.subn(_plain_function, source)
        if count:
            head = f"from {_POINTERS} import ptr8, ptr16; "
            path.write_text(head + plain, encoding="utf-8")
    (folder / f"{_POINTERS}.py").write_text(_POINTERS_SOURCE, encoding="utf-8")


def _plain_function(match: re.Match[str]) -> str:
    pointers = _POINTER.findall(match["arguments"])
    casts = "; ".join(f"{name} = {kind}({name})" for name, kind in pointers)
    return f"{match['head']}    {casts or 'pass'}\n"


def _kept_without_viper(sources: Path) -> Path:
    """The sources without viper in this user's cache, written when they have changed."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(sources.rglob("*.py")):
        digest.update(path.relative_to(sources).as_posix().encode() + b"\0" + path.read_bytes())
    kept = platformdirs.user_cache_path("voxcard") / f"firmware-{digest.hexdigest()[:16]}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            copy = Path(folder) / "firmware"
            shutil.copytree(sources, copy, ignore=shutil.ignore_patterns("__pycache__"))
            without_viper(copy)
            try:
                copy.rename(kept)
            except OSError:
                if not kept.exists():  # else another process was first
                    raise
    return kept
