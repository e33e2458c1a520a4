"""A surface's tree of components walked once, each giving its pieces in reading order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from voxcard.cards.dialects.a2ui import foreign, inputs, media, pointer
from voxcard.cards.dialects.a2ui.buttons import Button, button, icon_mark, icon_words
from voxcard.cards.dialects.a2ui.headings import headed
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.pieces import (
    Cell,
    Component,
    Done,
    Mark,
    Piece,
    Said,
    item_title,
    listed,
    row,
    words,
)
from voxcard.cards.dialects.a2ui.surfaces import ROOT, Surface
from voxcard.cards.dialects.a2ui.values import PATH_MAX, Scope, Values
from voxcard.cards.model import Action, DividerBlock, ImageBlock, MoreBlock
from voxcard.cards.text.markdown.document import document, plain
from voxcard.cards.text.sanitize import LIST_MAX, label
from voxcard.json_value import Json

DEPTH_MAX = 40
VISITS_MAX = 2000
CHARACTERS_MAX = 65_536
_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5}
_ENVELOPE = {"@catalogId", "@accessibility", "@metadata", "@checks"}
_TAB_LEVEL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The components above one, each with the data it was shown for, and how often the way
    branched."""

    seen: frozenset[tuple[str, pointer.Tokens]] = frozenset()
    depth: int = 0


