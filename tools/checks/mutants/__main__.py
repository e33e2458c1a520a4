"""`make mutants`: does a module's own test notice when one token of it is another?

    python -m tools.checks.mutants [--seed N] [--each N] [--jobs N] [MODULE ...]

Mutates each of `pure_modules` with Cosmic Ray, in copies of the checkout, `--each` mutants of a
module chosen by the seed, and runs the module's own tests on each. Prints the survivors as
differences, those of `same_programs` with their reason; exit status 1 when fewer than 90 of 100
others were noticed.
"""

import argparse
import ast
import os
import queue
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from tools.checks.mutants.pure_modules import TESTS
from tools.checks.mutants.same_programs import reason

ROOT = Path(__file__).parents[3]
# In an environment of its own, which `make mutants` makes: it needs much that nothing else does.
PROGRAMS = ROOT / ".venv/mutants/bin"
WANTED = 0.90
LIMIT_S = 60.0  # of one mutant's tests

# What a person may mistype. Left out are the swaps that are the same program by construction (`==`
# as `is`, a decorator that only mypy reads), or that nobody writes (`+` as `^` or `>>`, a number
# compared with `is`): they would say much about Cosmic Ray and nothing about our tests.
ARITHMETIC, BITS = "(Add|Sub|Mul|Div|FloorDiv|Mod)", "(BitOr|BitAnd)"
ORDER = "(Eq|NotEq|Lt|LtE|Gt|GtE)"
MISTYPED = (
    f"ReplaceBinaryOperator_{ARITHMETIC}_(Add|Sub|Mul|FloorDiv|Mod)",
    f"ReplaceBinaryOperator_{BITS}_{BITS}",
    "ReplaceBinaryOperator_(LShift_RShift|RShift_LShift)",
    f"ReplaceComparisonOperator_{ORDER}_{ORDER}",
    "ReplaceComparisonOperator_(Is_IsNot|IsNot_Is)",
    "ReplaceUnaryOperator_Delete_(USub|Invert|Not)",
    "Replace(TrueWithFalse|FalseWithTrue|AndWithOr|OrWithAnd)",
    "Replace(BreakWithContinue|ContinueWithBreak)",
    "AddNot|NumberReplacer|ExceptionReplacer|ZeroIterationForLoop",
)
EXCLUDED = f"core/(?!({'|'.join(MISTYPED)})$)"

CONFIG = """\
[cosmic-ray]
module-path = "{module}"
timeout = {limit_s}
excluded-modules = []
test-command = "{python} -m pytest -q -x -p no:cacheprovider {tests}"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = ['{excluded}']
"""


class Survey(NamedTuple):
    """What the tests of one module noticed."""

    tried: int
    alive: list[str]  # the difference of each mutant that no test noticed
    same: list[str]  # of those that are the same program, with the reason


