"""Rows to choose from: under a card's text where they fit, else on pages of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voxwire.type import drawing

from voxcard.cards.fit.choices import Choices
from voxcard.cards.type.frame import Frame
from voxcard.cards.type.setting import Setting, Style

_HEIGHT = 230  # of a row, in percent of the capitals
_TOUCH = 36  # px that a row should have where a page has room


class CardChoices(Choices):
    """The choices of a card whose question the text always asks."""

    def asked_in_text(self, buttons: bool) -> bool:
        return bool(self.prompt)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRows:
    """Options, (id, label) each, set in one style."""

    options: Sequence[tuple[str, str]]
    setting: Setting
    style: Style

    @property
    def pitch(self) -> int:
        """Px from one row to the next."""
        return self._height + self.style.gap // 2

    @property
    def _height(self) -> int:
        return max(_TOUCH, self.style.face("title").cap * _HEIGHT // 100)

    def height(self, count: int) -> int:
        """Px that so many rows take."""
        return count * self.pitch - self.style.gap // 2

    def place(
        self, options: Sequence[tuple[str, str]], frame: Frame, y: int
    ) -> Iterator[drawing.Choice]:
        """The rows of some options from `y` on."""
        face = self.style.face("title")
        index = self.setting.index(face.name)
        for option_id, label in options:
            x, width = frame.column(y, self._height)
            text = self.setting.label(face, label, width - face.cap * 4 // 3)
            yield drawing.Choice(option_id, text, x, y, width, self._height, index)
            y += self.pitch

    def pages(self, frame: Frame) -> Iterator[tuple[Any, ...]]:
        """The options of pages that hold nothing else."""
        room = frame.bottom - frame.next_top + self.style.gap // 2
        many = max(1, room // self.pitch)
        for start in range(0, len(self.options), many):
            part = self.options[start : start + many]
            spare = max(0, room - len(part) * self.pitch) // 2
            y = frame.next_top + (spare if frame.round else min(spare, self.style.gap))
            yield tuple(self.place(part, frame, y))
