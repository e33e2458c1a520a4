"""A2UI v0.8 in the messages of v0.9, which the rest reads: where the two differ is in tables."""

from collections.abc import Iterator, Mapping

from voxcard.cards.text.sanitize import DEPTH_MAX
from voxcard.json_value import Json

Message = Mapping[str, Json]

KINDS = ("surfaceUpdate", "dataModelUpdate", "beginRendering")
ENTRIES_MAX = 10_000  # of one data model update
_VERSION = "v0.9"
_ROOT = "root"
_UNNAMED = "main"  # a surface that no message names: the only one of a stream

# The properties that v0.9 calls otherwise; a component that is not here keeps its names.
_NAMES: Mapping[str, Mapping[str, str]] = {
    "Text": {"usageHint": "variant"},
    "Image": {"usageHint": "variant", "altText": "description"},
    "Video": {"thumbnailUrl": "posterUrl"},
    "Tabs": {"tabItems": "tabs"},
    "Modal": {"entryPointChild": "trigger", "contentChild": "content"},
    "TextField": {"text": "value", "textFieldType": "variant", "type": "variant"},
    "MultipleChoice": {"selections": "value"},
    "Slider": {"minValue": "min", "maxValue": "max"},
}
_TYPES = {"MultipleChoice": "ChoicePicker", "Heading": "Text"}
LITERALS = ("literalString", "literalNumber", "literalBoolean", "literalArray")
_LITERALS = (*LITERALS, "literal")
_VALUES = ("valueString", "valueNumber", "valueBoolean", "valueNull", "value")
_NESTED = ("valueMap", "valueList", "valueArray")


class Translation:
    """Translates messages one after the other. v0.8 names a surface before it is rendered, and
    its root when it is."""

    def __init__(self) -> None:
        self._surfaces: set[str] = set()
        self._early: dict[str, list[Message]] = {}  # data of surfaces that nothing named yet

    def messages(self, message: Message) -> Iterator[Message]:
        """What a message of v0.8 is in v0.9; any other message as it is."""
        if not any(kind in message for kind in KINDS):
            body = message.get("deleteSurface")
            if isinstance(body, dict):
                self._surfaces.discard(str(body.get("surfaceId")))
            yield _known_version(message)
            return
        for kind in KINDS:
            body = message.get(kind)
            if isinstance(body, dict) and isinstance(body.get("surfaceId", _UNNAMED), str):
                yield from self._translated(kind, body)
            elif kind in message:
                yield {"version": _VERSION, "updateComponents": None}  # is noted as dropped

    def rest(self) -> Iterator[Message]:
        """Data of surfaces that no message of these creates."""
        for updates in self._early.values():
            yield from updates
        self._early.clear()

    def _translated(self, kind: str, body: Message) -> Iterator[Message]:
        surface = str(body.get("surfaceId", _UNNAMED))
        if kind == "dataModelUpdate":
            updates = _data(surface, body)
            if surface in self._surfaces:
                yield from updates
            else:
                self._early.setdefault(surface, []).extend(updates)
            return
        if surface not in self._surfaces:
            self._surfaces.add(surface)
            yield {"version": _VERSION, "createSurface": {"surfaceId": surface}}
            yield from self._early.pop(surface, ())
        components = [_root(body)] if kind == "beginRendering" else _components(body)
        if components and components != [None]:
            update = {"surfaceId": surface, "components": components}
            yield {"version": _VERSION, "updateComponents": update}


def _known_version(message: Message) -> Message:
    named = str(message.get("version", "")).lower().removeprefix("v")
    return {**message, "version": _VERSION} if named == "0.8" else message


def _root(body: Message) -> Json:
    """The root of v0.9 around the component that v0.8 begins with, when that is another one."""
    name = body.get("root")
    if not isinstance(name, str) or name == _ROOT:
        return None
    return {"id": _ROOT, "component": "Column", "children": [name]}


def _components(body: Message) -> Json:
    components = body.get("components")
    if not isinstance(components, list):
        return components
    return [_component(component) for component in components]


