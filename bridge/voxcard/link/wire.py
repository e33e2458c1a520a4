"""What the bridge and one device say, written by tools/checks/message_types.py; do not edit."""

from typing import Literal, Protocol, overload

from voxwire.message import (
    Abort,
    Blob,
    CardEvent,
    Event,
    Goodbye,
    Listen,
    Mcp,
    Played,
    Timers,
    Update,
)

from voxcard.json_value import Json

# A device's message with the name of its type.
Received = (
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


class Wire(Protocol):
    """The way to one device. Each method returns False when the thing did not leave.

    `session_id` is filled in where a message that is sent has one.
    """

    session_id: str

    def frame(self, data: bytes) -> bool:
        """Send an audio frame."""

    def chunk(self, data: bytes) -> bool:
        """Send a chunk of a blob."""

    @overload
    def send(
        self,
        type_name: Literal["hello"],
        *,
        session_id: str | None = ...,
        audio_params: dict[str, Json],
        time: int | None = ...,
        utc_offset: int | None = ...,
        next_offset: int | None = ...,
        offset_at: int | None = ...,
        locale: str | None = ...,
        version: str | None = ...,
        wake: bool | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["clock"],
        *,
        session_id: str | None = ...,
        time: int,
        utc_offset: int,
        next_offset: int | None = ...,
        offset_at: int | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["turn"],
        *,
        session_id: str | None = ...,
        id: str,
        state: Literal["accepted", "alive", "thinking", "done", "listening"],
        text: str | None = ...,
        hear_ms: int | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["wake"],
        *,
        session_id: str | None = ...,
        id: str,
        text: str,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["stt"],
        *,
        session_id: str | None = ...,
        text: str,
        partial: bool | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["tts"],
        *,
        session_id: str | None = ...,
        state: Literal["start", "sentence_start", "stop"],
        text: str | None = ...,
        seq: int | None = ...,
        last_seq: int | None = ...,
        listen: bool | None = ...,
        cut: bool | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["llm"],
        *,
        emotion: str,
        session_id: str | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["mcp"],
        *,
        payload: dict[str, Json],
        session_id: str | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["card"],
        *,
        op: Literal["show", "update", "clear"],
        id: str | None = ...,
        card: dict[str, Json] | None = ...,
        session_id: str | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["alert"],
        *,
        status: str,
        message: str,
        emotion: str | None = ...,
        session_id: str | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["system"],
        *,
        command: str,
        session_id: str | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["blob"],
        *,
        id: int,
        next: int,
        error: str | None = ...,
    ) -> bool: ...

    @overload
    def send(
        self,
        type_name: Literal["goodbye"],
        *,
        session_id: str | None = ...,
        reason: str | None = ...,
    ) -> bool: ...
