"""Fail if a regular expression of the bridge takes more than linear time in its text; a line each.

Every pattern is tried, by the methods its module calls it with, on blanks, line ends, letters,
digits and its own near-matches: on 8 KB of them, and on 100 KB where those take suspiciously
long. The measure is CPU time for ten times the text: about 10 times as much is linear, 100 times
quadratic. A busy machine adds nothing to it.
"""

import ast
import itertools
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2] / "bridge" / "voxcard"
GLANCE, SMALL, LARGE = 8_000, 10_000, 100_000  # characters
GLANCE_S = 0.0005  # for GLANCE: a quadratic pattern within it needs less than QUICK_S for LARGE
GLANCE_RATIO_MAX = 8.0  # to a quarter of GLANCE: 4 is linear, 16 quadratic
RATIO_MAX = 30.0
QUICK_S = 0.1  # for LARGE: too little to matter, and too little to be measured
GIVE_UP_S = 20.0  # for LARGE

METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
ANCHORED = {"match", "fullmatch"}
UNITS = (
    " ", "\t", "\n", "\r\n", " \n", "\n ", "a", "A", "é", "7", "a1", "a ", "A b. ", "1,000 ",
    "1.5", "-", "- ", "--", "=", "|", "| ", "|-", "*", "**a", "_", "`", "``", "~~~", "#", "# ",
    ">", "> ", "[", "![", "[a](", "](", "(", ")", "{", "${", "\\", "\\frac{", "<", "<a ", "</",
    "&", "$", "'", '"', ".", "...", ", ", ":", "://", "https://", "https://a ", "data:image/",
    "@", "/", "a.b", "\x1b[", "\u202e", "\0",
)  # fmt: skip
# Patterns that are put together at run time, and what bounds them.
BUILT = {
    "cards/dialects/chat/terms.py": "a term of a card, each letter escaped",
}


class Used(NamedTuple):
    """A pattern, where it is written, and whether it is tried at one place only."""

    place: str
    pattern: "re.Pattern[str]"
    anchored: bool


def patterns() -> Iterator[Used | str]:
    """Every pattern of the bridge; a text says why one cannot be found."""
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        methods = methods_by_name(tree)
        for node in ast.walk(tree):
            if is_call_of_re(node):
                yield from one(path, node, methods)


def methods_by_name(tree: ast.AST) -> dict[str, set[str]]:
    """Which methods of a pattern are used under which name."""
    used: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            if isinstance(node.value, ast.Name):
                used.setdefault(node.value.id, set()).add(node.attr)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            for inner in ast.walk(node.value):
                if is_call_of_re(inner):
                    inner.voxcard_name = node.targets[0].id  # type: ignore[attr-defined]
    return used