def _component(entry: Json) -> Json:
    """`{"id", "component": {"Text": {...}}}` as `{"id", "component": "Text", ...}`; one that is
    written so already keeps its names and values of v0.8."""
    if not isinstance(entry, dict):
        return entry
    nested = entry.get("component")
    if isinstance(nested, str):
        nested = {nested: {key: entry[key] for key in entry if key not in ("id", "component")}}
    if not isinstance(nested, dict) or not nested:
        return entry
    kind, properties = next(iter(nested.items()))
    properties = properties if isinstance(properties, dict) else {}
    names = _NAMES.get(kind, {})
    component = {names.get(key, key): _plain(value, 0) for key, value in properties.items()}
    component |= {"id": entry.get("id"), "component": _TYPES.get(kind, kind)}
    if "children" in properties:
        component["children"] = _children(properties["children"])
    if kind == "Button" and properties.get("primary") is True:
        component["variant"] = "primary"
    action = properties.get("action")
    if isinstance(action, dict) and "name" in action:
        component["action"] = {"event": _event(action)}
    return component


def _plain(value: Json, depth: int) -> Json:
    """A value without its `literal…` wrapper, at any depth; bindings stay."""
    if depth > DEPTH_MAX:
        return None
    if isinstance(value, list):
        return [_plain(entry, depth + 1) for entry in value]
    if not isinstance(value, dict):
        return value
    literal = next((key for key in _LITERALS if key in value), None)
    if literal and not isinstance(value.get("path"), str):
        return value[literal]
    if literal:  # what the data model holds at first
        return {"path": value["path"], "default": value[literal]}
    return {key: _plain(item, depth + 1) for key, item in value.items()}


def _children(children: Json) -> Json:
    if not isinstance(children, dict):
        return children
    template = children.get("template")
    if isinstance(template, dict):
        return {"componentId": template.get("componentId"), "path": template.get("dataBinding")}
    return children.get("explicitList", children)


def _event(action: Message) -> Message:
    """An action, its context as an object instead of a list of keys and values."""
    context = action.get("context")
    pairs = context if isinstance(context, list) else []
    known = {
        str(pair["key"]): _plain(pair.get("value"), 0)
        for pair in pairs
        if isinstance(pair, dict) and "key" in pair
    }
    return {"name": action.get("name"), "context": known or context}


def _data(surface: str, body: Message) -> list[Message]:
    """The whole data model without a path; else one update for each entry below it."""
    path = body.get("path")
    base = path.strip("/ ") if isinstance(path, str) else ""
    contents = _contents(body.get("contents"), 0)
    if not base or not isinstance(contents, dict):
        return [_update(surface, base, contents)]
    return [_update(surface, f"{base}/{_escaped(key)}", value) for key, value in contents.items()]


def _update(surface: str, path: str, value: Json) -> Message:
    body = {"surfaceId": surface, "path": "/" + path.lstrip("/"), "value": value}
    return {"version": _VERSION, "updateDataModel": body}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _contents(contents: Json, depth: int) -> Json:
    """A list of typed entries, `{"key": "a", "valueString": "b"}`, as an object; as a list where
    the keys are "0", "1" and so on, which is how v0.8 sends one."""
    if not isinstance(contents, list) or depth > DEPTH_MAX:
        return contents
    entries = [content for content in contents[:ENTRIES_MAX] if isinstance(content, dict)]
    if not entries or not any("key" in entry for entry in entries):
        return [
            _value(content, depth) if isinstance(content, dict) else content
            for content in contents
        ]
    values = {str(entry["key"]): _value(entry, depth) for entry in entries if "key" in entry}
    is_list = depth > 0 and list(values) == [str(index) for index in range(len(values))]
    return list(values.values()) if is_list else values


def _value(entry: Message, depth: int) -> Json:
    for key in _NESTED:
        if key in entry:
            return _contents(entry[key], depth + 1)
    return next((entry[key] for key in _VALUES if key in entry), entry)
