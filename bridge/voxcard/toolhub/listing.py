"""Reads a foreign tool list into ToolSpecs: cleaned, within limits, schemas parsed once."""

import difflib
import heapq
import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from voxwire.tool import SCOPE_KEY, SCOPES, SENTENCES_KEY

from voxcard.json_value import Json
from voxcard.text_safety import has_controls, safe_line, safe_text
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.schema import InputSchema, reader, size

PAGES_MAX = 100  # of a tools/list: a list that never ends must not hang the bridge
_WARNINGS_MAX = 40  # of one listing
_COMPARED = 200  # names; comparing two takes the product of their lengths
_NO_SCHEMA: Mapping[str, Json] = {"type": "object"}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a listing; what exceeds them is left out, cut or ignored, with one warning.

    `schema`, `meta` and their `total` are characters of JSON, `depth` its nesting.
    """

    tools: int
    total: int = 4_000_000  # of all tools together
    name: int = 128  # characters
    description: int = 2000  # characters
    schema: int = 100_000
    meta: int = 100_000
    depth: int = 64
    locales: int = 16
    sentences: int = 40  # of a tool, in each locale
    sentence: int = 300  # characters


SERVER = Limits(tools=1000)
DEVICE = Limits(tools=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A tool as it was listed; `name` is what its owner calls it, `destructive` see ToolSpec."""

    name: str
    description: str
    input_schema: Json
    scope: str
    meta: Json
    destructive: bool | None = None


class Listing:
    """The tools of one owner: a device, or a tool server (`prefix` is `<server>.`).

    `owner` names it in the log. A warning is logged when it is new, not at every reading.
    """

    def __init__(
        self, owner: str, *, source: str, prefix: str = "", limits: Limits = SERVER
    ) -> None:
        self._owner = owner
        self._source = source
        self._prefix = prefix
        self._limits = limits
        self._logged: frozenset[str] = frozenset()

    @property
    def tools_max(self) -> int:
        """More entries than these need not be fetched."""
        return self._limits.tools

    def read(self, entries: Iterable[Entry]) -> tuple[ToolSpec, ...]:
        """The usable ones of `entries`. Takes up to a second for hostile ones: in a thread."""
        reading = _Reading(self._source, self._prefix, self._limits)
        for entry in entries:
            reading.add(entry)
        warnings = tuple(reading.warnings())
        for warning in warnings:
            if warning not in self._logged:
                _log.warning("%s: %s", self._owner, warning)
        self._logged = frozenset(warnings)
        return tuple(reading.specs.values())


