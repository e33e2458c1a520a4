"""A card as plain JSON for people and scripts: what it holds, without what it left at default."""

from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from voxcard.cards.model import InputBlock, QrBlock
from voxcard.cards.text.text_twin import HIDDEN


def described(value: Any) -> Any:
    """The model's values as objects that name their class in `is`; bytes as their number.

    Secrets are covered: what is printed ends up in logs.
    """
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: getattr(value, each.name) for each in fields(value)}
        if isinstance(value, InputBlock) and value.secret:
            named["value"] = HIDDEN
        if isinstance(value, QrBlock) and value.local_only:
            named["data"] = HIDDEN
        told = {
            each.name: described(named[each.name])
            for each in fields(value)
            if named[each.name] != each.default
            and (each.default_factory is MISSING or named[each.name] != each.default_factory())
        }
        return {"is": type(value).__name__, **told}
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: described(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [described(each) for each in value]
    return value
