"""`voxcard device test-hardware` in this terminal."""

import sys
from pathlib import Path

import typer

from voxcard.cable import deploy, ports, repl, running
from voxcard.cable.hardware.report import FAILED, Result, page
from voxcard.cable.hardware.self_test import HardwareTest
from voxcard.errors import VoxcardError
from voxcard.text_safety import safe_line

_COLUMNS = 40
_FULL_SCALE_BITS = 15


class _Terminal:
    """The person at this terminal."""

    def tell(self, text: str) -> None:
        print(text, flush=True)

    def asks(self, question: str) -> bool:
        return typer.confirm(question, default=True)

    def level(self, level: int) -> None:
        if sys.stdout.isatty():
            # A column is 6 dB of 90: by the number of bits.
            bar = "█" * (level.bit_length() * _COLUMNS // _FULL_SCALE_BITS)
            print(f"\r{bar:<{_COLUMNS}}", end="", flush=True)


def run(port: str, report: Path, press_s: int) -> None:
    """Test the board at `port`; VoxcardError when a part fails."""
    results: list[Result] = []
    with repl.opened(ports.choose(port)) as there:
        file = deploy.board_file(there)
        [values] = there.call("running")
        read = running.read(values)
        slot = deploy.slot_that_runs(there)
        for result in HardwareTest(there, slot, file, _Terminal(), press_s * 1000).results():
            print(f"{result.verdict:<7} {result.part}: {safe_line(result.text)}", flush=True)
            results.append(result)
        there.restart().close()
    version = ".".join(map(str, read.version))
    words = f"MicroPython {version} {read.build}, {read.architecture}"
    _write(report, page(str(file["id"]), words, results))
    print(f"The report is in {report}.")
    failed = [each.part for each in results if each.verdict == FAILED]
    if failed:
        raise VoxcardError(f"Not in order: {', '.join(failed)}.", "See: docs/flashing.md")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        problem = f"{file} cannot be written: {error.strerror}."
        raise VoxcardError(problem, "Name another file: --report.") from error
