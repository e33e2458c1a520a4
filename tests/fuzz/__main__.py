"""Fuzz everything that reads the bytes or texts of others, on both sides; print a table.

    PYTHONPATH=tests python -m fuzz [--seed N] [--seconds N] [--keep FOLDER] [TARGET ...]

Every input follows from the seed. Exit status 1 for any fault; `--keep` writes the input of each,
made small, as a file that `tests/properties/test_fuzz_seeds.py` reads from tests/golden/fuzz.
"""

import argparse
import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from fuzz.target import FAULTS_MAX, Row, Target, fuzz, limit_memory, to_text
from fuzz.targets import targets


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240.0)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # what is refused is logged, once for each input
    limit_memory()
    with targets() as every:
        chosen = [each for each in every if each.name in (options.targets or each.name)]
        print(f"seed {options.seed}, {options.seconds:g} s, {len(chosen)} targets", flush=True)
        rows = list(fuzzed(chosen, str(options.seed), options.seconds, options.keep))
    table = Table("target", "inputs", "slowest", "faults")
    for row in rows:
        table.add_row(row.name, f"{row.inputs:,}", f"{row.slowest_s:.2f} s", str(len(row.faults)))
    Console(width=100).print(table)
    faults = sum(len(row.faults) for row in rows)
    print(f"seed {options.seed}: {sum(row.inputs for row in rows):,} inputs, {faults} faults")
    return 1 if faults or not all(row.inputs for row in rows) else 0


def fuzzed(chosen: list[Target], seed: str, seconds: float, keep: Path | None) -> Iterator[Row]:
    """Give each target the same share of the time that is left."""
    ends = time.monotonic() + seconds
    for index, target in enumerate(chosen):
        share = (ends - time.monotonic()) / (len(chosen) - index)
        row = fuzz(target, seed, max(0.0, share))
        told(row, keep)
        yield row


def told(row: Row, keep: Path | None) -> None:
    """Print the faults of a target, and keep their inputs."""
    for number, (place, (text, value)) in enumerate(row.faults.items(), start=1):
        print(f"{row.name}: {place}: {text}\n    {ascii(value)[:600]}", flush=True)
        if keep is not None:
            folder = keep / row.name.replace(" ", "_")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}.json").write_text(to_text(value))
    if len(row.faults) == FAULTS_MAX:
        print(f"{row.name}: left after {FAULTS_MAX} faults", flush=True)


if __name__ == "__main__":
    sys.exit(main())
