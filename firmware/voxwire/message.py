"""Control messages: one JSON object each, named by `type`, as a table of kinds and fields.

`FROM_DEVICE` and `FROM_BRIDGE` hold what each side may say (design section 3.2). What acts
carries the id of the session: without it, it may be of another time. A message is a
plain namedtuple of its kind, and its class is an attribute of this module: `message.Listen`.
message.pyi, written from these tables, types them all. `decode` returns None for a type that the
table does not know, so a newer peer can say more than an older one understands.
"""

import json
from collections import namedtuple

from voxwire import fields
from voxwire.errors import WireError
from voxwire.json_text import loads

LIMIT_BYTES = 8192
TEXT_MAX = 1000  # characters of a text that the bridge sends

# MicroPython writes UTF-8 and knows no ensure_ascii; CPython writes it as well, because an escaped
# character outside of the first plane costs a device more to read.
try:
    json.dumps("", ensure_ascii=False)
    _UTF8 = {"ensure_ascii": False}
except TypeError:
    _UTF8 = {}


class Kind:
    """One kind of message: its `type`, its fields as a text (module fields), its class `make`."""

    def __init__(self, type_name: str, text: str, class_name: str = "") -> None:
        self.type = type_name
        self.text = text
        class_name = class_name or type_name[0].upper() + type_name[1:]
        self.make = namedtuple(class_name, tuple(field.name for field in self.fields))

    @property
    def fields(self):
        """The Field of each, in the order of `make`."""
        return tuple(fields.parsed(self.text))

    def read(self, data):
        """The message with the values of the JSON object `data`; WireError names a wrong one."""
        return self.make(*fields.read(self.text, data, self.type))


_kinds = {}  # by row and by class; a row that both tables hold is one kind


def _kind(row) -> Kind:
    kind = _kinds.get(row)
    if kind is None:
        kind = _kinds[row] = Kind(*row)
        _kinds[kind.make] = kind
    return kind


class Table:
    """Kinds by type. Each is made when it is first asked for: a device meets few of them."""

    def __init__(self, *rows) -> None:
        self._rows = rows

    def __iter__(self):
        return iter([row[0] for row in self._rows])

    def __getitem__(self, type_name: str) -> Kind:
        kind = self.get(type_name)
        if kind is None:
            raise KeyError(type_name)
        return kind

    def get(self, type_name: str) -> "Kind | None":
        """The kind of that type, None for a type that the table does not know."""
        for row in self._rows:
            if row[0] == type_name:
                return _kind(row)
        return None

    def values(self):
        """Every kind."""
        return [_kind(row) for row in self._rows]

    def kind_of(self, message) -> Kind:
        """The kind of a message; WireError when it is of another table."""
        kind = _kinds.get(type(message))
        if kind is None or self.get(kind.type) is not kind:
            raise WireError("message", "is not of this side's table")
        return kind


# A sequence number of audio frames (voxwire.audio) has 16 bits, an id of a blob as well.
_MCP = ("mcp", "payload:object session_id:string")
_BLOB = ("blob", "id:0..65535 next:0..65536 error:string?")
_GOODBYE = ("goodbye", "session_id:string reason:string?")

# `id` of listen, abort and card events lets the bridge apply a QoS 1 repeat once.
FROM_DEVICE = Table(
    (
        "listen",
        "session_id:string id:string state:start|stop|detect"
        " mode:auto|manual|realtime|wake=auto"  # wake: sound in which a wake word is looked for
        " seq:0..65535?"  # start: of the turn's first microphone frame; stop: of the next one
        " text:string?",  # the wake word that was heard
    ),
    (
        "abort",
        "session_id:string id:string reason:string=button"
        " seq:0..65535?",  # last speaker frame that was heard whole
    ),
    _MCP,
    (
        "card",
        "event_id:string event:shown|page|action|dismissed id:string rev:0..1073741823=0"
        " page:0..65535? action:string? session_id:string",
        "CardEvent",
    ),
    ("played", "session_id:string seq:0..65535?"),  # absent: of what was cut none was heard whole
    (
        "event",
        "name:string"  # button, battery, error, crash, microphone
        " text:string? value:number? session_id:string",
    ),
    # All that the device keeps, after a hello and at each change (timers.face.report).
    ("timers", "session_id:string entries:array"),
    _BLOB,
    # Of an offer (voxwire.release), on the channel of its own; needs no session.
    (
        "update",
        "serial:0..999999999999999"  # of the offer; 0: it could not be read
        " state:fetch|waiting|refused|installed|confirmed|fell_back"
        " path:string? at:0..16777216? size:1..16384?"  # fetch: what is wanted; "": the manifest
        " reason:string?",  # refused, fell_back: one sentence
    ),
    _GOODBYE,
)

