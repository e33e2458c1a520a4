"""JSON Pointers into a surface's data model (RFC 6901, with A2UI's relative paths)."""

from itertools import pairwise

from voxcard.cards.text.sanitize import DEPTH_MAX, LIST_MAX
from voxcard.json_value import Json

Tokens = tuple[str, ...]


def tokens(path: str) -> Tokens:
    """The unescaped segments; empty ones count for nothing, so `/` and `` are the whole."""
    parts = (part for part in path.split("/") if part and part != ".")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def locate(path: str, base: Tokens) -> Tokens:
    """The absolute place of `path`: from the root with a leading slash, else from `base`."""
    return tokens(path) if path.startswith("/") else base + tokens(path)


def get(data: Json, place: Tokens) -> Json:
    """The value at `place`, or None where there is none. A token such as `chart.items` leads
    through an object as well, where no key is called so: v0.8's own samples are written so."""
    for token in place:
        if isinstance(data, dict):
            data = _dotted(data, token) if "." in token and token not in data else data.get(token)
        elif isinstance(data, list):
            index = _index(token)
            data = data[index] if index is not None and index < len(data) else None
        else:
            return None
    return data


def _dotted(data: Json, token: str) -> Json:
    for part in token.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data


def put(data: Json, place: Tokens, value: Json) -> Json:
    """`data` with `value` at `place`, changed in its own objects; missing parents are made.

    Raises ValueError where a value of another kind stands in the way or the place is too far."""
    if not place:
        return value
    if len(place) > DEPTH_MAX:
        raise ValueError(f"is deeper than {DEPTH_MAX} levels")
    root = data if isinstance(data, dict | list) else _parent(data, place[0])
    at = root
    for token, following in pairwise(place):
        child = get(at, (token,))
        if not isinstance(child, dict | list):
            child = _parent(child, following)
            _set(at, token, child)
        at = child
    _set(at, place[-1], value)
    return root


def remove(data: Json, place: Tokens) -> Json:
    """`data` without the value at `place`; an entry of a list becomes empty, as A2UI asks."""
    if not place:
        return {}
    parent = get(data, place[:-1])
    if isinstance(parent, dict):
        parent.pop(place[-1], None)
    elif isinstance(parent, list):
        index = _index(place[-1])
        if index is not None and index < len(parent):
            parent[index] = None
    return data


def _parent(value: Json, token: str) -> Json:
    if value is not None:
        raise ValueError("leads through a value that is no object")
    return [] if _index(token) is not None else {}


def _set(parent: Json, token: str, value: Json) -> None:
    if isinstance(parent, dict):
        parent[token] = value
        return
    index = _index(token)
    if index is None:
        raise ValueError("names an entry of a list by something that is no number")
    if index >= LIST_MAX:
        raise ValueError(f"is entry {index} of a list, the limit is {LIST_MAX}")
    parent.extend([None] * (index + 1 - len(parent)))
    parent[index] = value


def _index(token: str) -> int | None:
    return int(token) if token.isascii() and token.isdecimal() and len(token) < 9 else None
