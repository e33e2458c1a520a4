"""Fail if a class, a function or a folder has grown past its limit; one line each.

Lines are counted from `class` or `def` to the end, modules are the .py files of one folder. What
has to be larger is named in LARGER with its reason, and leaves that table when it shrinks.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ("bridge", "firmware", "tools")
CLASS_LINES, FUNCTION_LINES = 200, 40
FOLDER_MODULES, TEST_FOLDER_MODULES = 15, 25

# path: {name: why}
LARGER = {
    "firmware/audio/adpcm.py": {"_encode": "native code: a call a sample would take too long"},
}
_SPLIT = "split it along what it does"


def too_long(path: Path) -> Iterator[tuple[str, str]]:
    """(name, what is wrong) of each class and function of a module that is over its limit."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            kind, limit = "class", CLASS_LINES
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            kind, limit = "function", FUNCTION_LINES
        else:
            continue
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > limit:
            text = f"{node.lineno}: {kind} {node.name} has {lines} lines, the limit is {limit}"
            yield node.name, f"{text}: {_SPLIT}"


def too_full(root: Path, limit: int) -> Iterator[str]:
    """Each folder from `root` down with more modules than `limit`."""
    for folder in sorted([root, *(path for path in root.rglob("*") if path.is_dir())]):
        count = len(list(folder.glob("*.py")))
        if count > limit:
            yield f"{folder}: {count} modules, the limit is {limit}: it lacks a floor"


def violations(root: Path, larger: dict[str, dict[str, str]]) -> Iterator[str]:
    """Everything that is too large below the checkout `root`, and exceptions nothing needs."""
    unused = {(path, name) for path, names in larger.items() for name in names}
    for part in CODE:
        for path in sorted((root / part).rglob("*.py")):
            relative = path.relative_to(root).as_posix()
            for name, fault in too_long(path):
                unused.discard((relative, name))
                if name not in larger.get(relative, ()):
                    yield f"{relative}:{fault}"
        yield from too_full(root / part, FOLDER_MODULES)
    yield from too_full(root / "tests", TEST_FOLDER_MODULES)
    for relative, name in sorted(unused):
        yield f"{relative}: {name} keeps to its limit: take it out of tools/checks/sizes.py"


def main() -> int:
    """Print what is too large, or that nothing is."""
    faults = list(violations(ROOT, LARGER))
    print("\n".join(faults) or "sizes ok")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