FROM_BRIDGE = Table(
    (
        "hello",
        "session_id:string"
        " audio_params:object"  # format, sample_rate, channels, frame_duration
        " time:0..4294967295?"  # Unix seconds, UTC
        " utc_offset:-86400..86400=0"  # seconds east of UTC
        " next_offset:-86400..86400?"  # what it will be,
        " offset_at:0..4294967295?"  # from then on, Unix seconds
        " locale:string=en"
        " version:string?"  # of the bridge
        " wake:boolean?",  # it looks for wake words in what the device sends in mode wake
    ),
    # The same in a session: the offset has changed, or its next change is another.
    (
        "clock",
        "session_id:string time:0..4294967295 utc_offset:-86400..86400"
        " next_offset:-86400..86400? offset_at:0..4294967295?",
    ),
    # Sign of life of a turn: without it a device cannot tell a slow assistant from a dead bridge,
    # because a QoS 1 acknowledgement comes from the broker.
    (
        "turn",
        "session_id:string"
        " id:string"  # of the listen message
        " state:accepted|alive|thinking|done|listening"  # listening: again, the microphone is open
        " text:string?"  # progress, or why the turn ended
        " hear_ms:0..2000?",  # thinking: so long the microphone stays on, unless `listening` comes
    ),
    # The wake word `text` was heard in the sound of `listen` `id`: the device begins its turn.
    ("wake", "session_id:string id:string text:string"),
    ("stt", "session_id:string text:string partial:boolean=false"),
    (
        "tts",
        "session_id:string state:start|sentence_start|stop text:string?"
        " seq:0..65535?"  # of the first speaker frame, on start and on stop
        " last_seq:0..65535?"  # of the last one, on stop; absent when none was sent
        " listen:boolean=false"  # the assistant asked: listen after `played`
        " cut:boolean=false",  # on stop: silence at once; `played` says what was heard
    ),
    ("llm", "emotion:string session_id:string"),
    _MCP,
    (
        "card",
        "op:show|update|clear id:string?"
        " card:object?"  # voxwire.card, on show and update
        " session_id:string",
        "CardOrder",
    ),
    # Without a session: why the device's hello opened none.
    ("alert", "status:string message:string emotion:string=neutral session_id:string?"),
    # command: "hello" asks for a fresh hello and needs no session, "reboot" restarts.
    ("system", "command:string session_id:string?"),
    _BLOB,
    _GOODBYE,
)


def __getattr__(name: str):
    """The class of a message by its name, made when it is first asked for."""
    for table in (FROM_DEVICE, FROM_BRIDGE):
        for kind in table.values():
            if kind.make.__name__ == name:
                return kind.make
    raise AttributeError(name)


def make(table: Table, type_name: str, **values):
    """A message of `type_name` with `values`; absent optional fields take their defaults."""
    return table[type_name].read(values)


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
        text = json.dumps(data, separators=(",", ":"), **_UTF8).encode()
    except (TypeError, ValueError, RuntimeError) as error:
        raise WireError(part, "cannot be written as JSON (%s)" % error)
    if len(text) > LIMIT_BYTES:
        raise WireError(part, "is %d bytes, the limit is %d" % (len(text), LIMIT_BYTES))
    return text


def load(payload, part: str):
    """The JSON object in `payload` (bytes or memoryview); WireError if it is none."""
    if len(payload) > LIMIT_BYTES:
        raise WireError(part, "is %d bytes, the limit is %d" % (len(payload), LIMIT_BYTES))
    data = loads(payload, part)
    if not isinstance(data, dict):
        raise WireError(part, "must be a JSON object")
    return data


def decode(table: Table, payload: "bytes | memoryview"):
    """(type name, message) in `payload`, or None when the table does not know the type."""
    data = load(payload, "message")
    type_name = data.get("type")
    if not isinstance(type_name, str):
        raise WireError("message.type", "is missing" if type_name is None else "must be text")
    kind = table.get(type_name)
    return None if kind is None else (type_name, kind.read(data))
