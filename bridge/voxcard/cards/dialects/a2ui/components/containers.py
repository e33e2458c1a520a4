"""A2UI components that hold others: layouts, lists, tabs, modals, and a button's own words."""

from collections.abc import Callable

from voxcard.cards.dialects.a2ui.buttons import Button, button
from voxcard.cards.dialects.a2ui.components import foreign
from voxcard.cards.dialects.a2ui.components.texts import icon_words
from voxcard.cards.dialects.a2ui.components.walk import Trail, Walk
from voxcard.cards.dialects.a2ui.pieces import (
    Cell,
    Component,
    Done,
    Piece,
    Said,
    listed,
    row,
    words,
)
from voxcard.cards.dialects.a2ui.values import Scope
from voxcard.cards.model import ImageBlock
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.sanitize import label

_TAB_LEVEL = 3


def only_child(component: Component) -> str | None:
    """The id of the single child of a plain container, else None."""
    if component.get("component") not in ("Card", "Column", "Row"):
        return None
    children = component.get("children", component.get("child"))
    if isinstance(children, list):
        children = children[0] if len(children) == 1 else None
    return children if isinstance(children, str) else None


def unknown(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    """A component of another catalog: its words and links, its button, then its children."""
    below = foreign.children(component, walk.components)
    own = {
        key: walk.values.resolve(value, scope, walk.path(component))
        for key, value in foreign.properties(component).items()
        if key not in below
    }
    shown = list(foreign.pieces(own))
    name = next((piece.text for piece in shown if isinstance(piece, Said)), "")
    if isinstance(component.get("action"), dict):
        _add_button(walk, component, scope, name)
    walk.buttons += [Button(action=link) for link in foreign.links(own, name)]
    for names in (names for several in below.values() for names in several):
        shown += _column(walk, {**component, "children": names}, scope, above)
    walk.count(shown)
    return shown


def _column(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    children = component.get("children", component.get("child"))
    if isinstance(children, dict):
        return listed(walk.entries(children, component, scope, above))
    return [word for cell in walk.children(component, scope, above) for word in words(cell)]


def _row(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    if isinstance(component.get("children"), dict):
        return _column(walk, component, scope, above)
    return row(walk.children(component, scope, above))


def _list(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    """Entries; a heading or a whole section between them stands on its own."""
    if isinstance(component.get("children"), dict):
        return _column(walk, component, scope, above)
    shown: list[Piece] = []
    entries: list[Cell] = []
    for cell in walk.children(component, scope, above):
        if len(cell) == 1 and isinstance(cell[0], Said) and cell[0].level:
            shown += [*listed(entries), *cell]
            entries = []
        else:
            entries.append(cell)
    return [*shown, *listed(entries)]


def _button(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    _add_button(walk, component, scope, _name(walk, component, scope, above))
    return []


def _add_button(walk: Walk, component: Component, scope: Scope, name: str) -> None:
    action = button(component, name, scope, walk.values, walk.notes, walk.path(component))
    if action:
        walk.buttons.append(Button(action=action))


def _name(walk: Walk, component: Component, scope: Scope, above: Trail) -> str:
    """What is written on a button: its label for the ear, its child's words or its icon."""
    spoken = walk.accessibility(component, "label", scope)
    if spoken:
        return spoken
    cell = walk.child(component["child"], scope, above) if "child" in component else []
    shown = " ".join(filter(None, map(_shown, cell)))
    if shown:
        return shown
    icon = walk.components.get(str(component.get("child")), {})
    icon_name = walk.values.text(icon.get("name"), scope)
    return icon_words(icon_name) or walk.text(component, "label", scope)


def _shown(piece: Piece) -> str:
    """The words of a piece on a button."""
    if isinstance(piece, Done):
        return piece.block.image.alt if isinstance(piece.block, ImageBlock) else ""
    return plain(piece.text) if isinstance(piece, Said) else ""


def _tabs(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    tabs = component.get("tabs")
    shown: list[Piece] = []
    for tab in tabs if isinstance(tabs, list) else ():
        if isinstance(tab, dict):
            title = walk.text({**tab, "id": component.get("id")}, "title", scope)
            shown.append(Said(text=label(title), level=_TAB_LEVEL, aside=True))
            shown += words(walk.child(tab.get("child"), scope, above))
    return shown


def _modal(walk: Walk, component: Component, scope: Scope, above: Trail) -> list[Piece]:
    """The trigger becomes a heading, the content follows after everything else."""
    trigger = walk.components.get(str(component.get("trigger")), {})
    if trigger.get("component") == "Button":
        name = _name(walk, trigger, scope, above)
    else:
        cell = walk.child(component.get("trigger"), scope, above)
        name = " ".join(piece.text for piece in cell if isinstance(piece, Said))
    content = words(walk.child(component.get("content"), scope, above))
    if content:
        heading = [Said(text=label(name), level=_TAB_LEVEL, aside=True)] if name else []
        walk.later += [*heading, *content]
    return []


CONTAINERS: dict[str, Callable[[Walk, Component, Scope, Trail], list[Piece]]] = {
    "Button": _button,
    "Card": _column,
    "Column": _column,
    "Row": _row,
    "List": _list,
    "Tabs": _tabs,
    "Modal": _modal,
}
