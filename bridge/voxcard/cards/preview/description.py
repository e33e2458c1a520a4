"""A card as plain JSON for people and scripts: what it holds, without what it left at default."""

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING

from voxcard.cards.model import InputBlock, QrBlock
from voxcard.cards.text.text_twin import HIDDEN
from voxcard.json_value import Json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def described(value: object) -> Json:
    """The model's values as objects that name their class in `is`; bytes as their number.

    Secrets are covered: what is printed ends up in logs.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {"is": type(value).__name__, **dict(_changed_fields(value))}
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: described(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [described(entry) for entry in value]
    return value


def _changed_fields(value: "DataclassInstance") -> Iterator[tuple[str, Json]]:
    """The fields that are not at their default."""
    for field in fields(value):
        own = getattr(value, field.name)
        if field.name == "value" and isinstance(value, InputBlock) and value.secret:
            own = HIDDEN
        if field.name == "data" and isinstance(value, QrBlock) and value.local_only:
            own = HIDDEN
        own_default = field.default_factory() if field.default_factory is not MISSING else MISSING
        if own != field.default and own != own_default:
            yield field.name, described(own)
