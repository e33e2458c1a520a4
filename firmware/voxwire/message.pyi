"""Types of message.py, written from its tables by tools/checks/message_types.py; do not edit."""

import builtins
from collections.abc import Iterator, Mapping
from typing import Any, Generic, Literal, NamedTuple, TypeVar, overload

from voxwire.fields import Field

LIMIT_BYTES: int
TEXT_MAX: int

class Listen(NamedTuple):
    session_id: str
    id: str
    state: Literal["start", "stop", "detect"]
    mode: Literal["auto", "manual", "realtime", "wake"]
    seq: int | None
    text: str | None

class Abort(NamedTuple):
    session_id: str
    id: str
    reason: str
    seq: int | None

class Mcp(NamedTuple):
    payload: dict[str, Any]
    session_id: str

class CardEvent(NamedTuple):
    event_id: str
    event: Literal["shown", "page", "action", "dismissed"]
    id: str
    rev: int
    page: int | None
    action: str | None
    session_id: str

class Played(NamedTuple):
    session_id: str
    seq: int | None

class Event(NamedTuple):
    name: str
    text: str | None
    value: float | None
    session_id: str

class Timers(NamedTuple):
    session_id: str
    entries: list[Any]

class Blob(NamedTuple):
    id: int
    next: int
    error: str | None

class Update(NamedTuple):
    serial: int
    state: Literal["fetch", "waiting", "refused", "installed", "confirmed", "fell_back"]
    path: str | None
    at: int | None
    size: int | None
    reason: str | None

class Goodbye(NamedTuple):
    session_id: str
    reason: str | None

class Hello(NamedTuple):
    session_id: str
    audio_params: dict[str, Any]
    time: int | None
    utc_offset: int
    next_offset: int | None
    offset_at: int | None
    locale: str
    version: str | None
    wake: bool | None

class Clock(NamedTuple):
    session_id: str
    time: int
    utc_offset: int
    next_offset: int | None
    offset_at: int | None

class Turn(NamedTuple):
    session_id: str
    id: str
    state: Literal["accepted", "alive", "thinking", "done", "listening"]
    text: str | None
    hear_ms: int | None

class Wake(NamedTuple):
    session_id: str
    id: str
    text: str

class Stt(NamedTuple):
    session_id: str
    text: str
    partial: bool

class Tts(NamedTuple):
    session_id: str
    state: Literal["start", "sentence_start", "stop"]
    text: str | None
    seq: int | None
    last_seq: int | None
    listen: bool
    cut: bool

class Llm(NamedTuple):
    emotion: str
    session_id: str

class CardOrder(NamedTuple):
    op: Literal["show", "update", "clear"]
    id: str | None
    card: dict[str, Any] | None
    session_id: str

class Alert(NamedTuple):
    status: str
    message: str
    emotion: str
    session_id: str | None

class System(NamedTuple):
    command: str
    session_id: str | None

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

_FromDevice = Listen | Abort | Mcp | CardEvent | Played | Event | Timers | Blob | Update | Goodbye
_NamedFromDevice = (
    tuple[Literal["listen"], Listen]
    | tuple[Literal["abort"], Abort]
    | tuple[Literal["mcp"], Mcp]
    | tuple[Literal["card"], CardEvent]
    | tuple[Literal["played"], Played]
    | tuple[Literal["event"], Event]
    | tuple[Literal["timers"], Timers]
    | tuple[Literal["blob"], Blob]
    | tuple[Literal["update"], Update]
    | tuple[Literal["goodbye"], Goodbye]
)

FROM_DEVICE: Table[_FromDevice, _NamedFromDevice]

_FromBridge = (
    Hello
    | Clock
    | Turn
    | Wake
    | Stt
    | Tts
    | Llm
    | Mcp
    | CardOrder
    | Alert
    | System
    | Blob
    | Goodbye
)
_NamedFromBridge = (
    tuple[Literal["hello"], Hello]
    | tuple[Literal["clock"], Clock]
    | tuple[Literal["turn"], Turn]
    | tuple[Literal["wake"], Wake]
    | tuple[Literal["stt"], Stt]
    | tuple[Literal["tts"], Tts]
    | tuple[Literal["llm"], Llm]
    | tuple[Literal["mcp"], Mcp]
    | tuple[Literal["card"], CardOrder]
    | tuple[Literal["alert"], Alert]
    | tuple[Literal["system"], System]
    | tuple[Literal["blob"], Blob]
    | tuple[Literal["goodbye"], Goodbye]
)

