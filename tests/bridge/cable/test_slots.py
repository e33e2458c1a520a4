"""What has to go over the cable so that the idle slot holds a firmware."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.cable.slots import Plan, other, plan

FILES = st.dictionaries(st.sampled_from("abcde"), st.sampled_from("123"), max_size=5)


@pytest.mark.parametrize(
    ("wanted", "active", "idle", "expected"),
    [
        ({"a": "1"}, {}, {}, Plan(remove=(), copy=(), send=("a",))),
        ({"a": "1", "b": "2"}, {"a": "1", "b": "1"}, {},
         Plan(remove=(), copy=("a",), send=("b",))),
        ({"a": "1"}, {"a": "1"}, {"a": "1"}, Plan(remove=(), copy=(), send=())),
        ({"a": "1"}, {"a": "2"}, {"a": "2", "b": "1"},
         Plan(remove=("a", "b"), copy=(), send=("a",))),
    ],
)  # fmt: skip
def test_only_what_the_board_lacks_is_sent(wanted, active, idle, expected):
    assert plan(wanted, active, idle) == expected


@given(FILES, FILES, FILES)
def test_the_plan_makes_the_wanted_slot_of_any_two(wanted, active, idle):
    steps = plan(wanted, active, idle)
    result = {path: value for path, value in idle.items() if path not in steps.remove}
    result |= {path: active[path] for path in steps.copy}
    result |= {path: wanted[path] for path in steps.send}
    assert result == wanted
    assert not set(steps.send) & {path for path in wanted if wanted[path] == active.get(path)}


def test_there_are_two_slots():
    assert (other("app_a"), other("app_b")) == ("app_b", "app_a")
