"""The MicroPython that runs the firmware on this computer."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from voxcard.errors import MissingExtra, VoxcardError

VARIABLE = "MICROPYTHON"
# The extra `sim` brings an interpreter for these (pyproject.toml).
_PACKAGED = (("linux", "x86_64"), ("darwin", "arm64"))
_PROBE = "exec('@micropython.viper\\ndef probe(): pass')"
_PROBE_S = 60


def find() -> Path:
    """The unix port that MICROPYTHON names, else the one beside this Python, else that of PATH.

    Beside this Python are the extra `sim` and what tools/setup.sh built. VoxcardError without one.
    """
    named = os.environ.get(VARIABLE)
    beside = Path(sys.executable).parent / "micropython"
    path = shutil.which(named or (str(beside) if beside.exists() else "micropython"))
    if path is not None:
        return Path(path).absolute()
    if named:
        raise VoxcardError(f"{VARIABLE} names {named}, which is no program.", "Correct it.")
    if (sys.platform, platform.machine()) in _PACKAGED:
        raise MissingExtra("MicroPython, which runs the firmware,", "sim")
    raise VoxcardError(
        "MicroPython, which runs the firmware, is not installed, and has no package for this "
        f"kind of computer ({sys.platform} {platform.machine()}).",
        f"Build its unix port (in a checkout: make setup), and set {VARIABLE}=/path/to/it.",
    )


def compiles_viper(interpreter: Path) -> bool:
    """Whether it makes native code of viper functions; there is none for 64-bit ARM.

    VoxcardError when it does not run.
    """
    try:
        done = subprocess.run(
            [interpreter, "-c", _PROBE], capture_output=True, check=False, timeout=_PROBE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        remedy = f"Set {VARIABLE} to a MicroPython 1.26 or newer (its unix port)."
        raise VoxcardError(f"{interpreter} does not run: {error}.", remedy) from error
    return done.returncode == 0
