"""What a tool says about itself in `tools/list`, beyond its name and schema."""

from collections.abc import Mapping, Sequence

from voxwire.tool import SCOPE_KEY, SCOPES, SENTENCES_KEY

from voxcard.json_value import Json

PAGES_MAX = 100  # of a tools/list: a list that never ends must not hang the bridge


def sentences(meta: Json) -> dict[str, Sequence[str]]:
    """The hassil templates in a tool's `_meta`, by locale; anything else is left out."""
    table = meta.get(SENTENCES_KEY) if isinstance(meta, Mapping) else None
    if not isinstance(table, Mapping):
        return {}
    return {
        locale: tuple(template for template in templates if isinstance(template, str))
        for locale, templates in table.items()
        if isinstance(locale, str) and isinstance(templates, list)
    }


def scope(meta: Json) -> str:
    """The scope a tool's `_meta` asks for; `ai` when it asks for none that exists."""
    wanted = meta.get(SCOPE_KEY) if isinstance(meta, Mapping) else None
    return wanted if isinstance(wanted, str) and wanted in SCOPES else "ai"


def is_for_apps_only(meta: Json) -> bool:
    """Whether only the tool's own user interface may call it (MCP Apps, `_meta.ui.visibility`)."""
    ui = meta.get("ui") if isinstance(meta, Mapping) else None
    visibility = ui.get("visibility") if isinstance(ui, Mapping) else None
    return isinstance(visibility, list) and bool(visibility) and "model" not in visibility
