"""A line's runs: what one font writes in one direction."""

import unicodedata
from collections.abc import Container
from typing import NamedTuple

from voxcard.cards.drawing.bidi_order import levels, visual_order
from voxcard.cards.drawing.faces import LATIN, Face, code_points, face_of
from voxcard.cards.text.cells import is_joined, is_shaped, width

_JOINER = "\u200d"


class Run(NamedTuple):
    """`font` shapes it; None: letter by letter, as the device writes."""

    text: str  # in logical order
    level: int  # embedding level, odd = right to left
    font: Face | None

    @property
    def rtl(self) -> bool:
        return bool(self.level & 1)

    @property
    def letters(self) -> str:
        """From left to right, mirrored where that is against their direction."""
        if not self.rtl:
            return self.text
        from bidi.mirror import MIRRORED

        return "".join(MIRRORED.get(letter, letter) for letter in reversed(self.text))


def runs(text: str, rtl: bool, own: Container[int]) -> list[Run]:
    """The runs of a line from left to right; `own` are the code points of the device's face."""
    line: list[Run] = []
    for character, level in levels(unicodedata.normalize("NFC", text), rtl):
        last = line[-1] if line and line[-1].level == level else None
        if last and last.font and _continues(last.text, last.font, character):
            line[-1] = last._replace(text=last.text + character)
        elif width(character) == 0 and ord(character) not in own:
            if last and not last.font and _changes(character):
                line[-1:] = _lent(last, character)
        else:
            font = face_of(ord(character)) if is_shaped(character) else None
            if last and last.font == font:
                line[-1] = last._replace(text=last.text + character)
            else:
                line.append(Run(character, level, font))
    return [line[index] for index in visual_order([run.level for run in line])]


def _continues(text: str, font: Face, character: str) -> bool:
    """Whether a character belongs to the shaped text before it."""
    if unicodedata.category(character) == "Cf":
        return True
    return _holds(font, character) and (is_joined(character) or text[-1] == _JOINER)


def _changes(character: str) -> bool:
    """Whether what takes no room changes the letter before it: marks, skin tones, joiners."""
    if "\ufe00" <= character <= "\ufe0f":
        return False
    return character == _JOINER or unicodedata.category(character) != "Cf"


def _lent(run: Run, mark: str) -> list[Run]:
    """A run of letters whose last one is written together with a mark, by one font."""
    letter = run.text[-1]
    fonts = (face_of(ord(mark)), face_of(ord(letter)))
    both = (font for font in fonts if font and _holds(font, letter) and _holds(font, mark))
    shaped = Run(letter + mark, run.level, next(both, fonts[1] or LATIN))
    return [run._replace(text=run.text[:-1]), shaped] if run.text[1:] else [shaped]


def _holds(font: Face, character: str) -> bool:
    return ord(character) in code_points(font)