def is_call_of_re(node: ast.AST) -> bool:
    """Whether `node` is `re.something(...)` that takes a pattern."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in METHODS | {"compile"}
    )


def one(path: Path, call: Any, methods: dict[str, set[str]]) -> Iterator[Used | str]:
    """The pattern of a call of `re`."""
    relative = path.relative_to(ROOT).as_posix()
    place = f"bridge/voxcard/{relative}:{call.lineno}"
    flags = [each.value for each in call.keywords if each.arg == "flags"]
    if call.func.attr == "compile":
        flags += call.args[1:2]
    try:
        text, *bits = [evaluated(each, path) for each in (call.args[0], *flags)]
    except NameError as error:
        if relative not in BUILT:
            yield f"{place}: write the pattern out, or as a constant of the module ({error})"
        return
    name = getattr(call, "voxcard_name", "")
    used = {call.func.attr} - {"compile"} or methods.get(name, {"search"})
    yield Used(place, re.compile(text, sum(bits)), used <= ANCHORED)


def evaluated(node: ast.AST, path: Path) -> Any:
    """The value of a constant expression, by the constants of its module."""
    module = ".".join(("voxcard", *path.relative_to(ROOT).with_suffix("").parts))
    __import__(module)
    code = compile(ast.Expression(node), str(path), "eval")  # type: ignore[arg-type]
    return eval(code, vars(sys.modules[module]))


def texts(pattern: "re.Pattern[str]") -> Iterator[tuple[str, str]]:
    """(head, unit): `head` and many units make a text."""
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    sample = "".join(shortest(parsed))
    characters = sorted(set(leaves(parsed)))
    heads = sorted({"", sample, *(sample[:at] for at in range(1, min(len(sample), 8)))})
    units = [*UNITS, *characters, *filter(None, (sample, sample[:-1], sample[1:]))]
    units += [
        "".join(pair) for pair in itertools.islice(itertools.combinations(characters, 2), 40)
    ]
    yield from (("", unit) for unit in units)
    yield from itertools.product(filter(None, heads), characters)


def shortest(parsed: Any) -> Iterator[str]:
    """The pieces of a text that nearly matches: each repeat as short as may be, but not empty."""
    for code, value in parsed:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.IN:
            yield member(value)
        elif code in (codes.ANY, codes.NOT_LITERAL):
            yield "a"
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from list(shortest(value[2])) * max(1, min(value[0], 3))
        elif code is codes.SUBPATTERN:
            yield from shortest(value[3])
        elif code is codes.BRANCH:
            yield from shortest(value[1][0])


def leaves(parsed: Any) -> Iterator[str]:
    """A character for each place that takes one."""
    for code, value in parsed:
        if code is codes.BRANCH:
            for branch in value[1]:
                yield from leaves(branch)
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield from leaves(value[2])
        elif code is codes.SUBPATTERN:
            yield from leaves(value[3])
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from leaves(value[1])
        else:
            yield from shortest([(code, value)])


def member(items: Any) -> str:
    """A character of a class."""
    negated = items[0][0] is codes.NEGATE
    body = "".join(codes_text(item) for item in items)
    inside = re.compile(f"[{'^' if negated else ''}{body}]")
    candidates = "a1 A-_.\n#*|`([{<é" + "".join(map(chr, range(32, 127)))
    return next((each for each in candidates if inside.match(each)), "a")


def codes_text(item: Any) -> str:
    """One item of a class, written again."""
    code, value = item
    if code is codes.LITERAL:
        return re.escape(chr(value))
    if code is codes.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    if code is codes.CATEGORY:
        names = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
        kind = str(value).removeprefix("CATEGORY_")
        letter = names[kind.removeprefix("NOT_")]
        return letter.upper() if kind.startswith("NOT_") else letter
    return ""


class OutOfTimeError(Exception):
    """A pattern that does not come to an end."""


def cpu_s(used: Used, text: str) -> float:
    """What it costs to look for the pattern in `text`, or in its bytes."""
    subject: Any = text.encode() if isinstance(used.pattern.pattern, bytes) else text
    started = time.process_time()
    if used.anchored:
        used.pattern.match(subject)
        used.pattern.fullmatch(subject)
    else:
        for _ in used.pattern.finditer(subject):
            pass
    return time.process_time() - started


def fault(used: Used) -> str:
    """Why the pattern is not linear, or an empty text."""
    for head, unit in texts(used.pattern):
        try:
            signal.setitimer(signal.ITIMER_PROF, GIVE_UP_S)
            why = growth(used, head, unit) if is_suspicious(used, head, unit) else ""
        except OutOfTimeError:
            why = f"more than {GIVE_UP_S} s"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if why:
            return f"{head!r} and many {unit!r}: {why}"
    return ""


def repeated(head: str, unit: str, length: int) -> str:
    """`head` and many units; what ends the text is in no pattern, so the last try of each repeat
    fails."""
    return head + unit * (length // len(unit)) + "\0\1"


def is_suspicious(used: Used, head: str, unit: str) -> bool:
    """A short text takes a while, and much longer than a quarter of it."""
    text, quarter = repeated(head, unit, GLANCE), repeated(head, unit, GLANCE // 4)
    took = cpu_s(used, text)
    if took < GLANCE_S:
        return False
    took = min(took, cpu_s(used, text))
    return took > GLANCE_RATIO_MAX * min(cpu_s(used, quarter), cpu_s(used, quarter))


def growth(used: Used, head: str, unit: str) -> str:
    """How much longer ten times the text takes, where that is too much."""
    small, large = repeated(head, unit, SMALL), repeated(head, unit, LARGE)
    first = cpu_s(used, small)
    if first > QUICK_S * RATIO_MAX / 10:
        return f"{first:.1f} s for {SMALL} characters"
    took = cpu_s(used, large)
    first = min(first, cpu_s(used, small))
    if took > QUICK_S and took > RATIO_MAX * first:
        return f"{took:.1f} s, {took / first:.0f} times 1/10 of it"
    return ""


def out_of_time(number: int, frame: object) -> None:
    raise OutOfTimeError


def main() -> int:
    signal.signal(signal.SIGPROF, out_of_time)
    faults = []
    count = 0
    for used in patterns():
        count += 1
        if isinstance(used, str):
            faults.append(used)
        elif why := fault(used):
            faults.append(f"{used.place}: {used.pattern.pattern[:60]!r}: {why}")
    print("\n".join(faults) or f"{count} regular expressions are linear")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
