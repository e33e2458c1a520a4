"""Control messages: one JSON object each, named by `type`, as a table of kinds and fields.

`FROM_DEVICE` and `FROM_BRIDGE` hold what each side may say (design section 3.2). A message is a
plain namedtuple of its kind; `decode` gives None for a type the table does not know, so a newer
peer can say more than an older one understands.
"""

import json
from collections import namedtuple

from voxwire import fields
from voxwire.errors import WireError

LIMIT_BYTES = 8192
NO_MEMORY = "needs more memory than there is"

# MicroPython writes UTF-8 and knows no ensure_ascii; it reads an escaped emoji ("\\ud83c\\udf81")
# as two halves that are no text, so CPython has to write UTF-8 as well.
try:
    json.dumps("", ensure_ascii=False)
    _UTF8 = {"ensure_ascii": False}
except TypeError:
    _UTF8 = {}


class Kind:
    """One kind of message: its `type`, its fields as a text (module fields), its class `make`."""

    def __init__(self, type_name: str, text: str) -> None:
        self.type = type_name
        self.text = text
        self.make = namedtuple(type_name, tuple(field.name for field in self.fields))  # type: ignore[misc]

    @property
    def fields(self):
        """The Field of each, in the order of `make`."""
        return tuple(fields.parse(self.text))


class Table:
    """Kinds by type. Each is made when it is first asked for: a device meets few of them."""

    def __init__(self, *rows) -> None:
        self._rows = rows
        self._made: "dict[str, Kind]" = {}

    def __iter__(self):
        return iter([row[0] for row in self._rows])

    def __getitem__(self, type_name: str) -> Kind:
        kind = self.get(type_name)
        if kind is None:
            raise KeyError(type_name)
        return kind

    def get(self, type_name: str) -> "Kind | None":
        """The kind of that type, None for a type that the table does not know."""
        kind = self._made.get(type_name)
        if kind is None:
            for row in self._rows:
                if row[0] == type_name:
                    kind = self._made[type_name] = Kind(*row)
        return kind

    def values(self):
        """Every kind."""
        return [self[type_name] for type_name in self]

    def kind_of(self, message) -> Kind:
        """The kind of a message; WireError when it is of another table."""
        for kind in self._made.values():
            if isinstance(message, kind.make):
                return kind
        raise WireError("message", "is not of this side's table")


# `id` of listen, abort and card events lets the bridge apply a QoS 1 repeat once.
FROM_DEVICE = Table(
    (
        "listen",
        "session_id:string id:string state:start|stop|detect mode:auto|manual|realtime=auto"
        " seq:integer=0"  # of the first microphone frame of the turn
        " text:string?",  # the wake word that was heard
    ),
    (
        "abort",
        "session_id:string id:string reason:string=button"
        " seq:integer?",  # last speaker frame that was heard whole
    ),
    ("mcp", "payload:object session_id:string?"),
    (
        "card",
        "event_id:string event:shown|page|action|dismissed id:string rev:integer=0 page:integer?"
        " action:string? session_id:string?",
    ),
    ("played", "session_id:string seq:integer"),
    (
        "event",
        "name:string"  # button, battery, error, crash, microphone
        " text:string? value:number? session_id:string?",
    ),
    ("blob", "id:integer next:integer error:string?"),
    ("goodbye", "session_id:string? reason:string?"),
)

FROM_BRIDGE = Table(
    (
        "hello",
        "session_id:string"
        " audio_params:object"  # format, sample_rate, channels, frame_duration
        " time:integer?"  # Unix seconds, UTC
        " utc_offset:integer=0"  # seconds east of UTC
        " locale:string=en"
        " version:string?",  # of the bridge
    ),
    # Sign of life of a turn: without it a device cannot tell a slow assistant from a dead bridge,
    # because a QoS 1 acknowledgement comes from the broker.
    (
        "turn",
        "session_id:string"
        " id:string"  # of the listen message
        " state:accepted|alive|thinking|done"
        " text:string?",  # progress, or why the turn ended
    ),
    ("stt", "session_id:string text:string partial:boolean=false"),
    (
        "tts",
        "session_id:string state:start|sentence_start|stop text:string?"
        " seq:integer?"  # of the first speaker frame, on start
        " last_seq:integer?"  # of the last one, on stop; absent when none was sent
        " listen:boolean=false",  # the assistant asked: listen after `played`
    ),
    ("llm", "emotion:string session_id:string?"),
    ("mcp", "payload:object session_id:string?"),
    (
        "card",
        "op:show|update|clear id:string?"
        " card:object?"  # voxwire.card, on show and update
        " session_id:string?",
    ),
    (
        "alert",
        "status:string message:string emotion:string=neutral session_id:string?",
    ),
    # command: "hello" asks for a fresh hello, "reboot" restarts
    ("system", "command:string session_id:string?"),
    ("blob", "id:integer next:integer error:string?"),
    ("goodbye", "session_id:string? reason:string?"),
)


def make(table: Table, type_name: str, **values):
    """A message of `type_name` with `values`; absent optional fields take their defaults."""
    kind = table[type_name]
    return kind.make(*fields.read(kind.text, values, type_name))


def encode(table: Table, message) -> bytes:
    """UTF-8 JSON of a message; fields that are None are left out.

    Raises WireError for a message over LIMIT_BYTES or of a class the table does not hold.
    """
    kind = table.kind_of(message)
    data = {"type": kind.type}
    data.update(fields.write(kind.text, message))
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
        data = json.loads(str(payload, "utf-8"))
    # RuntimeError: nesting deeper than the interpreter's stack.
    except (ValueError, RuntimeError):
        raise WireError(part, "is not JSON")
    except MemoryError:
        raise WireError(part, NO_MEMORY)
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    return data


def decode(table: Table, payload: "bytes | memoryview"):
    """The message in `payload`, or None when its type is not in the table."""
    data = load(payload, "message")
    type_name = data.get("type")
    if not isinstance(type_name, str):
        raise WireError("message.type", "is missing" if type_name is None else "must be text")
    kind = table.get(type_name)
    if kind is None:
        return None
    return kind.make(*fields.read(kind.text, data, type_name))
