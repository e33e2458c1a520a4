"""The check that every regular expression is linear finds those that are not."""

import re
import signal

import pytest

from tools.checks import regexes


def used(pattern, anchored=False):
    return regexes.Used("here", re.compile(pattern), anchored)


@pytest.fixture(autouse=True)
def guarded(monkeypatch):
    monkeypatch.setattr(regexes, "GIVE_UP_S", 0.5)
    before = signal.signal(signal.SIGPROF, regexes.out_of_time)
    yield
    signal.signal(signal.SIGPROF, before)


SLOW = [
    r"\s*\(",
    r"(?m)^\s*#",
    r"[A-Z].* .*[.!?]",
    r"!\[[^\]]*\]\(",
    r"^(a+)+$",
    r"(?:x|xx|y)+z",
    r"<b[^>]*>",
    r"-+>",
    rb"v(\d+)\S* on",
]


@pytest.mark.parametrize("pattern", SLOW)
def test_two_overlapping_repeats_are_found(pattern):
    assert "many" in regexes.fault(used(pattern))


LINEAR = [
    r"[^\S\n]{0,3}#",
    r"\d{4}-\d\d",
    r"\\(?:u[0-9a-f]{4}|.)",
    r"\[[^\[\]\n]{1,200}\]\(",
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]",
]


@pytest.mark.parametrize("pattern", LINEAR)
def test_a_linear_pattern_passes(pattern):
    assert regexes.fault(used(pattern)) == ""


def test_a_pattern_that_is_only_tried_at_one_place_is_measured_there():
    assert regexes.fault(used(r" +\Z")) != ""
    assert regexes.fault(used(r" +\Z", anchored=True)) == ""


def test_patterns_are_found_with_the_methods_they_are_called_by():
    patterns = [each for each in regexes.patterns() if isinstance(each, regexes.Used)]
    by_text = {each.pattern.pattern: each for each in patterns}
    assert by_text[r"[a-z0-9-]{1,32}"].anchored
    assert len(patterns) > 80