def copy_of_checkout(folder: Path) -> Path:
    """The files that git knows, as they are in the working tree."""
    names = subprocess.run(
        ("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    # Two mutants may be of one size and one second, which is all that Python looks at otherwise.
    compiled = (sys.executable, "-m", "compileall", "-qq", "--invalidation-mode", "checked-hash")
    subprocess.run((*compiled, "bridge", "firmware", "tests", "tools"), cwd=folder, check=False)
    return folder


@cache
def annotations(source: str) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    """The start and the end, each as line and column, of every annotation."""
    places = (
        getattr(node, name, None)
        for node in ast.walk(ast.parse(source))
        for name in ("annotation", "returns")
    )
    return tuple(
        ((place.lineno, place.col_offset), (place.end_lineno, place.end_col_offset))
        for place in filter(None, places)
    )


def is_meant(source: str, line: int, column: int) -> bool:
    """Whether a token may be mutated: no annotation, and no `*` or `/` between parameters."""
    marker = source.splitlines()[line - 1][column : column + 2]
    return marker not in ("*,", "/,") and not any(
        start <= (line, column) < end for start, end in annotations(source)
    )


def keep_sample(database: Path, source: str, count: int, chance: random.Random) -> None:
    """Keep `count` mutants of those in the session that may be drawn."""
    pending = """
        SELECT job_id, start_pos_row, start_pos_col FROM mutation_specs
        WHERE job_id NOT IN (SELECT job_id FROM work_results)
        ORDER BY start_pos_row, start_pos_col, operator_name, occurrence"""
    with sqlite3.connect(database) as session:
        jobs = [job for job, *place in session.execute(pending) if is_meant(source, *place)]
        sample = chance.sample(jobs, min(count, len(jobs)))
        marks = ",".join("?" * len(sample))
        for table in ("mutation_specs", "work_items", "work_results"):
            session.execute(f"DELETE FROM {table} WHERE job_id NOT IN ({marks})", sample)


def count_tried(database: Path) -> int:
    with sqlite3.connect(database) as session:
        return int(session.execute("SELECT count(*) FROM work_results").fetchone()[0])


def survivors(database: Path) -> Iterator[str]:
    """The difference of each mutant that no test noticed."""
    query = "SELECT diff FROM work_results WHERE test_outcome = 'SURVIVED'"
    with sqlite3.connect(database) as session:
        for (difference,) in session.execute(query):
            changed = (line for line in difference.splitlines() if line[:1] in "+-@")
            yield "\n".join(line for line in changed if not line.startswith(("---", "+++")))


def draw(module: str, checkout: Path, count: int, seed: int) -> tuple[Path, Path]:
    """A session of `count` mutants of a module: its configuration and its database."""
    database, config = checkout / "mutants.sqlite", checkout / "mutants.toml"
    database.unlink(missing_ok=True)
    tests = " ".join(TESTS[module])
    config.write_text(
        CONFIG.format(
            module=module, limit_s=LIMIT_S, python=sys.executable, tests=tests, excluded=EXCLUDED
        )
    )
    run = partial(subprocess.run, cwd=checkout, check=True)
    run((PROGRAMS / "cosmic-ray", "init", config, database))
    run((PROGRAMS / "cr-filter-operators", database, config))
    keep_sample(
        database, (checkout / module).read_text(), count, random.Random(f"{seed} {module}")
    )
    return config, database


def mutate(module: str, checkout: Path, count: int, seed: int) -> Survey:
    """Try `count` mutants of a module."""
    config, database = draw(module, checkout, count, seed)
    program = (PROGRAMS / "cosmic-ray", "exec", config, database)
    subprocess.run(program, cwd=checkout, check=True)
    alive, same = [], []
    for difference in survivors(database):
        because = reason(module, difference)
        if because:
            same.append(f"{difference}\n  the same program: {because}")
        else:
            alive.append(difference)
    return Survey(count_tried(database), alive, same)


def survey(modules: list[str], count: int, seed: int, jobs: int, folder: Path) -> Iterator[Survey]:
    """Mutate the modules, `jobs` at once, each in its own copy; prints each when it is done."""
    checkouts: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for job in range(jobs):
        checkouts.put(copy_of_checkout(folder / str(job)))

    def one(module: str) -> Survey:
        checkout = checkouts.get()
        try:
            return mutate(module, checkout, count, seed)
        finally:
            checkouts.put(checkout)

    with ThreadPoolExecutor(jobs) as pool:
        for module, found in zip(modules, pool.map(one, modules), strict=True):
            noticed = found.tried - len(found.alive) - len(found.same)
            print(f"{module}: {noticed} of {found.tried} noticed", flush=True)
            print(*found.alive, *found.same, sep="\n", end="\n" * bool(found.alive + found.same))
            yield found


def main() -> int:
    parser = argparse.ArgumentParser(prog="mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="voxcard-mutants-") as folder:
        modules = options.modules or list(TESTS)
        every = list(survey(modules, options.each, options.seed, options.jobs, Path(folder)))
    same = sum(len(each.same) for each in every)
    tried = sum(each.tried for each in every) - same
    noticed = tried - sum(len(each.alive) for each in every)
    share = noticed / max(1, tried)
    print(f"seed {options.seed}: {noticed} of {tried} noticed ({100 * share:.0f} %), "
          f"and {same} that are the same program")  # fmt: skip
    return 0 if tried and share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
