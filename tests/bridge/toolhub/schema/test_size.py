"""How large a JSON value is, without recursion."""

import json

from hypothesis import given
from hypothesis import strategies as st
from voxcard.toolhub.schema.size import characters

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner),
)


@given(JSON)
def test_the_size_is_about_that_of_the_text(value):
    size = characters(value, longest=10**6, depth_max=100)
    text = len(json.dumps(value, ensure_ascii=False))
    assert size is not None and text / 7 <= size <= 4 * text + 2


def test_what_stands_round_a_value_counts_too():
    for value, size in ((None, 2), ("abc", 5), (1000, 5), (10**9, 12), ([None, None], 6)):
        assert characters(value, longest=99, depth_max=9) == size
    assert characters({"ab": None}, longest=99, depth_max=9) == 10
    assert characters({"ab": "c", "": []}, longest=99, depth_max=9) == 17


def test_what_is_too_large_or_too_deep_has_no_size():
    assert characters("a" * 98, longest=100, depth_max=0) == 100
    assert characters("a" * 99, longest=100, depth_max=0) is None
    assert characters(10**400, longest=100, depth_max=0) is None
    assert characters([[1]], longest=100, depth_max=2) == 6
    assert characters([[1]], longest=100, depth_max=1) is None
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert characters(deep, longest=10**6, depth_max=64) is None