FROM_BRIDGE: Table[_FromBridge, _NamedFromBridge]

@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["listen"],
    *,
    session_id: str,
    id: str,
    state: Literal["start", "stop", "detect"],
    mode: Literal["auto", "manual", "realtime", "wake"] | None = ...,
    seq: int | None = ...,
    text: str | None = ...,
) -> Listen: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["abort"],
    *,
    session_id: str,
    id: str,
    reason: str | None = ...,
    seq: int | None = ...,
) -> Abort: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["mcp"],
    *,
    payload: dict[str, Any],
    session_id: str,
) -> Mcp: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["card"],
    *,
    event_id: str,
    event: Literal["shown", "page", "action", "dismissed"],
    id: str,
    rev: int | None = ...,
    page: int | None = ...,
    action: str | None = ...,
    session_id: str,
) -> CardEvent: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["played"],
    *,
    session_id: str,
    seq: int | None = ...,
) -> Played: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["event"],
    *,
    name: str,
    text: str | None = ...,
    value: float | None = ...,
    session_id: str,
) -> Event: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["timers"],
    *,
    session_id: str,
    entries: list[Any],
) -> Timers: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["blob"],
    *,
    id: int,
    next: int,
    error: str | None = ...,
) -> Blob: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["update"],
    *,
    serial: int,
    state: Literal["fetch", "waiting", "refused", "installed", "confirmed", "fell_back"],
    path: str | None = ...,
    at: int | None = ...,
    size: int | None = ...,
    reason: str | None = ...,
) -> Update: ...
@overload
def make(
    table: Table[_FromDevice, _NamedFromDevice],
    type_name: Literal["goodbye"],
    *,
    session_id: str,
    reason: str | None = ...,
) -> Goodbye: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["hello"],
    *,
    session_id: str,
    audio_params: dict[str, Any],
    time: int | None = ...,
    utc_offset: int | None = ...,
    next_offset: int | None = ...,
    offset_at: int | None = ...,
    locale: str | None = ...,
    version: str | None = ...,
    wake: bool | None = ...,
) -> Hello: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["clock"],
    *,
    session_id: str,
    time: int,
    utc_offset: int,
    next_offset: int | None = ...,
    offset_at: int | None = ...,
) -> Clock: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["turn"],
    *,
    session_id: str,
    id: str,
    state: Literal["accepted", "alive", "thinking", "done", "listening"],
    text: str | None = ...,
    hear_ms: int | None = ...,
) -> Turn: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["wake"],
    *,
    session_id: str,
    id: str,
    text: str,
) -> Wake: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["stt"],
    *,
    session_id: str,
    text: str,
    partial: bool | None = ...,
) -> Stt: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["tts"],
    *,
    session_id: str,
    state: Literal["start", "sentence_start", "stop"],
    text: str | None = ...,
    seq: int | None = ...,
    last_seq: int | None = ...,
    listen: bool | None = ...,
    cut: bool | None = ...,
) -> Tts: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["llm"],
    *,
    emotion: str,
    session_id: str,
) -> Llm: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["mcp"],
    *,
    payload: dict[str, Any],
    session_id: str,
) -> Mcp: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["card"],
    *,
    op: Literal["show", "update", "clear"],
    id: str | None = ...,
    card: dict[str, Any] | None = ...,
    session_id: str,
) -> CardOrder: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["alert"],
    *,
    status: str,
    message: str,
    emotion: str | None = ...,
    session_id: str | None = ...,
) -> Alert: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["system"],
    *,
    command: str,
    session_id: str | None = ...,
) -> System: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["blob"],
    *,
    id: int,
    next: int,
    error: str | None = ...,
) -> Blob: ...
@overload
def make(
    table: Table[_FromBridge, _NamedFromBridge],
    type_name: Literal["goodbye"],
    *,
    session_id: str,
    reason: str | None = ...,
) -> Goodbye: ...
def encode(table: Table[_Message, _Named], message: _Message) -> bytes: ...
def decode(table: Table[_Message, _Named], payload: bytes | memoryview) -> _Named | None: ...
def dump(data: object, part: str) -> bytes: ...
def load(payload: bytes | memoryview, part: str) -> dict[str, Any]: ...
