"""Rows to choose from: under a card's text where they fit, else on pages of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from voxwire.type import drawing
from voxwire.type.scale import cap_px

from voxcard.cards.fit.choices import Choices
from voxcard.cards.type.frame import Frame
from voxcard.cards.type.metrics import Metrics, metrics
from voxcard.cards.type.setting import Setting, Style

_HEIGHT = 230  # of a row, in percent of the capitals
_TOUCH = 36  # px that a row should have where a page has room


class CardChoices(Choices):
    """The choices of a card whose question the text always asks."""

    def asked_in_text(self, buttons: bool) -> bool:
        return bool(self.prompt)


@dataclass(frozen=True, kw_only=True)
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
        face, lines = self._face
        return max(_TOUCH, face.cap * _HEIGHT // 100 + (lines - 1) * face.cap * 17 // 10)

    @cached_property
    def _face(self) -> tuple[Metrics, int]:
        """The largest face in which every label is one line; else the smallest, with two."""
        title, least = self.style.face("title"), self.style.face("caption").cap
        caps = {cap_px(name) for name in self.setting.screen.faces if name[0] == "b"}
        faces = [title]
        faces += [metrics(f"b{cap}") for cap in sorted(caps, reverse=True) if cap < title.cap]
        faces = [face for face in faces if face.cap >= min(least, title.cap)]
        for face in faces:
            room = self._room(face)
            if all(self.setting.width(face, label) <= room for _, label in self.options):
                return face, 1
        return faces[-1], 2

    def _room(self, face: Metrics) -> int:
        """Px of a label: what the narrowest row has inside its round ends."""
        frame = Frame(screen=self.setting.screen, top=0, next_top=0, bottom=0)
        height = self.setting.screen.height
        rows = (frame.column(y, 0)[1] for y in (height // 3, height * 3 // 4))
        return min(rows) - face.cap * 4 // 3

    def height(self, count: int) -> int:
        """Px that so many rows take."""
        return count * self.pitch - self.style.gap // 2

    def place(
        self, options: Sequence[tuple[str, str]], frame: Frame, y: int
    ) -> Iterator[drawing.Choice]:
        """The rows of some options from `y` on."""
        face, lines = self._face
        index = self.setting.index(face.name)
        for option_id, label in options:
            x, width = frame.column(y, self._height)
            text = self._label(face, label, width - face.cap * 4 // 3, lines)
            yield drawing.Choice(option_id, text, x, y, width, self._height, index)
            y += self.pitch

    def _label(self, face: Metrics, label: str, room: int, lines: int) -> Any:
        if lines == 1 or self.setting.shaped(label):
            return self.setting.label(face, label, room)
        first, *rest = self.setting.lines(face, label, room, 20) or [""]
        second = self.setting.cut(face, " ".join(rest), room)
        return f"{first}\n{second}" if second else first

    def pages(self, frame: Frame) -> Iterator[tuple[Any, ...]]:
        """The options of pages that hold nothing else."""
        room = frame.bottom - frame.next_top + self.style.gap // 2
        many = max(1, room // self.pitch)
        for start in range(0, len(self.options), many):
            part = self.options[start : start + many]
            spare = max(0, room - len(part) * self.pitch) // 2
            y = frame.next_top + (spare if frame.round else min(spare, self.style.gap))
            yield tuple(self.place(part, frame, y))
