"""The page of a card's choices, and the question they answer."""

from collections.abc import Iterator
from functools import cached_property

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.entries import more
from voxcard.cards.fit.ink import Ink
from voxcard.cards.fit.room import Room
from voxcard.cards.model import MORE_ID, Action, Card
from voxcard.cards.text.cells import cut
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.sanitize import encodable
from voxcard.cards.text.sanitize import label as clean_label

OPTIONS_MAX = 12
OPTION_ID_MAX = 64
_OPTIONS_BESIDE = 3  # that a page shows below the whole question


class Choices:
    """What can be chosen on a card in the room that a screen has."""

    def __init__(self, card: Card, screen: Screen, ink: Ink, room: Room) -> None:
        self._card = card
        self._ink = ink
        self._room = room
        self.drawn = "choices" in screen.blocks

    def pages(self) -> Iterator[wire.ChoicePage]:
        """All options on one page; the device scrolls what its rows do not hold."""
        if self.drawn and self._options:
            lines = list(self._lines) if self._asks else []
            if self.left_out and len(lines) + 2 <= self._room.rows:
                lines.append(wire.text_line(cut(more(len(self.left_out)), self._room.cols)))
            yield wire.ChoicePage(self._room.title, tuple(lines), 0, tuple(self._options))

    @property
    def left_out(self) -> list[str]:
        """The labels of the buttons that the page has no room for."""
        names = self._buttons[OPTIONS_MAX:] if self.drawn else []
        return [clean_label(action.label) for action in names]

    def asked_in_text(self, buttons: bool) -> bool:
        """Whether the text pages have to ask the question: neither the choice page, which is
        there with `buttons`, nor the title does."""
        question = self._card.question
        asked_by_head = (
            question is not None and clean_label(question.prompt) == self._room.whole_title
        )
        return bool(self.prompt) and not (buttons and self._asks) and not asked_by_head

    @cached_property
    def prompt(self) -> str:
        """The question; empty when the title asks it already."""
        prompt = clean_label(self._card.question.prompt) if self._card.question else ""
        asked_by_title = prompt == clean_label(self._card.title) and not self._room.whole_title
        return "" if asked_by_title else prompt

    @cached_property
    def _lines(self) -> tuple[wire.Line, ...]:
        """The question's lines, one more than a page has where it is longer."""
        groups = self._ink.groups(self.prompt, self._room.rows + 1) if self.prompt else ()
        return tuple(line for group in groups for line in group)

    @property
    def _asks(self) -> bool:
        """The choice page has room for the whole question and a few options."""
        rows = len(self._lines) + min(len(self._options), _OPTIONS_BESIDE)
        return self.drawn and bool(self._options) and rows <= self._room.rows

    @cached_property
    def _buttons(self) -> list[Action]:
        return [
            action
            for action in self._card.actions
            if action.kind in ("message", "control")
            and len(action.id) <= OPTION_ID_MAX
            and encodable(action.id)
        ]

    @cached_property
    def named(self) -> list[tuple[str, str]]:
        """Each option's id and label."""
        named = [(action.id, clean_label(action.label)) for action in self._buttons[:OPTIONS_MAX]]
        if self._card.parts and self._card.parts.has_more:
            named.append((MORE_ID, WORDS["more"]))
        return named

    @cached_property
    def _options(self) -> list[wire.Option]:
        cols = max(2, self._room.cols - 2)
        return [wire.Option(each, self._ink.words(label, cols)) for each, label in self.named]
