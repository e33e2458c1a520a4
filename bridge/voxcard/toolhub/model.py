"""Tools and their outcomes as assistants see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from voxcard.json_value import Json
from voxcard.toolhub.schema import Argument, InputSchema
from voxcard.toolhub.schema.reader import read

_UNREAD = InputSchema()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One callable tool.

    `name` is unique in the list that holds it; `source` is `device`, `bridge` or the configured
    name of an MCP server. `sentences` are hassil templates a tool brings with it, by locale;
    `meta` is all of the tool's `_meta`. `destructive`: whether a call may do what cannot be
    undone, None where its owner does not say. `schema` is the plain form of `input_schema`, read
    from it unless it is passed.
    """

    name: str
    description: str
    input_schema: Mapping[str, Json]
    source: str
    scope: str = "ai"
    sentences: Mapping[str, Sequence[str]] = field(default_factory=dict)
    meta: Mapping[str, Json] = field(default_factory=dict)
    destructive: bool | None = None
    schema: InputSchema = field(default=_UNREAD, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.schema is _UNREAD:
            object.__setattr__(self, "schema", read(self.input_schema))

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """Its arguments in the plain form, those that can be read; see `schema`."""
        return self.schema.arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image a tool gave back."""

    data: bytes
    mime_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """The outcome of a call: `text` for the model, the pictures in it, and all of the result.

    `result` is the whole MCP `tools/call` result (camelCase keys, `_meta` kept), from which cards
    are read. `is_error`: `text` says what went wrong in a sentence a person can act on.
    """

    text: str
    is_error: bool = False
    structured: Json = None
    pictures: tuple[Picture, ...] = ()
    result: Mapping[str, Json] = field(default_factory=dict)
