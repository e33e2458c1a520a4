"""ARCHITECTURE.md: its tree of rooms is the tree of the code."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]


def listed() -> Iterator[str]:
    """The folders of the tree, as paths from the root of the checkout."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    tree = re.search(r"## The rooms\n\n```text\n(.*?)```", text, re.DOTALL)
    assert tree is not None
    above: list[str] = []
    for line in tree[1].splitlines():
        name = line.split()[0].rstrip("/")
        level = (len(line) - len(line.lstrip())) // 2
        above = [*above[:level], name]
        yield "/".join(above)


def folders_with_code() -> set[str]:
    rooms = ("firmware", "bridge/voxcard", "tools")
    files = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    folders = {path.parent.relative_to(ROOT).as_posix() for path in files}
    return folders | {"tools"}


def test_every_folder_with_code_stands_in_the_tree_and_no_other():
    assert sorted(listed()) == sorted(folders_with_code())
