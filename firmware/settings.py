"""What a person may change on a device, in one table: kinds, limits, defaults."""

import json
from collections import namedtuple

from voxwire.errors import WireError
from voxwire.topics import check_id, check_root
from voxwire.value import Schema
from voxwire.value import check as check_value

Setting = namedtuple("Setting", ("name", "schema", "default"))  # schema: voxwire.value.Schema

# name, kind, limits of a number or of a text's length (low, high), values of a choice, default.
# Constants alone: on a device with frozen code they cost no heap.
TABLE = (
    ("volume", "integer", 0, 100, None, 70),
    ("alarm_volume", "integer", 10, 100, None, 70),  # of what rings: never silent
    ("chime_volume", "integer", 0, 100, None, 60),  # percent of the speech they precede
    ("night", "choice", None, None, ("on", "off"), "off"),  # quieter, darker, without chimes
    ("brightness", "integer", 0, 100, None, 75),
    ("theme", "choice", None, None, ("dark", "light"), "dark"),
    ("guide", "choice", None, None, ("new", "seen"), "new"),  # of the button, shown once
    ("text_size", "choice", None, None, ("small", "normal", "large"), "normal"),  # of faces
    ("camera", "choice", None, None, ("on", "off"), "on"),  # consent: off refuses every photo
    ("microphone", "choice", None, None, ("on", "off"), "on"),  # off: nothing is heard at all
    ("wake", "choice", None, None, ("on", "off"), "off"),  # consent to wait for the wake word
    ("cards", "choice", None, None, ("full", "text", "off"), "full"),
    ("id", "string", 0, 32, None, ""),  # empty: from the chip
    ("name", "string", 0, 48, None, ""),  # shown to people; empty: the board's
    ("locale", "string", 0, 16, None, "en"),
    ("root", "string", 1, 64, None, "voxcard"),  # first part of every topic
    ("host", "string", 0, 128, None, ""),  # of the broker
    ("port", "integer", 1, 65535, None, 1883),
    ("bridge", "string", 0, 64, None, ""),  # id of the one that is looked for; empty: any
    ("user", "string", 0, 64, None, ""),
    ("password", "string", 0, 128, None, ""),
    ("update_key", "string", 0, 64, None, ""),  # of offers, in hex; empty: refuses them all
    ("ca", "string", 0, 128, None, ""),  # file of the broker's CA; empty: no TLS
    ("log", "choice", None, None, ("info", "debug"), "info"),  # the least the console shows
)
# What a stored 0 becomes at start: a device never wakes up mute or dark.
_REVIVED = {"volume": 10, "brightness": 10}
# What makes the values of an older firmware those of this one: each changes a stored object,
# whatever that holds, and is done once. It leaves what is there: an older firmware reads that.
STEPS = ()
_FORMAT = "format"  # how many of them a stored object has had
# What more a text must be, where it is not empty.
_FORMS = {"id": check_id, "root": check_root}


def migrate(data, steps) -> int:
    """Bring a stored object up to date with the steps it has not had; how many it has had then."""
    done = data.get(_FORMAT, 0)
    if type(done) is not int or done < 0:
        done = 0
    for step in steps[done:]:
        step(data)
    return max(done, len(steps))


def _is_writable(value) -> bool:
    """Whether JSON that is written of it is read as the same: a number without end is not."""
    try:
        return bool(json.loads(json.dumps(value)) == value)
    except (ValueError, RuntimeError):
        return False


class SettingError(ValueError):
    """A value the table refuses; the text says what is allowed."""


def find(name: str) -> "Setting | None":
    """The setting of that name, None if there is none."""
    for row in TABLE:
        if row[0] == name:
            return Setting(name, Schema(*row[1:5]), row[5])
    return None


def check(name: str, value):
    """Return `value` as it is kept; SettingError unless the table knows `name` and takes it."""
    setting = find(name)
    if setting is None:
        raise SettingError("There is no setting %s." % name[:32])
    try:
        value = check_value(value, setting.schema, name)
        return _FORMS[name](value) if value and name in _FORMS else value
    except WireError as error:
        raise SettingError("%s %s." % (error.part, error.reason))


class Settings:
    """The values; what was never set is at its default.

    `defaults` are the board's own: they go before the table's and are never stored.
    """

    def __init__(self, defaults=None) -> None:
        self._defaults = defaults or {}
        for name, value in self._defaults.items():
            check(name, value)
        self._values: "dict[str, object]" = {}
        # Stored by a newer firmware: what this one does not know or refuses is stored again.
        self._foreign: "dict[str, object]" = {}
        self._format = 0
        self._watchers = {}  # type: ignore[var-annotated]  # name: [callable]

    def get(self, name: str):
        """The value of a setting; KeyError for a name that the table does not hold."""
        if name in self._values:
            return self._values[name]
        if name in self._defaults:
            return self._defaults[name]
        setting = find(name)
        if setting is None:
            raise KeyError(name)
        return setting.default

    def set(self, name: str, value) -> None:
        """Change one setting and call its watchers; SettingError with what is allowed."""
        self._values[name] = check(name, value)
        self._foreign.pop(name, None)
        for watcher in self._watchers.get(name, ()):
            watcher(value)

    def watch(self, name: str, watcher) -> None:
        """Call `watcher(value)` now and at every change."""
        self._watchers.setdefault(name, []).append(watcher)
        watcher(self.get(name))

    def load(self, data) -> "tuple[list[str], list[str]]":
        """Take stored values; (sentences of what is broken, of what is left as it is stored)."""
        if not isinstance(data, dict):
            return ["The settings are not a JSON object."], []
        # MicroPython's JSON takes numbers as names.
        texts = {name: data[name] for name in data if isinstance(name, str)}
        broken = [] if len(texts) == len(data) else ["A setting has a name that is no text."]
        self._format = migrate(texts, STEPS)
        texts.pop(_FORMAT, None)
        left = []
        for name in sorted(texts):
            try:
                value = check(name, texts[name])
            except SettingError as error:
                if _is_writable(texts[name]):
                    left.append(str(error))
                    self._foreign[name] = texts[name]
                else:
                    broken.append(str(error))
                continue
            self._values[name] = value if value else _REVIVED.get(name, value)
        return broken, left

    def data(self) -> "dict[str, object]":
        """What is to be stored: everything that was set, and what another firmware has stored."""
        data = dict(self._foreign)
        data.update(self._values)
        if self._format:
            data[_FORMAT] = self._format
        return data
