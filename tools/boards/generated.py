"""Parts of Markdown pages that are written by a program, between two comments.

`<!-- generated: NAME -->` begins the part NAME, `<!-- end -->` ends it.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def filled(page: str, texts: Mapping[str, str]) -> str:
    """The page with each of its parts replaced; ValueError where the names do not agree."""
    names = re.findall(r"<!-- generated: ([\w-]+) -->", page)
    if sorted(names) != sorted(texts):
        raise ValueError(f"the page has the parts {sorted(names)}, not {sorted(texts)}")
    for name, text in texts.items():
        mark = f"<!-- generated: {name} -->"
        before, _, rest = page.partition(mark)
        after = rest.partition("<!-- end -->")[2]
        page = f"{before}{mark}\n\n{text}\n\n<!-- end -->{after}"
    return page


def main(about: str, pages: Mapping[Path, Mapping[str, str]]) -> int:
    """The command line of such a program: writes the pages, or compares with --check."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    old = []
    for page, texts in pages.items():
        text = page.read_text(encoding="utf-8")
        new = filled(text, texts)
        if new != text:
            old.append(page)
            if not check:
                page.write_text(new, encoding="utf-8")
    for page in old if check else ():
        print(f"{page.name} is not what the boards' files say; run: make boards", file=sys.stderr)
    return 1 if check and old else 0
