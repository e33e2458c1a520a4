"""A card as plain JSON for people and scripts: what it holds, without what it left at default."""

from dataclasses import MISSING, fields, is_dataclass

from voxcard.cards.model import InputBlock, QrBlock
from voxcard.cards.text.text_twin import HIDDEN
from voxcard.json_value import Json


def described(value: object) -> Json:
    """The model's values as objects that name their class in `is`; bytes as their number.

    Secrets are covered: what is printed ends up in logs.
    """
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        if isinstance(value, InputBlock) and value.secret:
            named["value"] = HIDDEN
        if isinstance(value, QrBlock) and value.local_only:
            named["data"] = HIDDEN
        changed = {
            field.name: described(named[field.name])
            for field in fields(value)
            if named[field.name] != field.default
            and (field.default_factory is MISSING or named[field.name] != field.default_factory())
        }
        return {"is": type(value).__name__, **changed}
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: described(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [described(entry) for entry in value]
    return value
