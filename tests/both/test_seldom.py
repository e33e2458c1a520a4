"""Modules that leave the heap and come back."""

import sys

import voxwire
from seldom import forget


def test_a_forgotten_module_leaves_its_package_and_is_read_anew():
    import voxwire.topics as before

    kept = sys.modules["voxwire"]
    forget("voxwire.topics")
    assert "voxwire.topics" not in sys.modules and not hasattr(voxwire, "topics")
    assert sys.modules["voxwire"] is kept
    assert before.ROOT == "voxcard"  # whoever holds it goes on
    import voxwire.topics as after

    assert after is not before and after.ROOT == before.ROOT
    assert voxwire.topics is after


def test_a_package_goes_with_what_is_below_it_and_nothing_else():
    names = ("seldom_a", "seldom_a.b", "seldom_a.b.c", "seldom_ab", "seldom_c")
    for name in names:
        sys.modules[name] = sys
    try:
        forget("seldom_a", "seldom_c", "seldom_absent")
        assert [name for name in names if name in sys.modules] == ["seldom_ab"]
    finally:
        for name in names:
            sys.modules.pop(name, None)
