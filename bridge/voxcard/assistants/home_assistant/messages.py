"""What a Home Assistant sends over its WebSocket API, parsed; pure.

https://developers.home-assistant.io/docs/api/websocket
"""

import json
from dataclasses import dataclass

from voxcard.json_value import Json, JsonObject


class Malformed(ValueError):  # noqa: N818 - names the state
    """Something that a Home Assistant does not send; the text completes "it sent"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthRequired:
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthOk:
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthInvalid:
    """Its words may repeat the token, so they are not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The end of command `id`; `code` is "" when it worked."""

    id: int
    result: Json = None
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something of subscription `id`."""

    id: int
    event: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:
    id: int


Message = AuthRequired | AuthOk | AuthInvalid | Result | Event | Pong


def parse(frame: str | bytes) -> list[Message]:
    """The messages of one frame, usually one; those of kinds not known here are left out.

    Raises Malformed.
    """
    if isinstance(frame, bytes):
        raise Malformed("bytes instead of text")
    try:
        data = json.loads(frame)
    except (ValueError, RecursionError) as error:
        raise Malformed("something that is no JSON") from error
    parsed = [_message(each) for each in (data if isinstance(data, list) else [data])]
    return [each for each in parsed if each is not None]


def _message(data: Json) -> Message | None:
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise Malformed("something that is no message of Home Assistant")
    match data["type"]:
        case "auth_required":
            return AuthRequired(version=text_of(data, "ha_version"))
        case "auth_ok":
            return AuthOk(version=text_of(data, "ha_version"))
        case "auth_invalid":
            return AuthInvalid()
        case "pong":
            return Pong(id=_id(data))
        case "event":
            return Event(id=_id(data), event=object_of(data, "event"))
        case "result":
            return _result(data)
    return None


def _result(data: JsonObject) -> Result:
    number = _id(data)
    if data.get("success") is True:
        return Result(id=number, result=data.get("result"))
    error = object_of(data, "error")
    code = text_of(error, "code") or "unknown_error"
    return Result(id=number, code=code, message=text_of(error, "message"))


def _id(data: JsonObject) -> int:
    number = data.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise Malformed("a message without a number")
    return number


def text_of(data: JsonObject, key: str) -> str:
    """The text at `key`, "" when there is none; Malformed when it is something else."""
    value = data.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Malformed(f"a {key} that is no text")
    return value


def object_of(data: JsonObject, key: str) -> JsonObject:
    """The object at `key`, empty when there is none; Malformed when it is something else."""
    value = data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Malformed(f"a {key} that is no object")
    return value