class _Reading:
    """One listing while it is read."""

    def __init__(self, source: str, prefix: str, limits: Limits) -> None:
        self.specs: dict[str, ToolSpec] = {}
        self._source = source
        self._prefix = prefix
        self._limits = limits
        self._left = limits.total
        self._budget = reader.Budget()
        self._faults: dict[str, tuple[str, int]] = {}  # text -> first tool, how many

    def add(self, entry: Entry) -> None:
        """Take in one tool, or say why not."""
        name, limits = entry.name, self._limits
        if len(self.specs) == limits.tools:
            self._fault(name, f"left out: more than {limits.tools} tools are listed")
        elif not name or len(name) > limits.name or has_controls(name) or name != name.strip():
            self._fault(name, f"left out: a name has 1 to {limits.name} printable characters")
        elif self._prefix + name in self.specs:
            self._fault(name, "listed twice, of which the first counts")
        else:
            self.specs[self._prefix + name] = self._spec(entry)

    def warnings(self) -> Iterator[str]:
        """What is wrong, a line for each kind of fault."""
        for text, (name, count) in list(self._faults.items())[:_WARNINGS_MAX]:
            others = f" and {count - 1} more" if count > 1 else ""
            yield f"tool {name}{others}: {text}"
        if len(self._faults) > _WARNINGS_MAX:
            yield f"{len(self._faults) - _WARNINGS_MAX} more kinds of faults"

    def _spec(self, entry: Entry) -> ToolSpec:
        input_schema = self._input_schema(entry)
        schema = reader.read(input_schema, self._budget)
        for problem in schema.unchecked:
            self._fault(entry.name, f"{problem}; any text is taken")
        meta = self._meta(entry)
        return ToolSpec(
            name=self._prefix + entry.name,
            description=self._description(entry),
            input_schema=input_schema,
            source=self._source,
            scope=entry.scope,
            sentences=self._sentences(entry.name, meta, schema),
            meta=meta,
            destructive=entry.destructive,
            schema=schema,
        )

    def _description(self, entry: Entry) -> str:
        longest = self._limits.description
        if len(entry.description) > longest:
            self._fault(entry.name, f"description cut to {longest} characters")
        return safe_text(entry.description[:longest]).strip()

    def _input_schema(self, entry: Entry) -> Mapping[str, Json]:
        schema, limits = entry.input_schema, self._limits
        longest = min(limits.schema, self._left)
        characters = size.characters(schema, longest=longest, depth_max=limits.depth)
        if not isinstance(schema, Mapping) or characters is None or not _is_encodable(schema):
            text = (
                f"inputSchema is no object, or has more than {limits.schema} characters"
                f" ({limits.total} of all tools) or {limits.depth} levels, or half characters;"
                " its arguments are not checked"
            )
            self._fault(entry.name, text)
            return _NO_SCHEMA
        self._left -= characters
        return schema

    def _meta(self, entry: Entry) -> Mapping[str, Json]:
        limits = self._limits
        if not isinstance(entry.meta, Mapping):
            return {}
        longest = min(limits.meta, self._left)
        characters = size.characters(entry.meta, longest=longest, depth_max=limits.depth)
        if characters is None:
            text = f"_meta has more than {limits.meta} characters or {limits.depth} levels"
            self._fault(entry.name, f"{text}; it is not used")
            return {}
        self._left -= characters
        return entry.meta

    def _sentences(
        self, name: str, meta: Mapping[str, Json], schema: InputSchema
    ) -> dict[str, tuple[str, ...]]:
        """The templates that can be used, by locale; none of a tool whose schema is unclear."""
        sentences = dict(self._templates(name, meta.get(SENTENCES_KEY)))
        if sentences and schema.problems:
            self._fault(name, f"{schema.problems[0]}; its sentences are not used")
            return {}
        return sentences

    def _templates(self, name: str, table: Json) -> Iterator[tuple[str, tuple[str, ...]]]:
        limits = self._limits
        if not isinstance(table, Mapping):
            return
        for locale, templates in list(table.items())[: limits.locales]:
            if not isinstance(templates, list) or has_controls(locale):
                continue
            texts = [each for each in templates if isinstance(each, str)]
            usable = [safe_line(each) for each in texts if len(each) <= limits.sentence]
            if len(usable) > limits.sentences or len(usable) < len(texts):
                text = f"at most {limits.sentences} sentences of {limits.sentence} characters"
                self._fault(name, f"{text} are used; the others are not")
            yield locale, tuple(usable[: limits.sentences])

    def _fault(self, name: str, text: str) -> None:
        first, count = self._faults.get(text, (safe_line(name, 60) or '""', 0))
        self._faults[text] = first, count + 1


def no_such_tool(name: str, names: Iterable[str]) -> str:
    """A sentence with the nearest name. Takes tens of ms among thousands: in a thread."""
    name = safe_line(name, 60)
    letters = Counter(name)

    def unlike(each: str) -> int:
        """How many letters one name has and the other has not."""
        own = Counter(each)
        return (own - letters).total() + (letters - own).total()

    alike = heapq.nsmallest(_COMPARED, names, key=unlike)
    near = difflib.get_close_matches(name, alike, n=1)
    hint = f"Did you mean {near[0]}?" if near else "List them with: voxcard tool list"
    return f"There is no tool {name}. {hint}"


def scope(meta: Json) -> str:
    """The scope a tool's `_meta` asks for; `ai` when it asks for none that exists."""
    wanted = meta.get(SCOPE_KEY) if isinstance(meta, Mapping) else None
    return wanted if isinstance(wanted, str) and wanted in SCOPES else "ai"


def is_for_apps_only(meta: Json) -> bool:
    """Whether only the tool's own user interface may call it (MCP Apps, `_meta.ui.visibility`)."""
    ui = meta.get("ui") if isinstance(meta, Mapping) else None
    visibility = ui.get("visibility") if isinstance(ui, Mapping) else None
    return isinstance(visibility, list) and bool(visibility) and "model" not in visibility


def _is_encodable(schema: Mapping[str, Json]) -> bool:
    """Whether it has a JSON form in UTF-8: it goes to models, programs and terminals."""
    try:
        json.dumps(schema, ensure_ascii=False).encode()
    except (ValueError, TypeError):  # half of a surrogate pair, a number of over 4300 digits
        return False
    return True
