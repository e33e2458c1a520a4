"""The table of limits in docs/security.md says what the code does."""

import importlib
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
ROW = re.compile(r"\| [^|]+ \| (\d+)(?: bytes| characters| s)? \| [^|]+ \| `([\w.]+)\.(\w+)` \|")
LIMITS = ROW.findall(PAGE)


def test_every_row_of_the_table_is_read():
    table = PAGE[PAGE.index("| what | limit |") :].split("\n\n")[0].splitlines()
    assert len(LIMITS) == len(table) - 2 == len({(module, name) for _, module, name in LIMITS})


@pytest.mark.parametrize(("limit", "module", "name"), LIMITS, ids=[row[2] for row in LIMITS])
def test_a_row_has_the_number_of_the_code(limit, module, name):
    assert getattr(importlib.import_module(f"voxcard.{module}"), name) == int(limit)
