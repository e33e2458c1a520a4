"""Every card case of tests/golden/cards against the real parsers and fit."""

import json
import re
from pathlib import Path

import pytest

from tools.checks.card_case import Outcome
from tools.checks.card_cases import CHECKS, failures, main

CASES = Path(__file__).parents[2] / "golden" / "cards"


@pytest.mark.parametrize(
    "path", sorted(CASES.rglob("*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_case(path):
    assert list(failures(json.loads(path.read_text(encoding="utf-8")))) == []


def test_a_failed_case_is_named_and_gives_exit_1(tmp_path, capsys):
    case = {
        "name": "wrong",
        "dialect": "mcp_result",
        "rule": "R-MCP-1",
        "input": {"content": [{"type": "text", "text": "Just words."}]},
        "expect": {"accepted": True, "speak": "Just words."},
    }
    (tmp_path / "wrong.json").write_text(json.dumps(case))
    assert main([str(tmp_path)]) == 1
    line = f"{tmp_path.name}/wrong (R-MCP-1): accepted: expected True, got False\n"
    assert capsys.readouterr().out == line + "0 passed, 1 failed\n"


def test_every_key_that_the_readme_explains_is_known():
    text = (CASES / "README.md").read_text(encoding="utf-8").partition("`expect` keys")[2]
    rows = text.partition("`ambiguous: true`")[0]
    keys = [key for key in re.findall(r"`(\w+)`", rows) if key != "note"]
    assert "bytes_max" in keys and len(keys) > 30
    assert [key for key in keys if key not in CHECKS and not hasattr(Outcome(), key)] == []


def test_the_bytes_of_a_card_are_those_of_its_json():
    case = {
        "dialect": "mcp_result",
        "input": {"content": [{"type": "text", "text": "One. Two. Three. Four."}]},
        "expect": {"accepted": True, "bytes_max": 100},
    }
    assert [why.partition(":")[0] for why in failures(case)] == ["bytes_max"]
    case["expect"]["bytes_max"] = 1000
    assert list(failures(case)) == []


def test_a_folder_without_cases_is_a_failure(tmp_path, capsys):
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "0 passed, 0 failed\n"
