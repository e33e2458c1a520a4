"""Parts of Markdown pages that are written by a program, between two comments.

`<!-- generated: NAME -->` begins the part NAME, `<!-- end -->` ends it.
"""

import re
from collections.abc import Mapping, Sequence


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
