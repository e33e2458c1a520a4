"""Two readings of one argument: what satisfies both, and what satisfies either."""

import pytest
from voxcard.toolhub.schema import Argument
from voxcard.toolhub.schema.combination import NoValueError, both, either, kind_of

WHOLE, NUMBER, TEXT = Argument(kind="integer"), Argument(kind="number"), Argument(kind="string")


def number(low=None, high=None, *, low_open=False, high_open=False):
    return Argument(kind="number", low=low, high=high, low_open=low_open, high_open=high_open)


def limits(argument):
    return (argument.low, argument.low_open, argument.high, argument.high_open)


def test_the_narrower_limits_are_those_of_both():
    assert limits(both(number(1, 9), number(3, 7))) == (3, False, 7, False)
    assert limits(both(number(3, 7), number(1, 9))) == (3, False, 7, False)
    assert limits(both(number(-1, 9), number(0, 8))) == (0, False, 8, False)
    assert limits(both(number(0, 9), number(3, 8))) == (3, False, 8, False)
    assert limits(both(number(1), number(None, 9))) == (1, False, 9, False)
    assert limits(both(number(-8, -2), number(-5, -3))) == (-5, False, -3, False)
    opened = number(1, 9, low_open=True, high_open=True)
    assert limits(both(number(1, 9), opened)) == (1, True, 9, True)
    assert limits(both(opened, number(2, 8))) == (2, False, 8, False)


def test_the_wider_limits_are_those_of_either():
    assert limits(either([number(1, 5), number(3, 7)])) == (1, False, 7, False)
    assert limits(either([number(3, 7), number(1, 5)])) == (1, False, 7, False)
    assert limits(either([number(5, 9), number(0, 9)])) == (0, False, 9, False)
    assert limits(either([number(1), number(2, 9)])) == (1, False, None, False)
    assert limits(either([number(-8, -2), number(-5, -3)])) == (-8, False, -2, False)
    opened = number(1, 9, low_open=True, high_open=True)
    assert limits(either([number(1, 9), opened])) == (1, False, 9, False)
    assert limits(either([opened, opened])) == (1, True, 9, True)
    assert limits(either([number(1, 5), TEXT])) == (None, False, None, False)


def test_limits_that_leave_nothing_are_no_value():
    assert limits(both(number(5), number(None, 5))) == (5, False, 5, False)
    for one, other in (
        (number(6), number(None, 5)),
        (number(5, low_open=True), number(None, 5)),
        (number(5), number(None, 5, high_open=True)),
    ):
        with pytest.raises(NoValueError, match="lower limit is above"):
            both(one, other)


def test_kinds_that_exclude_each_other_leave_null_or_nothing():
    assert both(WHOLE, NUMBER).kind == both(NUMBER, WHOLE).kind == "integer"
    assert both(TEXT, Argument()).kind == both(Argument(), TEXT).kind == "string"
    with pytest.raises(NoValueError, match="types exclude each other"):
        both(TEXT, WHOLE)
    nullable = Argument(kind="string", nullable=True)
    assert both(nullable, Argument(kind="integer", nullable=True)).kind == "null"
    assert not both(nullable, TEXT).nullable


def test_either_is_the_kind_they_share_or_any():
    assert either([WHOLE, NUMBER]).kind == "number"
    assert either([TEXT, TEXT]).kind == "string"
    assert either([TEXT, WHOLE]).kind == "any"
    null = Argument(kind="null", nullable=True)
    assert either([null]) == null and either([null, null]) == null
    assert either([TEXT, null]).kind == "string" and either([null, TEXT]).nullable
    with pytest.raises(NoValueError, match="no value is allowed"):
        either([])


def test_values_of_an_enum_are_those_that_all_allow():
    one = Argument(values=("a", 1, True, 2.5, 3.0))
    assert both(one, Argument(values=(1, "b", 3))).values == (1, 3.0)
    assert both(one, TEXT).values == ("a",)
    assert both(one, WHOLE).values == (1, 3.0)
    assert both(one, NUMBER).values == (1, 2.5, 3.0)
    assert both(TEXT, Argument(values=("x",))).values == ("x",)
    with pytest.raises(NoValueError, match="no value of its enum"):
        both(Argument(values=("a",)), WHOLE)
    assert either([Argument(values=(1, True)), Argument(values=(True, 2))]).values == (1, True, 2)
    assert either([Argument(values=(1,)), WHOLE]).values == ()


def test_what_the_first_says_of_itself_counts():
    one = Argument(kind="string", title="A", pattern="a", default="x", items=TEXT)
    other = Argument(kind="string", title="B", pattern="b", description="b", default="y")
    for merged in (both(one, other), either([one, other])):
        assert (merged.title, merged.description, merged.default) == ("A", "b", "x")
    assert both(one, other).pattern == "a" and both(TEXT, other).pattern == "b"
    assert either([one, other]).pattern == "" and either([one, one]).pattern == "a"
    assert both(TEXT, one).items == TEXT and either([one, one]).items == TEXT
    assert either([one, other]).items is None and both(TEXT, other).default == "y"


def test_the_kind_of_a_value_keeps_true_and_one_apart():
    kinds = [kind_of(value) for value in (True, "a", 1, 1.0, 1.5)]
    assert kinds == ["boolean", "string", "integer", "integer", "number"]
