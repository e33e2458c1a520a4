"""docs/promises.md names tests: each is there, once, and would be run."""

import ast
import re
from collections import Counter

import pytest
from fakes.documents import ROOT

PAGE = ROOT / "docs" / "promises.md"
ROWS = [
    line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d+ \|", line)
]
NOT_PROMISED = {"2", "13", "19", "21", "26"}  # of the thirty: their row says what there is instead


def functions():
    """How often each test is defined, outside of folders that `make test` does not collect."""
    found = Counter()
    for path in (ROOT / "tests").rglob("test_*.py"):
        if {"browser", "servers"} & set(path.relative_to(ROOT / "tests").parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[node.name] += node.name.startswith("test_")
    return found


FUNCTIONS = functions()


def test_every_complaint_of_both_lists_has_its_row():
    numbers = [row.split("|")[1].strip() for row in ROWS]
    assert numbers == [str(each) for each in range(1, 31)] + [str(each) for each in range(1, 13)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[2].strip()[:40])
def test_every_test_of_a_row_exists(row):
    number, _, here, tests = (cell.strip() for cell in row.split("|")[1:5])
    names = re.findall(r"`(test_\w+)`", tests)
    assert re.sub(r"`test_\w+`", "", tests).strip() == ""
    assert [name for name in names if not FUNCTIONS[name]] == []
    assert len(set(names)) == len(names)
    assert names or (number in NOT_PROMISED and here)
