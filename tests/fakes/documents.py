"""What the pages for people hold: fenced blocks, and commands in running text."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    ROOT / name
    for name in ("README.md", "ARCHITECTURE.md", "boards/README.md")
) + tuple(sorted((ROOT / "docs").glob("*.md")))  # fmt: skip
_FENCE = re.compile(
    r"^(?P<fence>```+|~~~+)(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=fence)\s*$", re.M | re.S
)
_SPAN = re.compile(r"(?<!`)`((?:voxcard|make|python\s+-m)\s[^`]+)`(?!`)")


class Block(NamedTuple):
    """A fenced block; `file` is what its text is called when somebody follows the page."""

    page: Path
    line: int
    language: str
    file: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page; the words behind the fence are a language and a file."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, _, file = match["info"].strip().partition(" ")
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(page, line, language, file, match["text"]))
    return found


def shell_lines(text: str) -> list[str]:
    """The commands of a shell block, one by one, without what explains them."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in (re.sub(r"\s+# .*|^#.*", "", each).strip() for each in lines) if line]


def prose(page: Path) -> str:
    """A page without its fenced blocks; their lines stay, empty."""
    return _FENCE.sub(lambda match: "\n" * match[0].count("\n"), page.read_text(encoding="utf-8"))


def commands(page: Path) -> list[tuple[str, str]]:
    """(place, command) of every command in a page, once: those of its blocks, then the others."""
    listed = [
        (block.place, line)
        for block in blocks(page)
        if block.language == "sh"
        for line in shell_lines(block.text)
    ]
    text = prose(page)
    for match in _SPAN.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        listed.append((f"{page.relative_to(ROOT)}:{line}", " ".join(match[1].split())))
    once = {command: place for place, command in reversed(listed)}
    return [(place, command) for place, command in listed if once[command] == place]
