"""How large, deep and long the source of a card may be."""

import pytest
from voxcard.cards.model import CardRefused
from voxcard.cards.text.sanitize import DEPTH_MAX, LIST_MAX, check_size, web_link


def nested(levels):
    value = "x"
    for _ in range(levels):
        value = {"a": value}
    return value


def refusal(source):
    with pytest.raises(CardRefused) as caught:
        check_size(source)
    return caught.value.path, caught.value.reason


def test_a_source_may_be_so_deep_and_no_deeper():
    check_size(nested(DEPTH_MAX))
    path, reason = refusal(nested(DEPTH_MAX + 1))
    assert path == ".".join(["a"] * (DEPTH_MAX + 1))[:200]
    assert reason == f"is nested deeper than {DEPTH_MAX} levels"


def test_a_list_or_an_object_may_have_so_many_entries_and_no_more():
    check_size({"a": [0] * LIST_MAX, "b": {str(number): 0 for number in range(LIST_MAX)}})
    for entries in ([0] * (LIST_MAX + 1), {str(number): 0 for number in range(LIST_MAX + 1)}):
        path, reason = refusal({"a": [entries]})
        assert (path, reason) == ("a.0", f"has {LIST_MAX + 1} entries, the limit is {LIST_MAX}")


def test_a_source_may_be_so_large_and_no_larger():
    check_size({"a": "x" * (1048576 - 16)})
    assert refusal({"a": "x" * (1048576 - 15)}) == ("a", "is larger than 1048576 bytes")


def test_five_hundred_entries_sixty_four_levels_and_2048_letters_of_a_link_are_the_most():
    check_size([0] * 500)
    assert refusal([0] * 501)[1] == "has 501 entries, the limit is 500"
    check_size(nested(64))
    assert refusal(nested(65))[1] == "is nested deeper than 64 levels"
    link = "https://a.example/"
    assert web_link(link + "b" * (2048 - len(link))) is True
    assert web_link(link + "b" * (2049 - len(link))) is None
