"""Sums: exact where a result can be, bounded, refused by a sentence; never run as code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.toolhub.builtin.arithmetic import EXPRESSION_MAX, SumError, calculate


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2 + 2", "4"),
        ("2+3*4", "14"),
        ("(2 + 3) * 4", "20"),
        ("10 - 4 - 3", "3"),
        ("100 / 10 / 5", "2"),
        ("0.1 + 0.2", "0.3"),
        ("-3 * -4", "12"),
        ("--3", "3"),
        ("-2 ^ 2", "-4"),
        ("2 ^ 3 ^ 2", "512"),
        ("2 ^ -2", "0.25"),
        ("20 % of 50", "10"),
        ("(1/2) of 90", "45"),
        ("50 %", "0.5"),
        ("sqrt 144", "12"),
        ("sqrt (9 / 16)", "0.75"),
        ("1 / 8", "0.125"),
        ("7 - 12.5", "-5.5"),
        ("999999999999999", "999999999999999"),
    ],
)
def test_a_sum_has_its_exact_result(expression, text):
    result = calculate(expression)
    assert (result.text, result.is_exact) == (text, True)


@pytest.mark.parametrize(
    ("expression", "text"),
    [("1 / 3", "0.3333"), ("2 / 3", "0.6667"), ("sqrt 2", "1.4142"), ("-10 / 3", "-3.3333")],
)
def test_a_result_that_is_not_exact_says_so(expression, text):
    result = calculate(expression)
    assert (result.text, result.is_exact) == (text, False)


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("1 / 0", "divided by zero"),
        ("0 ^ -1", "divided by zero"),
        ("sqrt -1", "negative number"),
        ("9 ^ 9 ^ 9", "small whole powers"),
        ("2 ^ 0.5", "small whole powers"),
        ("9999999999 ^ 500", "too large"),
        ("10 ^ 15", "too large"),
        ("10 ^ -9", "too small"),
        ("((" * 60 + "1" + "))" * 60, "too long"),
        ("-" * 100 + "1", "too long"),
        ("1" + "+1" * EXPRESSION_MAX, "too long"),
        ("", "cannot read"),
        ("2 +", "cannot read"),
        ("2 2", "cannot read"),
        ("(2", "cannot read"),
        ("__import__('os')", "cannot read"),
        ("1e400", "cannot read"),
        ("٣ + 1", "cannot read"),
    ],
)
def test_what_has_no_result_is_refused_by_a_sentence(expression, problem):
    with pytest.raises(SumError, match=problem):
        calculate(expression)


@given(st.text("0123456789+-*/^()%. sqrtof", max_size=60))
def test_any_text_has_a_result_or_is_refused(expression):
    try:
        result = calculate(expression)
    except SumError:
        return
    assert len(result.text) < 25 and float(result.text) is not None
