"""Inputs that `make fuzz` once found faults with, and a few new ones for each of its targets."""

from pathlib import Path

import pytest
from fuzz.inputs import GOLDEN
from fuzz.target import attempt, from_text, fuzz, to_text
from fuzz.targets import targets

FEW = 5
KEPT = sorted((GOLDEN / "fuzz").glob("*/*.json"))


@pytest.fixture(scope="module")
def every():
    """The targets by the name of their folder."""
    with targets() as found:
        yield {each.name.replace(" ", "_"): each for each in found}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_input_that_was_a_fault_is_none_any_more(every, path: Path):
    attempt(every[path.parent.name], from_text(path.read_text()))


def test_every_target_reads_some_inputs_without_a_fault(every):
    rows = [fuzz(target, "of the tests", 0, FEW) for target in every.values()]
    assert {row.name: row.faults for row in rows if row.faults} == {}
    assert all(row.inputs >= FEW for row in rows)


def test_an_input_is_kept_as_it_was():
    for value in (b"\x00\xff", "a\ud800", {"base64": 1, "b": [None, 1.5]}, 10**400):
        assert from_text(to_text(value)) == value
