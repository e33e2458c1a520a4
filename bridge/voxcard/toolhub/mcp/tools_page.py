"""Repairs a page of `tools/list`, so that a bad entry costs that entry alone.

The SDK refuses the whole page for one entry that the types of its revision do not allow. It also
checks results against each `outputSchema`, with Python's `re` and on the event loop: that schema
is taken out, so results are not checked.
"""

from collections.abc import Mapping

from voxcard.json_value import Json
from voxcard.toolhub.listing import Entry, scope
from voxcard.toolhub.schema import size

SCHEMA_KEY = "voxcard/inputSchema"  # in `_meta`: what stood there, where the SDK would refuse it
_HINTS = ("readOnlyHint", "destructiveHint")
# What the SDK copies without trouble; a listing has narrower limits.
_CHARACTERS_MAX = 4_000_000
_DEPTH_MAX = 200
_ANY: Mapping[str, Json] = {"type": "object"}


def is_page(result: Json) -> bool:
    """Whether a JSON-RPC result is one of `tools/list`, and not of a call."""
    return isinstance(result, dict) and "tools" in result and "content" not in result


def admissible(page: Mapping[str, Json], tools_max: int) -> dict[str, Json]:
    """`page` with at most `tools_max` entries, each as the SDK takes it."""
    tools = page["tools"] if isinstance(page["tools"], list) else []
    kept = {**page, "tools": [_tool(each) for each in tools[:tools_max]]}
    if not isinstance(page.get("nextCursor"), str):
        kept.pop("nextCursor", None)
    return kept


def entry(name: str, description: str, input_schema: Json, meta: Json) -> Entry:
    """A tool of an admissible page, with the schema that its server wrote."""
    meta = dict(meta or {})
    return Entry(
        name=name,
        description=description,
        input_schema=meta.pop(SCHEMA_KEY, input_schema),
        scope=scope(meta),
        meta=meta,
    )


def _tool(source: Json) -> dict[str, Json]:
    """An entry that is no tool becomes one without a name, which the listing reports."""
    if size.characters(source, longest=_CHARACTERS_MAX, depth_max=_DEPTH_MAX) is None:
        name = source.get("name") if isinstance(source, dict) else None
        source = {"name": name, "inputSchema": "too large"}
    source = source if isinstance(source, dict) else {}
    name, schema, meta = (source.get(key) for key in ("name", "inputSchema", "_meta"))
    meta = meta if isinstance(meta, dict) else {}
    if not _is_schema(schema):
        schema, meta = _ANY, {**meta, SCHEMA_KEY: schema}
    hints = _hints(source.get("annotations"))
    texts = {key: source[key] for key in ("title", "description") if _is_text(source.get(key))}
    return {
        "name": name if _is_text(name) else "",
        "inputSchema": schema,
        "_meta": meta,
        **({"annotations": hints} if hints else {}),
        **texts,
    }


def _hints(annotations: Json) -> dict[str, Json]:
    """What of a tool's annotations the bridge asks for, as the SDK takes it."""
    table = annotations if isinstance(annotations, dict) else {}
    return {key: table[key] for key in _HINTS if isinstance(table.get(key), bool)}


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_schema(schema: Json) -> bool:
    """Whether every revision of the protocol allows it."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    properties, required = schema.get("properties", {}), schema.get("required", [])
    return (
        isinstance(schema.get("$schema", ""), str)
        and isinstance(properties, dict)
        and all(isinstance(each, dict | bool) for each in properties.values())
        and isinstance(required, list)
        and all(isinstance(each, str) for each in required)
    )
