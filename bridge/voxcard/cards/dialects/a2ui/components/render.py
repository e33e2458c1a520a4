"""A surface's tree of components walked once, each giving its pieces in reading order."""

from collections.abc import Iterator, Mapping

from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.buttons import Button
from voxcard.cards.dialects.a2ui.components.containers import CONTAINERS, only_child, unknown
from voxcard.cards.dialects.a2ui.components.inputs import INPUTS
from voxcard.cards.dialects.a2ui.components.media import MEDIA
from voxcard.cards.dialects.a2ui.components.texts import TEXTS
from voxcard.cards.dialects.a2ui.components.walk import Trail
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.pieces import (
    Cell,
    Component,
    Done,
    Piece,
    Said,
    item_title,
    words,
)
from voxcard.cards.dialects.a2ui.surfaces import ROOT, Surface
from voxcard.cards.dialects.a2ui.values import PATH_MAX, Scope, Values
from voxcard.cards.model import Action, MoreBlock
from voxcard.cards.text.sanitize import LIST_MAX, label
from voxcard.json_value import Json

DEPTH_MAX = 40
VISITS_MAX = 2000
CHARACTERS_MAX = 65_536
_ENVELOPE = {"@catalogId", "@accessibility", "@metadata", "@checks"}
_LEAVES = {**TEXTS, **INPUTS, **MEDIA}


class Render:
    """Walks one surface.

    `buttons` are its actions in order, `links` those that its texts hold, `secrets` the places in
    the data model that an obscured input holds, `later` what modals hold, which follows the rest.
    Cycles, depth and size are bounded, with notes.
    """

    def __init__(self, surface: Surface, values: Values, notes: Notes) -> None:
        self.buttons: list[Button] = []
        self.links: list[Action] = []
        self.secrets: set[pointer.Tokens] = set()
        self.later: list[Piece] = []
        self.values = values
        self.notes = notes
        self.components: Mapping[str, Component] = surface.components
        self._surface = surface
        self._visits = 0
        self._characters = 0
        self._left_out = 0  # entries of lists

    def pieces(self) -> list[Piece]:
        """The pieces of the whole surface."""
        shown = [*words(self.child(ROOT, Scope(), Trail())), *self.later]
        return [*shown, Done(block=MoreBlock(count=self._left_out))] if self._left_out else shown

    def path(self, component: Component) -> str:
        return f"{self._surface.id}.{component.get('id', '')}"

    def text(self, component: Component, key: str, scope: Scope) -> str:
        """A property as text; its length counts towards CHARACTERS_MAX."""
        text = self.values.text(component.get(key), scope, self.path(component))
        self._characters += len(text)
        return text

    def count(self, pieces: list[Piece]) -> None:
        self._characters += sum(len(piece.text) for piece in pieces if isinstance(piece, Said))

    def accessibility(self, component: Component, key: str, scope: Scope) -> str:
        own = component.get("accessibility", component.get("@accessibility"))
        value = own.get(key) if isinstance(own, dict) else None
        return label(self.values.text(value, scope, self.path(component))) if value else ""

    def child(self, name: Json, scope: Scope, above: Trail) -> list[Piece]:
        """The pieces of one component; containers of a single child are walked through."""
        seen = above.seen
        while True:
            component = self._component(name, scope, seen, above.depth)
            if component is None:
                return []
            seen = seen | {(name, scope.base)}
            only = only_child(component)
            if only is None:
                return self._pieces_of(component, scope, Trail(seen=seen, depth=above.depth + 1))
            name = only

    def children(self, component: Component, scope: Scope, above: Trail) -> Iterator[Cell]:
        children = component.get("children", component.get("child"))
        if isinstance(children, str):
            children = [children]
        if isinstance(children, list):
            for name in children:
                yield tuple(self.child(name, scope, above))
        elif children is not None:
            self.notes.add("dropped", self.path(component), "children must be a list of ids")

    def entries(
        self, template: Component, component: Component, scope: Scope, above: Trail
    ) -> Iterator[Cell]:
        bound = self._bound(template, scope)
        if bound is None:
            self.notes.add("dropped", self.path(component), "a template without a list")
            return
        place, keys = bound
        if len(keys) > LIST_MAX:
            self.notes.add("truncated", self.path(component), f"more than {LIST_MAX} entries")
            self._left_out += len(keys) - LIST_MAX
        for index, key in enumerate(keys[:LIST_MAX]):
            inside = Scope(base=(*place, key), index=index)
            first = len(self.buttons)
            cell = tuple(self.child(template.get("componentId"), inside, above))
            self._belong(first, cell)
            yield cell

    def _pieces_of(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        for key in component if self._surface.marked else ():
            if key.startswith("@") and key not in _ENVELOPE:
                self.notes.add("dropped", self.path(component), "a key with @ that means nothing")
        kind = component.get("component")
        if isinstance(kind, str) and kind in _LEAVES:
            return _LEAVES[kind](self, component, scope)
        if isinstance(kind, str) and kind in CONTAINERS:
            return CONTAINERS[kind](self, component, scope, above)
        self.notes.add("unknown", self.path(component), "a component that no card draws")
        return unknown(self, component, scope, above)

    def _component(
        self, name: Json, scope: Scope, seen: frozenset[tuple[str, pointer.Tokens]], depth: int
    ) -> Component | None:
        component = self.components.get(name) if isinstance(name, str) else None
        self._visits += 1
        if component is None:
            self.notes.add("dropped", f"{self._surface.id}.{name}", "no component has this id")
        elif (name, scope.base) in seen:
            self.notes.add("dropped", self.path(component), "the component contains itself")
        elif depth > DEPTH_MAX:
            self.notes.add("truncated", self.path(component), f"deeper than {DEPTH_MAX} levels")
        elif self._visits > VISITS_MAX or self._characters > CHARACTERS_MAX:
            self.notes.add("truncated", self._surface.id, "holds more than a card can say")
        else:
            return component
        return None

    def _bound(self, template: Component, scope: Scope) -> tuple[pointer.Tokens, list[str]] | None:
        """Where the list of a template is, and the keys of its entries; None without a list."""
        path = template.get("path", template.get("@path"))
        if not isinstance(path, str) or len(path) > PATH_MAX:
            return None
        place = pointer.locate(path, scope.base)
        entries = None if place is None else pointer.get(self.values.data, place)
        if place is None or not isinstance(entries, list | dict | None):
            return None
        # An object's values are entries too; it is what some servers send for a list.
        keys = entries if isinstance(entries, dict) else range(len(entries or ()))
        return place, list(map(str, keys))

    def _belong(self, first: int, cell: Cell) -> None:
        """Set the entry's name on the buttons that were added since `first`."""
        of = label(item_title(cell))
        for index in range(first, len(self.buttons)):
            each = self.buttons[index]
            self.buttons[index] = Button(action=each.action, of=each.of or of)