class Render:
    """Walks one surface. `buttons` are its actions in order, `links` those that its texts hold,
    `secrets` the places in the data
    model that an obscured input holds. Cycles, depth and size are bounded, with notes."""

    def __init__(self, surface: Surface, values: Values, notes: Notes) -> None:
        self.buttons: list[Button] = []
        self.links: list[Action] = []
        self.secrets: set[pointer.Tokens] = set()
        self.values = values
        self.notes = notes
        self._surface = surface
        self._later: list[Piece] = []  # contents of modals, after the main pages
        self._visits = 0
        self._characters = 0
        self._left = 0  # entries of lists that are not shown

    def pieces(self) -> list[Piece]:
        """The pieces of the whole surface."""
        shown = [*words(self._child(ROOT, Scope(), Trail())), *self._later]
        return [*shown, Done(block=MoreBlock(count=self._left))] if self._left else shown

    def path(self, component: Component) -> str:
        return f"{self._surface.id}.{component.get('id', '')}"

    def text(self, component: Component, key: str, scope: Scope) -> str:
        """A property as text, taken from what may still be said."""
        text = self.values.text(component.get(key), scope, self.path(component))
        self._characters += len(text)
        return text

    def accessibility(self, component: Component, key: str, scope: Scope) -> str:
        own = component.get("accessibility", component.get("@accessibility"))
        value = own.get(key) if isinstance(own, dict) else None
        return label(self.values.text(value, scope, self.path(component))) if value else ""

    def _child(self, name: Json, scope: Scope, above: Trail) -> list[Piece]:
        """The pieces of one component; containers of a single child are walked through."""
        seen = above.seen
        while True:
            component = self._component(name, scope, seen, above.depth)
            if component is None:
                return []
            seen = seen | {(name, scope.base)}
            only = _only_child(component)
            if only is None:
                break
            name = only
        above = Trail(seen=seen, depth=above.depth + 1)
        kind = component.get("component")
        kind = kind if isinstance(kind, str) else ""
        for key in component if self._surface.marked else ():
            if key.startswith("@") and key not in _ENVELOPE:
                self.notes.add("dropped", self.path(component), "a key with @ that means nothing")
        if kind in _LEAVES:
            return _LEAVES[kind](self, component, scope)
        if kind in _HANDLERS:
            return _HANDLERS[kind](self, component, scope, above)
        self.notes.add("unknown", self.path(component), "a component that no card draws")
        return self._foreign(component, scope, above)

    def _foreign(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        """A component of another catalog: its words and links, its button, then its children."""
        below = foreign.children(component, self._surface.components)
        own = {
            key: self.values.resolve(value, scope, self.path(component))
            for key, value in foreign.properties(component).items()
            if key not in below
        }
        shown = list(foreign.pieces(own))
        name = next((piece.text for piece in shown if isinstance(piece, Said)), "")
        if isinstance(component.get("action"), dict):
            path = self.path(component)
            action = button(component, name, scope, self.values, self.notes, path)
            self.buttons += [Button(action=action)] if action else []
        self.buttons += [Button(action=link) for link in foreign.links(own, name)]
        for names in (names for several in below.values() for names in several):
            shown += self._column({**component, "children": names}, scope, above)
        self._characters += sum(len(piece.text) for piece in shown if isinstance(piece, Said))
        return shown

    def _component(
        self, name: Json, scope: Scope, seen: frozenset[tuple[str, pointer.Tokens]], depth: int
    ) -> Component | None:
        component = self._surface.components.get(name) if isinstance(name, str) else None
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

    def _column(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        children = component.get("children", component.get("child"))
        if isinstance(children, dict):
            return listed(self._template(children, component, scope, above))
        return [word for cell in self._children(component, scope, above) for word in words(cell)]

    def _row(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        if isinstance(component.get("children"), dict):
            return self._column(component, scope, above)
        return row(self._children(component, scope, above))

    def _list(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        """Entries; a heading or a whole section between them stands on its own."""
        if isinstance(component.get("children"), dict):
            return self._column(component, scope, above)
        shown: list[Piece] = []
        entries: list[Cell] = []
        for cell in self._children(component, scope, above):
            if len(cell) == 1 and isinstance(cell[0], Said) and cell[0].level:
                shown += [*listed(entries), *cell]
                entries = []
            else:
                entries.append(cell)
        return [*shown, *listed(entries)]

    def _children(self, component: Component, scope: Scope, above: Trail) -> Iterator[Cell]:
        children = component.get("children", component.get("child"))
        if isinstance(children, str):
            children = [children]
        if children is None:
            return
        if not isinstance(children, list):
            self.notes.add("dropped", self.path(component), "children must be a list of ids")
            return
        for name in children:
            yield tuple(self._child(name, scope, above))

    def _template(
        self, children: Component, component: Component, scope: Scope, above: Trail
    ) -> Iterator[Cell]:
        """One cell for each entry of the list that a template is bound to."""
        where = children.get("path", children.get("@path"))
        short = isinstance(where, str) and len(where) <= PATH_MAX
        place = pointer.locate(where, scope.base) if short else None
        entries = None if place is None else pointer.get(self.values.data, place)
        if place is None or not isinstance(entries, list | dict | None):
            self.notes.add("dropped", self.path(component), "a template without a list")
            return
        # An object's values are entries too; it is what some servers send for a list.
        keys = list(entries) if isinstance(entries, dict) else range(len(entries or ()))
        if len(keys) > LIST_MAX:
            self.notes.add("truncated", self.path(component), f"more than {LIST_MAX} entries")
            self._left += len(keys) - LIST_MAX
        for index, key in enumerate(keys[:LIST_MAX]):
            inside = Scope(base=(*place, str(key)), index=index)
            first = len(self.buttons)
            cell = tuple(self._child(children.get("componentId"), inside, above))
            self._belong(first, cell)
            yield cell

    def _belong(self, first: int, cell: Cell) -> None:
        """Buttons of an entry know its name."""
        of = label(item_title(cell))
        for index in range(first, len(self.buttons)):
            each = self.buttons[index]
            self.buttons[index] = Button(action=each.action, of=each.of or of)

    def _text(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        variant = component.get("variant")
        variant = variant if isinstance(variant, str) else ""
        text = self.accessibility(component, "label", scope) or self.text(component, "text", scope)
        if "](" in text or "://" in text:
            self.links += [link for link in document(text).links if not link.insecure]
        return list(headed(text, _LEVELS.get(variant, 0), caption=variant == "caption"))

    def _icon(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        spoken = self.accessibility(component, "label", scope)
        mark = icon_mark(self.values.text(component.get("name"), scope, self.path(component)))
        return [Said(text=spoken, aside=True)] if spoken else [Mark(text=mark)] if mark else []

    def _divider(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        return [Done(block=DividerBlock())]

    def _button(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        name = self._name(component, scope, above)
        path = self.path(component)
        action = button(component, name, scope, self.values, self.notes, path)
        if action:
            self.buttons.append(Button(action=action))
        return []

    def _name(self, component: Component, scope: Scope, above: Trail) -> str:
        """What is written on a button: its label for the ear, its child's words or its icon."""
        spoken = self.accessibility(component, "label", scope)
        if spoken:
            return spoken
        cell = self._child(component["child"], scope, above) if "child" in component else []
        shown = " ".join(filter(None, map(_shown, cell)))
        if shown:
            return shown
        icon = self._surface.components.get(str(component.get("child")), {})
        return icon_words(self.values.text(icon.get("name"), scope)) or self.text(
            component, "label", scope
        )

    def _tabs(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        tabs = component.get("tabs")
        shown: list[Piece] = []
        for tab in tabs if isinstance(tabs, list) else ():
            if isinstance(tab, dict):
                title = self.text({**tab, "id": component.get("id")}, "title", scope)
                shown.append(Said(text=label(title), level=_TAB_LEVEL, aside=True))
                shown += words(self._child(tab.get("child"), scope, above))
        return shown

    def _modal(self, component: Component, scope: Scope, above: Trail) -> list[Piece]:
        """The trigger becomes a heading, the content follows after everything else."""
        trigger = self._surface.components.get(str(component.get("trigger")), {})
        if trigger.get("component") == "Button":
            name = self._name(trigger, scope, above)
        else:
            cell = self._child(component.get("trigger"), scope, above)
            name = " ".join(piece.text for piece in cell if isinstance(piece, Said))
        content = words(self._child(component.get("content"), scope, above))
        if content:
            heading = [Said(text=label(name), level=_TAB_LEVEL, aside=True)] if name else []
            self._later += [*heading, *content]
        return []


def _shown(piece: Piece) -> str:
    """The words of a piece on a button."""
    if isinstance(piece, Done):
        return piece.block.image.alt if isinstance(piece.block, ImageBlock) else ""
    return plain(piece.text) if isinstance(piece, Said) else ""


def _only_child(component: Component) -> Json:
    """The id of the single child of a plain container, else None."""
    if component.get("component") not in ("Card", "Column", "Row"):
        return None
    children = component.get("children", component.get("child"))
    if isinstance(children, list):
        children = children[0] if len(children) == 1 else None
    return children if isinstance(children, str) else None


_LEAVES = {**inputs.INPUTS, **media.MEDIA}
_HANDLERS: dict[str, Callable[[Render, Component, Scope, Trail], list[Piece]]] = {
    "Text": Render._text,
    "Icon": Render._icon,
    "Divider": Render._divider,
    "Button": Render._button,
    "Card": Render._column,
    "Column": Render._column,
    "Row": Render._row,
    "List": Render._list,
    "Tabs": Render._tabs,
    "Modal": Render._modal,
}
