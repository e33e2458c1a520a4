"""Validates a call's arguments by the tool's `inputSchema`; a refusal is a sentence."""

import itertools
import logging
from collections.abc import Mapping
from typing import Any

from jsonschema.exceptions import best_match

from voxcard.json_value import Json
from voxcard.text_safety import safe_line
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.schema import shown, size
from voxcard.toolhub.schema.checker import Checker
from voxcard.toolhub.schema.reader import read_value

ARGUMENTS_MAX = 100_000  # characters of JSON; the cards of a model are the longest
DEPTH_MAX = 64
CHECKERS_MAX = 500
ERRORS_MAX = 20  # of one call, of which the clearest is reported
_SENTENCE_MAX = 400  # characters

_log = logging.getLogger(__name__)


class Validation:
    """Checks arguments by checkers that are built once for each schema.

    `refusal` takes up to seconds for a hostile schema: call it in a thread, or in several.
    """

    def __init__(self) -> None:
        # By identity: mappings have no hash. The schema is kept, so no other gets its id.
        self._kept: dict[int, _Kept] = {}

    def refusal(self, spec: ToolSpec, arguments: Mapping[str, Json]) -> str:
        """What is wrong with `arguments`, as a sentence; "" when nothing is.

        What the schema of a device's tool does not name is refused, as the device would. A
        schema that is itself wrong, or takes too long, lets everything through, and one warning
        says so: its tool still checks.
        """
        if size.characters(arguments, longest=ARGUMENTS_MAX, depth_max=DEPTH_MAX) is None:
            return f"The arguments are too long: at most {ARGUMENTS_MAX} characters are allowed."
        if spec.source == "device":
            for name in arguments:
                if name not in spec.schema.names:
                    takes = ", ".join(spec.schema.names) or "no arguments"
                    return _line(f"{name} is not an argument; it takes {takes}.")
        kept = self._checker(spec)
        if kept.checker is None:
            return ""
        try:
            error = best_match(itertools.islice(kept.checker.errors(arguments), ERRORS_MAX))
            return "" if error is None else _line(_sentence(error, spec.input_schema))
        # The keywords of a foreign schema fail in whatever way their values make them.
        except Exception as failure:
            kept.warn(spec.name, failure)
            return ""

    def _checker(self, spec: ToolSpec) -> "_Kept":
        key = id(spec.input_schema)
        kept = self._kept.get(key)
        if kept is None:
            kept = _Kept(spec.input_schema)
            try:
                kept.checker = Checker(spec.input_schema)
            # A wrong schema makes the library raise many errors of its own and others'.
            except Exception as failure:
                kept.warn(spec.name, failure)
            self._kept[key] = kept
            if len(self._kept) > CHECKERS_MAX:
                del self._kept[next(iter(self._kept))]
        return kept


class _Kept:
    """A schema with its checker, None where there can be none."""

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self.schema = schema
        self.checker: Checker | None = None
        self._warned = False

    def warn(self, tool: str, failure: Exception) -> None:
        """Say once that arguments go unchecked."""
        why = safe_line(getattr(failure, "message", "") or type(failure).__name__, 120)
        if not self._warned:
            self._warned = True
            text = "tool %s: its inputSchema cannot be used (%s); its arguments go unchecked"
            _log.warning(text, tool, why)


def whole_numbers(spec: ToolSpec, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """`arguments` with 60.0 as 60 where an integer is wanted: models write both."""
    return {
        name: int(value)
        if isinstance(value, float)
        and value.is_integer()
        and name in spec.arguments
        and spec.arguments[name].kind == "integer"
        else value
        for name, value in arguments.items()
    }


def _sentence(error: Any, root: Mapping[str, Json]) -> str:
    """What is wrong; `error` is a jsonschema.ValidationError, whose attributes are untyped."""
    while error.parent is not None and error.parent.absolute_path == error.absolute_path:
        error = error.parent  # `anyOf` as a whole, not the one alternative that is nearest
    path = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "required":
        missing = next(each for each in error.validator_value if each not in error.instance)
        properties = error.schema.get("properties", {})
        wanted = read_value(properties.get(missing, True), root).wanted
        return f"{path}.{missing}".lstrip(".") + f" is missing: {wanted}."
    if error.validator == "additionalProperties":
        return f"{path or 'The call'} has arguments that the tool does not take."
    if not path:
        return "The arguments do not fit together as the tool wants them."
    wanted = _wanted(error, root)
    if wanted == "a value":
        return f"{path} may not be {shown(error.instance)}."
    return f"{path} must be {wanted}, not {shown(error.instance)}."


def _wanted(error: Any, root: Mapping[str, Json]) -> str:
    limit = error.validator_value
    if error.validator == "pattern":
        return f"text that matches {shown(limit)}"
    if error.validator == "multipleOf":
        return f"a multiple of {limit}"
    if error.validator == "uniqueItems":
        return "a list without repeats"
    return read_value(error.schema, root).wanted


def _line(sentence: str) -> str:
    return safe_line(sentence, _SENTENCE_MAX)
