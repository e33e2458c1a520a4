"""The values of components: literals, bindings to the data model, function calls."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.formatting.expressions import (
    Call,
    ExpressionError,
    Node,
    Path,
    template,
)
from voxcard.cards.dialects.a2ui.formatting.functions import FUNCTIONS
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.v08.translation import LITERALS
from voxcard.cards.text.data.key_values import key_values
from voxcard.cards.text.sanitize import clean
from voxcard.json_value import Json

TEXT_MAX = 16_384
STEPS_MAX = 20_000
DEPTH_MAX = 96  # a legal card nests 64 levels of literals
PATH_MAX = 1024
INTEGER_DIGITS_MAX = 30
HIDDEN = "••••"  # stands in the data model for what an obscured input holds
_CHARACTERS_A_STEP = 64  # long texts wear the budget down too


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where relative paths begin, and which item of a template this is."""

    base: pointer.Tokens = ()
    index: int | None = None


class Values:
    """Evaluates dynamic values against one surface's data model.

    `marked`: bindings are spelled `@path` and `@call` (v1.0). `reads` collects every place read.
    Work is bounded: after STEPS_MAX evaluations everything is empty, with a note."""

    def __init__(self, data: Json, *, marked: bool, locale: str, notes: Notes) -> None:
        self.data = data
        self.reads: set[pointer.Tokens] = set()
        self._marked = marked
        self.locale = locale
        self._notes = notes
        self._steps = 0

    def text(self, value: Json, scope: Scope, path: str = "") -> str:
        """A value as it is shown: nothing for null, objects and lists in words."""
        shown = self.resolve(value, scope, path)
        if isinstance(shown, dict | list):
            self._steps += 1
            shown = key_values(shown)
        return clean(self._spelled(shown)[:TEXT_MAX])

    def _spelled(self, value: Json) -> str:
        text = "" if self._steps > STEPS_MAX else spelled(value)
        self._steps += 1 + len(text) // _CHARACTERS_A_STEP
        return text

    def resolve(self, value: Json, scope: Scope, path: str = "", depth: int = 0) -> Json:
        """The value behind a literal, binding or call; None where there is none."""
        if not isinstance(value, dict | list):
            return value
        if not self._may_go_on(path, depth):
            return None
        if isinstance(value, list):
            return [self.resolve(entry, scope, path, depth + 1) for entry in value]
        place, called = ("@path", "@call") if self._marked else ("path", "call")
        if isinstance(value.get(place), str) and "componentId" not in value:
            bound = self._read(value[place], scope, path)
            return value.get("default") if bound is None else bound
        if isinstance(value.get(called), str):
            args = value.get("args")
            args = args if isinstance(args, dict) else {}
            return self._call(value[called], args, scope, path, depth)
        if len(value) == 1 and not self._marked:
            key, literal = next(iter(value.items()))
            if key in LITERALS:  # as v0.8 wrote them; some servers still do
                return literal
        return self._object(value, scope, path, depth)

    def places(self, value: Json, scope: Scope, path: str = "") -> set[pointer.Tokens]:
        """Every place of the data model that a value depends on."""
        before, self.reads = self.reads, set()
        self.resolve(value, scope, path)
        places, self.reads = self.reads, before
        return places

    def _object(self, value: Mapping[str, Json], scope: Scope, path: str, depth: int) -> Json:
        """An object as data; v1.0 reserves keys with one @ and halves doubled ones."""
        if self._marked and any(_reserved(key) for key in value):
            self._notes.add("dropped", path, "an object has a key with one @ that means nothing")
            return None
        return {
            key[1:] if self._marked and key.startswith("@@") else key: self.resolve(
                item, scope, path, depth + 1
            )
            for key, item in value.items()
        }

    def _read(self, where: str, scope: Scope, path: str) -> Json:
        if len(where) > PATH_MAX:
            self._notes.add("dropped", path, f"a path is longer than {PATH_MAX} characters")
            return None
        place = pointer.locate(where, scope.base)
        self.reads.add(place)
        value = pointer.get(self.data, place)
        if value is None and scope.base and where.startswith("/"):
            # Templates are written with absolute paths too (Google's own samples are).
            place = pointer.locate(where[1:], scope.base)
            self.reads.add(place)
            value = pointer.get(self.data, place)
        return value

    def _call(
        self, name: str, args: Mapping[str, Json], scope: Scope, path: str, depth: int
    ) -> Json:
        known = {key: self.resolve(item, scope, path, depth + 1) for key, item in args.items()}
        return self._apply(name, known, scope, path, depth)

    def _apply(
        self, name: str, args: Mapping[str, Json], scope: Scope, path: str, depth: int
    ) -> Json:
        try:
            if name == "formatString":
                return self._format_string(self._spelled(args.get("value")), scope, path, depth)
            if name == "@index":
                return self._index(args.get("offset"), scope)
            if name in FUNCTIONS:
                return FUNCTIONS[name](args, self.locale)
        except ValueError as error:
            self._notes.add("dropped", path, f"{name}: {error}")
            return None
        self._notes.add("unknown", path, "calls a function that a card does not run")
        return None

    @staticmethod
    def _index(offset: Json, scope: Scope) -> int:
        if scope.index is None:
            raise ValueError("is outside of a list's template")
        if offset is not None and (isinstance(offset, bool) or not isinstance(offset, int)):
            raise ValueError("the offset must be a whole number")
        return scope.index + (offset or 0)

    def _format_string(self, text: str, scope: Scope, path: str, depth: int) -> str:
        texts, length = [], 0
        for part in self._parts(text, scope, path, depth):
            texts.append(part[: TEXT_MAX - length])
            length += len(texts[-1])
            if length == TEXT_MAX:
                break
        return "".join(texts)

    def _parts(self, text: str, scope: Scope, path: str, depth: int) -> Iterator[str]:
        for node in template(text):
            if isinstance(node, ExpressionError):
                self._notes.add("dropped", path, f"formatString: {node}")
            else:
                yield self._spelled(self._evaluate(node, scope, path, depth + 1))

    def _evaluate(self, node: Node, scope: Scope, path: str, depth: int) -> Json:
        if isinstance(node, Path):
            return self._read(node.path, scope, path)
        if not isinstance(node, Call):
            return node
        if not self._may_go_on(path, depth):
            return None
        args = {key: self._evaluate(arg, scope, path, depth + 1) for key, arg in node.args}
        return self._apply(node.name, args, scope, path, depth)

    def _may_go_on(self, path: str, depth: int) -> bool:
        self._steps += 1
        if depth > DEPTH_MAX:
            self._notes.add("dropped", path, f"a value is nested deeper than {DEPTH_MAX} levels")
        elif self._steps > STEPS_MAX:
            self._notes.add("truncated", path, "the values take too long to work out")
        return depth <= DEPTH_MAX and self._steps <= STEPS_MAX


def _reserved(key: str) -> bool:
    return key.startswith("@") and not key.startswith("@@")


def spelled(value: Json) -> str:
    """A JSON value as text: `5` for 5.0, nothing for null, compact JSON for objects and lists."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
        return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
    try:
        if isinstance(value, int):
            return str(value) if abs(value) < 10**INTEGER_DIGITS_MAX else "…"
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):  # an integer of thousands of digits
        return ""
