"""`key=value` words of a command line as the arguments of a tool, and what it takes in words."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.schema import Argument, InputSchema, shown

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_EXAMPLES = {"array": "[1, 2]", "object": '{"name": 1}'}


def parse(arguments: Mapping[str, Argument], words: Sequence[str]) -> dict[str, Json]:
    """The arguments in `words`; VoxcardError names the word that cannot be read.

    What `arguments` does not name is read as JSON, else taken as text.
    """
    values: dict[str, Json] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not key or not equals:
            raise VoxcardError(f"{word} is not key=value.", "Write it like volume=60.")
        if key in values:
            raise VoxcardError(f"{key} is given twice.", "Give it once.")
        argument = arguments.get(key, Argument())
        try:
            values[key] = _value(argument, text)
        except (ValueError, KeyError, RecursionError) as error:
            example = _EXAMPLES.get(argument.kind)
            remedy = f"Write it as JSON: '{key}={example}'." if example else "Correct it."
            problem = f"{key} must be {argument.wanted}, not {text}."
            raise VoxcardError(problem, remedy) from error
    return values


def described(schema: InputSchema) -> Iterator[str]:
    """A line for each argument: its name, what it must be, whether it may be left out."""
    yield from map(_line, schema.arguments.values())
    for problem in schema.problems:
        yield f"{problem.argument or 'arguments'}: not understood: {problem.text}"


def _line(argument: Argument) -> str:
    need = "required" if argument.required else "optional"
    if argument.default is not None:
        need += f", else {shown(argument.default)}"
    about = argument.description or argument.title
    return f"{argument.name}: {argument.wanted}, {need}" + (f" ({about})" if about else "")


def _value(argument: Argument, text: str) -> Json:
    """The value in `text`; KeyError or ValueError when it is none of the kind."""
    if argument.nullable and argument.kind not in ("any", "string") and text == "null":
        return None
    if argument.values:
        return _one_of(argument, text)
    if argument.kind == "string":
        return text
    if argument.kind == "boolean":
        return _WORDS[text.lower()]
    if argument.kind == "integer":
        return _whole(text)
    if argument.kind == "number":
        return _number(text)
    if argument.kind == "any":
        try:
            return _json(text)
        except (ValueError, RecursionError):
            return text
    value = _json(text)
    if not isinstance(value, list if argument.kind == "array" else dict):
        raise ValueError
    return value


def _one_of(argument: Argument, text: str) -> Json:
    """The allowed value that is written so."""
    by_text = {
        each if isinstance(each, str) else json.dumps(each): each for each in argument.values
    }
    if text not in by_text and argument.kind == "boolean":
        text = json.dumps(_WORDS[text.lower()])
    return by_text[text]


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError
    return int(text)


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError
    return number


def _json(text: str) -> Json:
    """JSON as the standard has it: no NaN, no number beyond every float."""
    return json.loads(text, parse_constant=_number, parse_float=_number)
