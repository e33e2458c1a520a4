"""Every pattern of the assistants takes time linear in a hostile text."""

import importlib
import pkgutil
import re
import time

import voxcard.assistants

SIZE = 100_000  # characters
TEXTS = {
    "blanks": " " * SIZE,
    "line ends": "\n" * SIZE,
    "tabs": "\t" * SIZE,
    "letters": "a" * SIZE,
    "capitals": "A" * SIZE,
    "words": "Aa b " * (SIZE // 5),
    "digits": "1" * SIZE,
    "digits with commas": "1," * (SIZE // 2),
    "groups": "1,111" * (SIZE // 5),
    "dots": "a." * (SIZE // 2),
    "full stops": "." * SIZE,
    "brackets": "[" * SIZE,
    "links": "![" * (SIZE // 2),
    "open links": "[a](" * (SIZE // 4),
    "parentheses": "(" * SIZE,
    "tags": "<a " * (SIZE // 3),
    "addresses": "http://" * (SIZE // 7),
    "money": "$1" * (SIZE // 2),
    "clocks": "1:1" * (SIZE // 3),
    "slashes": "1/" * (SIZE // 2),
    "dashes": "-" * SIZE,
    "romans": "Ab IVXIVX" * (SIZE // 9),
    "names": "a_b" * (SIZE // 3),
    "errors": "Error: " * (SIZE // 7),
    "raised": "Error executing tool a: " + "A b " * (SIZE // 4),
    "colons": ":" * SIZE,
    "quotes": "'" + "a" * SIZE,
}


def patterns():
    """Every compiled pattern at the top of a module of the assistants, by where it is."""
    package = voxcard.assistants
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        for name, value in vars(importlib.import_module(module.name)).items():
            for each in _inside(value):
                yield f"{module.name}.{name}", each


def _inside(value):
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _inside(each)


def test_the_patterns_of_the_assistants_are_found():
    assert len(dict(patterns())) > 15


def test_no_pattern_takes_long_for_a_hostile_text():
    """Time of the process, not of the clock: other work on the computer does not count."""
    slow = []
    for where, pattern in patterns():
        for name, text in TEXTS.items():
            before = time.process_time()
            pattern.sub("", text)
            spent_s = time.process_time() - before
            if spent_s > 2.0:
                slow.append((where, pattern.pattern[:60], name, round(spent_s, 2)))
    assert slow == []
