"""How large classes, functions and folders may be, and how one that must be larger is let in."""

import pytest

from tools.checks import sizes


@pytest.fixture
def checkout(tmp_path):
    for name in ("bridge", "firmware", "tools", "tests"):
        (tmp_path / name).mkdir()
    return tmp_path


def faults(checkout, larger=()):
    return [each.removeprefix(f"{checkout}/") for each in sizes.violations(checkout, dict(larger))]


def block(head, lines):
    return "\n".join([head, *["    x = 1"] * (lines - 1)]) + "\n"


@pytest.mark.parametrize(
    ("head", "limit", "kind", "name"),
    [
        ("class Relay:", 200, "class", "Relay"),
        ("def parse():", 40, "function", "parse"),
        ("async def serve():", 40, "function", "serve"),
    ],
)
def test_what_is_one_line_over_its_limit_is_named(checkout, head, limit, kind, name):
    module = checkout / "bridge" / "part.py"
    module.write_text(block(head, limit))
    assert faults(checkout) == []
    module.write_text("\n" + block(head, limit + 1))
    assert faults(checkout) == [
        f"bridge/part.py:2: {kind} {name} has {limit + 1} lines, the limit is {limit}:"
        " split it along what it does"
    ]


def test_methods_and_functions_in_functions_are_counted_too(checkout):
    inner = "".join(f"    {line}\n" for line in block("def inner():", 41).splitlines())
    (checkout / "firmware" / "part.py").write_text("class Part:\n" + inner)
    (checkout / "tools" / "part.py").write_text("def outer():\n" + inner)
    names = [fault.split(" has ")[0] for fault in faults(checkout)]
    assert names == [
        "firmware/part.py:2: function inner",
        "tools/part.py:1: function outer",
        "tools/part.py:2: function inner",
    ]


@pytest.mark.parametrize(("folder", "limit"), [("bridge/deep/er", 15), ("tests/both", 25)])
def test_a_folder_with_one_module_too_many_is_named(checkout, folder, limit):
    (checkout / folder).mkdir(parents=True)
    for number in range(limit):
        (checkout / folder / f"m{number}.py").touch()
    (checkout / folder / "notes.txt").touch()
    assert faults(checkout) == []
    (checkout / folder / "one_more.py").touch()
    assert faults(checkout) == [
        f"{folder}: {limit + 1} modules, the limit is {limit}: it lacks a floor"
    ]


def test_tests_may_be_long(checkout):
    (checkout / "tests" / "test_part.py").write_text(block("def test_part():", 60))
    assert faults(checkout) == []


def test_an_exception_lets_in_what_it_names_and_nothing_else(checkout):
    (checkout / "bridge" / "part.py").write_text(block("def a():", 50) + block("def b():", 50))
    assert [
        each.split(" has ")[0] for each in faults(checkout, {"bridge/part.py": {"a": "why"}})
    ] == ["bridge/part.py:51: function b"]


def test_an_exception_that_nothing_needs_is_named(checkout):
    (checkout / "bridge" / "part.py").write_text(block("def a():", 40))
    assert faults(checkout, {"bridge/part.py": {"a": "why"}}) == [
        "bridge/part.py: a keeps to its limit: take it out of tools/checks/sizes.py"
    ]
