"""Tokens of a sentence, as rules of verbalising read them."""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A word, number or sign as it is written; `spaced`: a blank comes before it."""

    kind: str  # a group of the pattern; "end" beyond the ends
    text: str
    spaced: bool = True


class Reading(NamedTuple):
    """What so many tokens are said as."""

    words: str
    taken: int


_END = Token("end", "")


class Tokens:
    """The tokens of a sentence. Beyond its ends are tokens of kind "end"."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens

    def __len__(self) -> int:
        return len(self._tokens)

    def __getitem__(self, at: int) -> Token:
        return self._tokens[at] if 0 <= at < len(self._tokens) else _END

    def joined(self, at: int, count: int) -> str:
        """The text of `count` tokens without a blank between them; "" when there are some."""
        if any(self[each].spaced for each in range(at + 1, at + count)):
            return ""
        return "".join(self[each].text for each in range(at, at + count))


def tokens(text: str, pattern: "re.Pattern[str]") -> Tokens:
    """`text` cut by `pattern`, whose named groups are the kinds."""
    return Tokens(
        [
            Token(match.lastgroup or "", match[0], text[match.start() - 1 : match.start()] in " ")
            for match in pattern.finditer(text)
        ]
    )
