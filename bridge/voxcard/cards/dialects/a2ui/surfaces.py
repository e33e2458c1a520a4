"""The replay of A2UI's four messages: which surfaces live, with which components and data."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.messages import IGNORED, KINDS
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.json_value import Json

ROOT = "root"
SURFACES_MAX = 20
COMPONENTS_MAX = 2000
# How a version spells bindings. 0.10 is the draft that became 1.0, still with plain keys.
_MARKED = {"0.9": False, "0.9.1": False, "0.10": False, "1.0": True}
_WITHOUT_VERSION = "0.9"


@dataclass
class Surface:
    """One surface while messages are replayed.

    `marked` tells the binding keys apart: `@path` and `@call` (v1.0) or `path` and `call`."""

    id: str
    marked: bool
    components: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    data: Json = field(default_factory=dict)
    whole: bool = False  # its components came with the message that created it


def replay(messages: list[Mapping[str, Json]], notes: Notes) -> list[Surface]:
    """The surfaces alive after `messages`, in the order they were created (R001-70)."""
    alive: dict[str, Surface] = {}
    for message in messages:
        version = message.get("version", _WITHOUT_VERSION)
        name = version.strip().lower().removeprefix("v") if isinstance(version, str) else ""
        if name not in _MARKED:
            notes.add("unknown", "version", "is none of v0.9, v0.9.1 and v1.0")
            continue
        kinds = [kind for kind in KINDS if kind in message]
        if not kinds and not any(kind in message for kind in IGNORED):
            notes.add("unknown", "messages", "holds none of A2UI's messages")
        for kind in kinds:
            body = message[kind]
            surface_id = body.get("surfaceId") if isinstance(body, dict) else None
            if isinstance(surface_id, str) and surface_id:
                _APPLY[kind](alive, surface_id, body, _MARKED[name], notes)
            else:
                notes.add("dropped", f"{kind}.surfaceId", "must be text")
    for surface in alive.values():
        surface.marked = surface.marked and not _is_draft(surface)
    return list(alive.values())


def _is_draft(surface: Surface) -> bool:
    """Whether a surface of v1.0 binds as its drafts did, with plain keys.

    v1.0 has `@` before what binds, so plain keys are data (R001-77). A surface without any `@`
    that was sent in parts, or holds several paths that all lead somewhere, is of a draft."""
    keys: set[str] = set()
    paths: set[str] = set()
    listed = False
    values: list[Json] = list(surface.components.values())
    for value in values:
        if isinstance(value, list):
            values += value
        elif isinstance(value, dict):
            keys |= {key for key in value if key.startswith("@")}
            listed = listed or "componentId" in value
            if set(value) == {"path"} and isinstance(value["path"], str):
                paths.add(value["path"])
            values += value.values()
    known = {
        path
        for path in paths
        if (listed and not path.startswith("/"))
        or pointer.get(surface.data, pointer.tokens(path)) is not None
    }
    return not keys and bool(known) and (not surface.whole or len(known) > 1)


def _create(
    alive: dict[str, Surface], name: str, body: Mapping[str, Json], marked: bool, notes: Notes
) -> None:
    if name in alive:
        notes.add("dropped", name, "the surface exists already; the first is kept")
    elif len(alive) == SURFACES_MAX:
        notes.add("truncated", name, f"more than {SURFACES_MAX} surfaces")
    else:
        surface = alive[name] = Surface(id=name, marked=marked)
        if body.get("dataModel") is not None:
            surface.data = deepcopy(body["dataModel"])
        if body.get("components") is not None:
            surface.whole = True
            _add(surface, body["components"], notes)


def _components(
    alive: dict[str, Surface], name: str, body: Mapping[str, Json], marked: bool, notes: Notes
) -> None:
    surface = _known(alive, name, notes)
    if surface:
        _add(surface, body.get("components"), notes)


def _add(surface: Surface, components: Json, notes: Notes) -> None:
    path = f"{surface.id}.components"
    if not isinstance(components, list):
        notes.add("dropped", path, "components must be a list")
        return
    for component in components:
        name = component.get("id") if isinstance(component, dict) else None
        if not isinstance(name, str) or not name:
            notes.add("dropped", path, "a component must be an object with an id")
        elif name not in surface.components and len(surface.components) == COMPONENTS_MAX:
            notes.add("truncated", path, f"more than {COMPONENTS_MAX} components")
            return
        else:
            surface.components[name] = _flat(component)


def _flat(component: Mapping[str, Json]) -> Mapping[str, Json]:
    """A component with its properties beside its kind; some servers keep them in `props`."""
    kind, props = component.get("component", component.get("type")), component.get("props")
    if not isinstance(kind, str) or not isinstance(props, dict):
        return component
    own = {key: value for key, value in component.items() if key not in ("type", "props")}
    return {**props, **own, "component": kind}


def _data(
    alive: dict[str, Surface], name: str, body: Mapping[str, Json], marked: bool, notes: Notes
) -> None:
    """Put or remove one value: v1.0 removes with null, v0.9 by leaving `value` out."""
    surface = _known(alive, name, notes)
    path = body.get("path", "/")
    if surface is None or not isinstance(path, str):
        if surface:
            notes.add("dropped", f"{name}.updateDataModel.path", "must be text")
        return
    place = pointer.tokens(path)
    if "value" not in body or (surface.marked and body["value"] is None):
        surface.data = pointer.remove(surface.data, place)
        return
    try:
        surface.data = pointer.put(surface.data, place, deepcopy(body["value"]))
    except ValueError as error:
        notes.add("dropped", f"{name}.updateDataModel.path", str(error))


def _delete(
    alive: dict[str, Surface], name: str, body: Mapping[str, Json], marked: bool, notes: Notes
) -> None:
    alive.pop(name, None)


def _known(alive: dict[str, Surface], name: str, notes: Notes) -> Surface | None:
    if name not in alive:
        notes.add("dropped", name, "no surface of this name was created")
    return alive.get(name)


_APPLY: dict[str, Callable[[dict[str, Surface], str, Mapping[str, Json], bool, Notes], None]] = {
    "createSurface": _create,
    "updateComponents": _components,
    "updateDataModel": _data,
    "deleteSurface": _delete,
}
