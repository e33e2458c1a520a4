"""Compile the firmware for the boards' two architectures; exit 1 if it fails or is too large.

Prints the total size of the .mpy files (the design allows 120 KB, fonts apart).
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools.build.firmware import built

ARCHITECTURES = ("xtensawin", "rv32imc")
BYTES_MAX = 120 * 1024
NOT_ON_BOARDS = ("hal/simulator.mpy", "hal/simulated_audio.mpy")


def size_of(architecture: str, folder: Path) -> int:
    """Bytes of .mpy that a board of this architecture carries."""
    compiled = built(folder, arch=architecture)
    return sum(
        path.stat().st_size
        for path in compiled.rglob("*.mpy")
        if path.relative_to(compiled).as_posix() not in NOT_ON_BOARDS
    )


def main() -> int:
    failed = False
    for architecture in ARCHITECTURES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                total = size_of(architecture, Path(folder))
            except subprocess.CalledProcessError as error:
                # mpy-cross has said what is wrong, and where.
                print(f"{architecture}: {error}")
                return 1
        print(f"{architecture}: {total} bytes of .mpy")
        failed = failed or total > BYTES_MAX
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
