"""The arguments a sentence may name, typed by the tool's own input schema."""

import re
from collections.abc import Mapping
from typing import Any

from hassil.intents import RangeSlotList, SlotList, TextSlotList, WildcardSlotList

from voxcard.assistants.offline.intents import intent_match, normalise

_WIDEST = 100_000  # a longer range of whole numbers is matched as text and checked after
_LONGEST = 200  # characters of a free text without a limit of its own


def matchable(schema: Mapping[str, Any]) -> SlotList:
    """What hassil accepts in the place of an argument with `schema`."""
    if "enum" in schema:
        return TextSlotList.from_tuples(
            [(normalise.normalise(str(each)) or str(each), each) for each in schema["enum"]],
            allow_template=False,
        )
    if schema.get("type") == "boolean":
        words = {True: ("on", "yes", "true"), False: ("off", "no", "false")}
        return TextSlotList.from_tuples(
            [(text, value) for value, texts in words.items() for text in texts],
            allow_template=False,
        )
    low, high = schema.get("minimum"), schema.get("maximum")
    if (
        schema.get("type") == "integer"
        and isinstance(low, int)
        and isinstance(high, int)
        and 0 <= high - low <= _WIDEST
    ):
        return RangeSlotList(name=None, start=low, stop=high, words=False)
    return WildcardSlotList(name=None)


def sampled(schema: Mapping[str, Any]) -> SlotList:
    """What stands in the place of the argument when a template's forms are listed.

    Free text has no form of its own: it is guessed at only when it was a number.
    """
    found = matchable(schema)
    return (
        found
        if isinstance(found, TextSlotList)
        else TextSlotList.from_strings([intent_match.NUMBER], allow_template=False)
    )


def exemplary(schema: Mapping[str, Any]) -> SlotList:
    """One value somebody could say, for prompts and help."""
    return TextSlotList.from_strings([_example(schema)], allow_template=False)


def _example(schema: Mapping[str, Any]) -> str:
    if schema.get("enum"):
        return str(schema["enum"][0])
    if schema.get("type") in ("integer", "number"):
        low, high = schema.get("minimum", 0), schema.get("maximum", 7765)
        return str(round(low + (high - low) * 0.35))
    if "default" in schema:
        return str(schema["default"])
    return "2718" if _wants_number(schema) else "hello"


def value(schema: Mapping[str, Any], matched: Any) -> Any:
    """The argument for what hassil matched, or None when it does not fit the schema."""
    if isinstance(matched, float) and matched.is_integer():
        return int(matched)  # hassil's numbers are floats
    if not isinstance(matched, str) or "enum" in schema:
        return matched
    kind = schema.get("type")
    text = normalise.joined(matched.strip())
    if kind in ("integer", "number"):
        return _number(schema, text)
    if kind not in ("string", None) or not text or len(text) > schema.get("maxLength", _LONGEST):
        return None
    if not _fits(schema.get("pattern"), text):
        return None
    return text


def _number(schema: Mapping[str, Any], text: str) -> int | float | None:
    text = normalise.normalise(text)
    if not re.fullmatch(r"\d{1,15}(\.\d{1,6})?", text):
        return None
    number = int(text) if text.isdecimal() else float(text)
    if schema.get("type") == "integer" and not isinstance(number, int):
        return None
    if not schema.get("minimum", number) <= number <= schema.get("maximum", number):
        return None
    return number


def _fits(pattern: Any, text: str) -> bool:
    if not isinstance(pattern, str):
        return True
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return True  # the tool hub judges the schema; here it only narrows what is guessed


def _wants_number(schema: Mapping[str, Any]) -> bool:
    words = f"{schema.get('description', '')} {schema.get('title', '')}".lower()
    return "number" in words or "digit" in words or _fits(schema.get("pattern"), "2718")
