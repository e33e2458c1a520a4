"""tools/checks/mutants: what `make mutants` may change."""

import re

import pytest

from tools.checks.mutants.__main__ import EXCLUDED, is_meant

SOURCE = """\
def area(
    width: int | None, *, height: int = 2 * 3
) -> int | None:
    scale: int = 4
    return width * height
"""


@pytest.mark.parametrize(
    "operator",
    [
        "ReplaceBinaryOperator_Add_Sub",
        "ReplaceComparisonOperator_Lt_LtE",
        "ReplaceComparisonOperator_Is_IsNot",
        "ReplaceUnaryOperator_Delete_Not",
        "ReplaceAndWithOr",
        "ReplaceTrueWithFalse",
        "NumberReplacer",
        "ExceptionReplacer",
    ],
)
def test_what_a_person_mistypes_is_drawn(operator: str):
    assert not re.match(EXCLUDED, f"core/{operator}")


@pytest.mark.parametrize(
    "operator",
    [
        "ReplaceBinaryOperator_Add_BitXor",
        "ReplaceBinaryOperator_Sub_RShift",
        "ReplaceComparisonOperator_Eq_Is",
        "ReplaceComparisonOperator_Lt_IsNot",
        "ReplaceUnaryOperator_USub_Not",
        "RemoveDecorator",
    ],
)
def test_the_same_program_by_construction_and_what_nobody_writes_is_not_drawn(operator: str):
    assert re.match(EXCLUDED, f"core/{operator}")


def test_annotations_and_the_marks_between_parameters_are_left_as_they_are():
    places = {
        (number, column)
        for number, line in enumerate(SOURCE.splitlines(), start=1)
        for column, character in enumerate(line)
        if character in "|*234" and is_meant(SOURCE, number, column)
    }
    lines = SOURCE.splitlines()
    assert sorted(lines[line - 1][column:] for line, column in places) == [
        "* 3",
        "* height",
        "2 * 3",
        "3",
        "4",
    ]
