"""Control messages: one JSON object each, named by `type`, as a table of kinds and fields.

`FROM_DEVICE` and `FROM_BRIDGE` hold what each side may say (design section 3.2). A message is a
plain namedtuple of its kind; `decode` gives None for a type the table does not know, so a newer
peer can say more than an older one understands.
"""

import json
from collections import namedtuple

from voxwire.errors import WireError
from voxwire.fields import optional, read, required

LIMIT_BYTES = 8192

# MicroPython writes UTF-8 and knows no ensure_ascii; it reads an escaped emoji ("\\ud83c\\udf81")
# as two halves that are no text, so CPython has to write UTF-8 as well.
try:
    json.dumps("", ensure_ascii=False)
    _UTF8 = {"ensure_ascii": False}
except TypeError:
    _UTF8 = {}

Kind = namedtuple("Kind", ("type", "make", "fields"))


def _table(*kinds):
    table = {}
    for name, type_name, fields in kinds:
        make = namedtuple(name, tuple(field.name for field in fields))  # type: ignore[misc]
        table[type_name] = Kind(type_name, make, fields)
    return table


# `id` of listen, abort and card events lets the bridge apply a QoS 1 repeat once.
FROM_DEVICE = _table(
    (
        "Listen",
        "listen",
        (
            required("session_id", "string"),
            required("id", "string"),
            required("state", ("start", "stop", "detect")),
            optional("mode", ("auto", "manual", "realtime"), "auto"),
            optional("seq", "integer", 0),  # seq of the first microphone frame of the turn
            optional("text", "string"),  # the wake word that was heard
        ),
    ),
    (
        "Abort",
        "abort",
        (
            required("session_id", "string"),
            required("id", "string"),
            optional("reason", "string", "button"),
            optional("seq", "integer"),  # last speaker frame that was heard whole
        ),
    ),
    ("Mcp", "mcp", (required("payload", "object"), optional("session_id", "string"))),
    (
        "CardEvent",
        "card",
        (
            required("event_id", "string"),
            required("event", ("shown", "page", "action", "dismissed")),
            required("id", "string"),
            optional("rev", "integer", 0),
            optional("page", "integer"),
            optional("action", "string"),
            optional("session_id", "string"),
        ),
    ),
    ("Played", "played", (required("session_id", "string"), required("seq", "integer"))),
    (
        "Event",
        "event",
        (
            required("name", "string"),  # button, battery, error, crash, microphone
            optional("text", "string"),
            optional("value", "number"),
            optional("session_id", "string"),
        ),
    ),
    (
        "BlobState",
        "blob",
        (required("id", "integer"), required("next", "integer"), optional("error", "string")),
    ),
    ("Goodbye", "goodbye", (optional("session_id", "string"), optional("reason", "string"))),
)

FROM_BRIDGE = _table(
    (
        "Hello",
        "hello",
        (
            required("session_id", "string"),
            required("audio_params", "object"),  # format, sample_rate, channels, frame_duration
            optional("time", "integer"),  # Unix seconds, UTC
            optional("utc_offset", "integer", 0),  # seconds east of UTC
            optional("locale", "string", "en"),
            optional("version", "string"),  # of the bridge
        ),
    ),
    # Sign of life of a turn: without it a device cannot tell a slow assistant from a dead bridge,
    # because a QoS 1 acknowledgement comes from the broker.
    (
        "Turn",
        "turn",
        (
            required("session_id", "string"),
            required("id", "string"),  # of the listen message
            required("state", ("accepted", "alive", "thinking", "done")),
            optional("text", "string"),  # progress, or why the turn ended
        ),
    ),
    (
        "Stt",
        "stt",
        (
            required("session_id", "string"),
            required("text", "string"),
            optional("partial", "boolean", False),
        ),
    ),
    (
        "Tts",
        "tts",
        (
            required("session_id", "string"),
            required("state", ("start", "sentence_start", "stop")),
            optional("text", "string"),
            optional("seq", "integer"),  # of the first speaker frame, on start
            optional("last_seq", "integer"),  # of the last one, on stop; absent when none was sent
            optional("listen", "boolean", False),  # the assistant asked: listen after `played`
        ),
    ),
    ("Llm", "llm", (required("emotion", "string"), optional("session_id", "string"))),
    ("Mcp", "mcp", (required("payload", "object"), optional("session_id", "string"))),
    (
        "CardOrder",
        "card",
        (
            required("op", ("show", "update", "clear")),
            optional("id", "string"),
            optional("card", "object"),  # voxwire.card, on show and update
            optional("session_id", "string"),
        ),
    ),
    (
        "Alert",
        "alert",
        (
            required("status", "string"),
            required("message", "string"),
            optional("emotion", "string", "neutral"),
            optional("session_id", "string"),
        ),
    ),
    # command: "hello" asks for a fresh hello, "reboot" restarts
    ("System", "system", (required("command", "string"), optional("session_id", "string"))),
    (
        "BlobState",
        "blob",
        (required("id", "integer"), required("next", "integer"), optional("error", "string")),
    ),
    ("Goodbye", "goodbye", (optional("session_id", "string"), optional("reason", "string"))),
)


def make(table, type_name: str, **values):
    """A message of `type_name` with `values`; absent optional fields take their defaults."""
    kind = table[type_name]
    values["type"] = type_name
    return kind.make(*read(kind.fields, values, type_name))


def encode(table, message) -> bytes:
    """UTF-8 JSON of a message; fields that are None are left out.

    Raises WireError for a message over LIMIT_BYTES or of a class the table does not hold.
    """
    for kind in table.values():
        if isinstance(message, kind.make):
            break
    else:
        raise WireError("message", "is not of this side's table")
    data = {"type": kind.type}
    for field, value in zip(kind.fields, message):
        if value is not None:
            data[field.name] = value
    return dump(data, kind.type)


def dump(data, part: str) -> bytes:
    """Compact UTF-8 JSON of `data`; WireError when it is over LIMIT_BYTES."""
    try:
        text = json.dumps(data, separators=(",", ":"), **_UTF8).encode()  # type: ignore[arg-type]
    except (TypeError, ValueError, RuntimeError) as error:
        raise WireError(part, "cannot be written as JSON (%s)" % error)
    if len(text) > LIMIT_BYTES:
        raise WireError(part, "is %d bytes, the limit is %d" % (len(text), LIMIT_BYTES))
    return text


def load(payload, part: str):
    """The JSON object in `payload` (bytes or memoryview); WireError if it is none."""
    if len(payload) > LIMIT_BYTES:
        raise WireError(part, "is %d bytes, the limit is %d" % (len(payload), LIMIT_BYTES))
    try:
        # str() of bytes checks UTF-8 on both interpreters; json alone does not on MicroPython.
        data = json.loads(str(bytes(payload), "utf-8"))
    # RuntimeError: nesting deeper than the interpreter's stack.
    except (ValueError, RuntimeError):
        raise WireError(part, "is not JSON")
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    return data


def decode(table, payload: "bytes | memoryview"):
    """The message in `payload`, or None when its type is not in the table."""
    data = load(payload, "message")
    type_name = data.get("type")
    if not isinstance(type_name, str):
        raise WireError("message.type", "is missing" if type_name is None else "must be text")
    kind = table.get(type_name)
    if kind is None:
        return None
    return kind.make(*read(kind.fields, data, type_name))
