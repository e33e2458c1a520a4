"""The interfaces that components are read through, and a component's place in the tree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.buttons import Button
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.pieces import Cell, Component, Piece
from voxcard.cards.dialects.a2ui.values import Scope, Values
from voxcard.cards.model import Action
from voxcard.json_value import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The components above one, each with the data it was shown for, and how often the way
    branched."""

    seen: frozenset[tuple[str, pointer.Tokens]] = frozenset()
    depth: int = 0


class Reader(Protocol):
    """What a component without children is read with.

    `links` are those that texts hold, `secrets` the places that an obscured input holds.
    """

    values: Values
    notes: Notes
    links: list[Action]
    secrets: set[pointer.Tokens]

    def path(self, component: Component) -> str:
        """Where the component is, for notes."""

    def text(self, component: Component, key: str, scope: Scope) -> str:
        """A property as text."""

    def accessibility(self, component: Component, key: str, scope: Scope) -> str:
        """An accessibility property as one clean line, or an empty text."""


class Walk(Reader, Protocol):
    """What a component with children is read with; `later` follows after everything else."""

    components: Mapping[str, Component]
    buttons: list[Button]
    later: list[Piece]

    def count(self, pieces: list[Piece]) -> None:
        """Takes the words of pieces from what may still be said."""

    def child(self, name: Json, scope: Scope, above: Trail) -> list[Piece]:
        """The pieces of the component with an id."""

    def children(self, component: Component, scope: Scope, above: Trail) -> Iterator[Cell]:
        """The pieces of each child that a component names."""

    def entries(
        self, template: Component, component: Component, scope: Scope, above: Trail
    ) -> Iterator[Cell]:
        """The pieces of each entry of the list that the template of a component is bound to."""
