"""Reads a foreign `inputSchema` into the plain form, in bounded time and memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from voxcard.json_value import Json
from voxcard.text_safety import has_controls, safe_line
from voxcard.toolhub import patterns
from voxcard.toolhub.schema import Argument, InputSchema, Problem, keywords, shown
from voxcard.toolhub.schema.combination import NoValueError, both, either
from voxcard.toolhub.schema.keywords import KeywordError

ARGUMENTS_MAX = 100
NAME_MAX = 128  # characters of an argument's name
NODES_MAX = 2000  # schemas looked at for one tool, each time a $ref leads there
DEPTH_MAX = 16  # of $ref, anyOf, oneOf and allOf inside each other
ITEMS_DEPTH_MAX = 2  # of arrays inside arrays
_ENTRIES_A_NODE = 20  # of an enum, or of properties; they cost what a schema costs


class Budget:
    """What may be spent on the schemas of one listing."""

    def __init__(self, *, nodes: int = 100_000, patterns: int = 200) -> None:
        self.nodes = nodes  # schemas looked at
        self.patterns = patterns  # each takes up to 50 ms to be compiled


def read(source: Json, budget: Budget | None = None) -> InputSchema:
    """The plain form of an `inputSchema`; never raises, never takes long."""
    reader = _Reader(source, budget or Budget())
    try:
        table, required = reader.properties()
    except KeywordError as error:
        return InputSchema(problems=(Problem(argument="", text=str(error)),))
    arguments: dict[str, Argument] = {}
    problems = list(_too_many(table))
    for name, each in list(table.items())[:ARGUMENTS_MAX]:
        if each is False:
            continue  # the argument may not be given
        try:
            argument = reader.argument(name, each)
        except (NoValueError, KeywordError) as error:
            problems.append(Problem(argument=_label(name), text=str(error)))
            continue
        arguments[name] = replace(argument, name=name, required=name in required)
    return InputSchema(
        names=tuple(table),
        arguments=arguments,
        problems=tuple(problems),
        unchecked=tuple(reader.unchecked),
    )


def read_value(source: Json, root: Json) -> Argument:
    """The plain form of one schema inside `root`; of kind `any` where it cannot be read."""
    try:
        return _Reader(root, Budget()).argument("value", source)
    except (KeywordError, NoValueError):
        return Argument()


def _label(name: str) -> str:
    """The name of an argument in a sentence."""
    return shown(name) if has_controls(name) or not name else safe_line(name, 40)


def _too_many(table: Mapping[str, Json]) -> Iterator[Problem]:
    if len(table) > ARGUMENTS_MAX:
        text = f"it has {len(table)} arguments, of which {ARGUMENTS_MAX} are read"
        yield Problem(argument="", text=text)


class _Reader:
    """Reads what is inside one root schema, to which `$ref` leads."""

    def __init__(self, root: Json, budget: Budget) -> None:
        self._root = root
        self._budget = budget
        self._left = NODES_MAX
        self._name = ""
        self.unchecked: list[Problem] = []

    def properties(self) -> tuple[dict[str, Json], frozenset[str]]:
        """Every argument's schema, and the names of those that must be given."""
        table: dict[str, Json] = {}
        required: set[str] = set()
        for part in self._parts(self._root, DEPTH_MAX):
            if not isinstance(part, Mapping):
                raise KeywordError("inputSchema is no object")
            properties, names = part.get("properties", {}), part.get("required", [])
            if not isinstance(properties, Mapping):
                raise KeywordError("properties is no object")
            if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
                raise KeywordError("required is no list of names")
            self._spend(0, (len(properties) + len(names)) // _ENTRIES_A_NODE)
            for name, each in properties.items():
                table.setdefault(name, each)
            required.update(names)
        return table, frozenset(required)

    def argument(self, name: str, source: Json) -> Argument:
        """One argument; KeywordError or NoValueError."""
        if not name or len(name) > NAME_MAX or has_controls(name):
            raise KeywordError("such a name cannot be used")
        self._name = name
        argument = self._value(source, DEPTH_MAX, ITEMS_DEPTH_MAX)
        if argument.kind == "null":
            raise KeywordError("it takes nothing but null")
        return argument

    def _parts(self, source: Json, depth: int) -> Iterator[Json]:
        """`source` and what it takes in by `$ref` and `allOf`."""
        self._spend(depth)
        yield source
        if isinstance(source, Mapping):
            if "$ref" in source:
                yield from self._parts(self._target(source["$ref"]), depth - 1)
            for each in keywords.schemas(source, "allOf"):
                yield from self._parts(each, depth - 1)

    def _value(self, source: Json, depth: int, items_depth: int) -> Argument:
        self._spend(depth)
        if source is True:
            return Argument(nullable=True)
        if source is False:
            raise NoValueError("no value is allowed")
        if not isinstance(source, Mapping):
            raise KeywordError("it is no schema")
        merged = self._own(source, items_depth)
        self._spend(depth, len(merged.values) // _ENTRIES_A_NODE)
        if "$ref" in source:
            target = self._target(source["$ref"])
            merged = both(merged, self._value(target, depth - 1, items_depth))
        for each in keywords.schemas(source, "allOf"):
            merged = both(merged, self._value(each, depth - 1, items_depth))
        for key in ("anyOf", "oneOf"):
            if key in source:
                sources = keywords.schemas(source, key)
                merged = both(merged, self._any_of(sources, depth, items_depth))
        return merged

    def _any_of(self, sources: Sequence[Json], depth: int, items_depth: int) -> Argument:
        alternatives = []
        for each in sources:
            try:
                alternatives.append(self._value(each, depth - 1, items_depth))
            except NoValueError:
                continue
        return either(alternatives)

    def _own(self, source: Mapping[str, Json], items_depth: int) -> Argument:
        """What the schema itself says, without what it takes in."""
        argument = keywords.read(source)
        if argument.kind == "array":
            argument = replace(argument, items=self._items(source, items_depth))
        if argument.pattern and not self._is_matchable(argument.pattern):
            argument = replace(argument, pattern="")
        return argument

    def _is_matchable(self, pattern: str) -> bool:
        self._budget.patterns -= 1
        if self._budget.patterns >= 0 and patterns.is_readable(pattern):
            return True
        self.unchecked.append(
            Problem(argument=_label(self._name), text="pattern cannot be matched")
        )
        return False

    def _items(self, source: Mapping[str, Json], items_depth: int) -> Argument | None:
        items = source.get("items")
        if items_depth == 0 or not isinstance(items, Mapping):
            return None
        try:
            entry = self._value(items, DEPTH_MAX, items_depth - 1)
        except (NoValueError, KeywordError):
            return None  # a list of something: only the tool knows of what
        return None if entry.kind == "null" else entry

    def _target(self, reference: Json) -> Json:
        """What a `$ref` within the root schema leads to (RFC 6901)."""
        if not isinstance(reference, str) or not (reference + "/").startswith("#/"):
            raise KeywordError("$ref leads out of the schema")
        target = self._root
        for step in reference.split("/")[1:]:
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(target, list) and key.isdecimal() and int(key[:9]) < len(target):
                target = target[int(key[:9])]
            elif isinstance(target, Mapping) and key in target:
                target = target[key]
            else:
                raise KeywordError("$ref leads nowhere")
        return target

    def _spend(self, depth: int, nodes: int = 1) -> None:
        self._left -= nodes
        self._budget.nodes -= nodes
        if self._left < 0 or self._budget.nodes < 0 or depth < 0:
            raise KeywordError("its schema is too large, or nested too deep")
