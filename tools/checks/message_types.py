"""Write the types of the wire's messages from voxwire's tables; with --check, fail if they differ.

firmware/voxwire/message.pyi types the module itself: a class for each message, what `decode`
returns, what `make` takes. bridge/voxcard/link/wire.py types what the bridge gets and may send.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voxwire import message
from voxwire.fields import Field
from voxwire.message import Kind, Table

ROOT = Path(__file__).parents[2]
LINE_MAX = 99  # of the project's format
STUB = "firmware/voxwire/message.pyi"
WIRE = "bridge/voxcard/link/wire.py"
TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "dict[str, Any]",
    "array": "list[Any]",
}
SIDES = (("Device", message.FROM_DEVICE), ("Bridge", message.FROM_BRIDGE))
STUB_HEAD = '''\
"""Types of message.py, written from its tables by tools/checks/message_types.py; do not edit."""

import builtins
from collections.abc import Iterator, Mapping
from typing import Any, Generic, Literal, NamedTuple, TypeVar, overload

from voxwire.fields import Field

LIMIT_BYTES: int
TEXT_MAX: int
'''
STUB_TABLES = """\
_Message = TypeVar("_Message")
_Named = TypeVar("_Named")

class Kind(Generic[_Message]):
    type: str
    text: str
    make: builtins.type[_Message]
    def __init__(self, type_name: str, text: str, class_name: str = "") -> None: ...
    @property
    def fields(self) -> tuple[Field, ...]: ...
    def read(self, data: Mapping[str, object]) -> _Message: ...

class Table(Generic[_Message, _Named]):
    def __init__(self, *rows: tuple[str, ...]) -> None: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, type_name: str) -> Kind[_Message]: ...
    def get(self, type_name: str) -> Kind[_Message] | None: ...
    def values(self) -> list[Kind[_Message]]: ...
    def kind_of(self, message: _Message) -> Kind[_Message]: ...
"""
STUB_FUNCTIONS = """\
def encode(table: Table[_Message, _Named], message: _Message) -> bytes: ...
def decode(table: Table[_Message, _Named], payload: bytes | memoryview) -> _Named | None: ...
def dump(data: object, part: str) -> bytes: ...
def load(payload: bytes | memoryview, part: str) -> dict[str, Any]: ...
"""
WIRE_HEAD = '''\
"""What the bridge and one device say, written by tools/checks/message_types.py; do not edit."""

from typing import Literal, Protocol, overload

from voxwire.message import {imports}

from voxcard.json_value import Json

# A device's message with the name of its type.
Received = (
    {received}
)


class Wire(Protocol):
    """The way to one device. Each method returns False when the thing did not leave.

    `session_id` is filled in where a message that is sent has one.
    """

    session_id: str

    def frame(self, data: bytes) -> bool:
        """Send an audio frame."""

    def chunk(self, data: bytes) -> bool:
        """Send a chunk of a blob."""
'''


def type_of(field: Field) -> str:
    """The annotation of a field's value, without None."""
    if field.schema.kind == "choice":
        return f"Literal[{', '.join(quoted(value) for value in field.schema.values)}]"
    return TYPES[field.schema.kind]


def quoted(value: object) -> str:
    """A legal value as the project's format writes it."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def message_class(kind: "Kind[Any]") -> str:
    """The class of a kind's messages."""
    lines = [f"class {kind.make.__name__}(NamedTuple):"]
    for field in kind.fields:
        missing = "" if field.required or field.default is not None else " | None"
        lines.append(f"    {field.name}: {type_of(field)}{missing}")
    return "\n".join(lines)


def keywords(kind: "Kind[Any]", indent: str, filled_in: tuple[str, ...] = ()) -> str:
    """The keyword parameters that make a message of this kind, a line each."""
    lines = []
    for field in kind.fields:
        optional = not field.required or field.name in filled_in
        lines.append(f"{indent}{field.name}: {type_of(field)}{' | None = ...' * optional},")
    return "\n".join(lines)


def make_overload(side: str, kind: "Kind[Any]") -> str:
    """The overload of `make` for one kind of one side's table."""
    return (
        "@overload\ndef make(\n"
        f"    table: Table[_From{side}, _NamedFrom{side}],\n"
        f'    type_name: Literal["{kind.type}"],\n    *,\n'
        f"{keywords(kind, '    ')}\n) -> {kind.make.__name__}: ..."
    )


def named(table: "Table[Any, Any]") -> str:
    """The messages of a table, each in a tuple with the name of its type."""
    names = [(kind.type, kind.make.__name__) for kind in table.values()]
    return "\n    | ".join(f'tuple[Literal["{type_name}"], {name}]' for type_name, name in names)


def side_types(side: str, table: "Table[Any, Any]") -> str:
    """What a side may say: the messages, the messages with their names, and the table."""
    names = [kind.make.__name__ for kind in table.values()]
    union, line = " | ".join(names), f"_From{side} = {' | '.join(names)}"
    if len(line) > LINE_MAX:
        inside = union if len(union) + 4 <= LINE_MAX else union.replace(" | ", "\n    | ")
        line = f"_From{side} = (\n    {inside}\n)"
    return (
        f"{line}\n"
        f"_NamedFrom{side} = (\n    {named(table)}\n)\n\n"
        f"FROM_{side.upper()}: Table[_From{side}, _NamedFrom{side}]\n"
    )


def stub() -> str:
    """The text of message.pyi."""
    kinds = {kind.make: kind for _, table in SIDES for kind in table.values()}
    overloads = [make_overload(side, kind) for side, table in SIDES for kind in table.values()]
    parts = [
        STUB_HEAD,
        *(message_class(kind) + "\n" for kind in kinds.values()),
        STUB_TABLES,
        *(side_types(side, table) for side, table in SIDES),
        "\n".join(overloads) + "\n" + STUB_FUNCTIONS,
    ]
    return "\n".join(parts)


def wire() -> str:
    """The text of the bridge's wire.py."""
    names = sorted(kind.make.__name__ for kind in message.FROM_DEVICE.values())
    imports = "(\n    " + ",\n    ".join(names) + ",\n)"
    parts = [WIRE_HEAD.format(imports=imports, received=named(message.FROM_DEVICE))]
    for kind in message.FROM_BRIDGE.values():
        parts.append(
            "    @overload\n    def send(\n        self,\n"
            f'        type_name: Literal["{kind.type}"],\n        *,\n'
            f"{keywords(kind, ' ' * 8, ('session_id',))}\n    ) -> bool: ...\n"
        )
    return "\n".join(parts).replace("[str, Any]", "[str, Json]")


def stale(root: Path) -> Iterator[str]:
    """The paths below `root` whose text is not what the tables say."""
    for path, text in ((STUB, stub()), (WIRE, wire())):
        kept = root / path
        if not kept.is_file() or kept.read_text(encoding="utf-8") != text:
            yield path


def main(arguments: list[str]) -> int:
    if "--check" in arguments:
        paths = list(stale(ROOT))
        for path in paths:
            print(f"{path} is stale: run python tools/checks/message_types.py")
        return 1 if paths else 0
    for path, text in ((STUB, stub()), (WIRE, wire())):
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
