"""What a person may change on a device, in one table: schemas and defaults."""

from collections import namedtuple

from voxwire.errors import WireError
from voxwire.topics import check_id, check_root
from voxwire.value import check as check_value
from voxwire.value import choice, integer, string

# schema: a voxwire.value.Schema.
# revive: what a stored 0 becomes at start, so a device never wakes up mute or dark; None: kept.
Setting = namedtuple("Setting", ("name", "schema", "default", "revive"))


class SettingError(ValueError):
    """A value the table refuses; the text says what is allowed."""


_PERCENT = integer(0, 100)
_SHORT, _LONG = string(64), string(128)

TABLE = {
    setting.name: setting
    for setting in (
        Setting("volume", _PERCENT, 70, 10),
        Setting("brightness", _PERCENT, 75, 10),
        Setting("theme", choice(("dark", "light")), "dark", None),
        Setting("camera", choice(("on", "off")), "on", None),  # consent: off refuses every photo
        Setting("cards", choice(("full", "text", "off")), "full", None),
        Setting("id", string(32), "", None),  # empty: from the chip
        Setting("name", string(48), "", None),  # shown to people; empty: the board's
        Setting("locale", string(16), "en", None),
        Setting("root", string(64, low=1), "voxcard", None),  # first part of every topic
        Setting("host", _LONG, "", None),  # of the broker
        Setting("port", integer(1, 65535), 1883, None),
        Setting("user", _SHORT, "", None),
        Setting("password", _LONG, "", None),
        Setting("ca", _LONG, "", None),  # file of the broker's CA; empty: no TLS
        Setting("log", choice(("info", "debug")), "info", None),  # the least the console shows
    )
}


# What more a text must be, where it is not empty.
_FORMS = {"id": check_id, "root": check_root}


def check(name: str, value):
    """Return `value` as it is kept; SettingError unless the table knows `name` and takes it."""
    setting = TABLE.get(name)
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
        self._watchers = {}  # type: ignore[var-annotated]  # name: [callable]

    def get(self, name: str):
        """The value of a setting; KeyError for a name that the table does not hold."""
        if name in self._values:
            return self._values[name]
        return self._defaults.get(name, TABLE[name].default)

    def set(self, name: str, value) -> None:
        """Change one setting and tell its watchers; SettingError with what is allowed."""
        self._values[name] = check(name, value)
        for watcher in self._watchers.get(name, ()):
            watcher(value)

    def watch(self, name: str, watcher) -> None:
        """Call `watcher(value)` now and at every change."""
        self._watchers.setdefault(name, []).append(watcher)
        watcher(self.get(name))

    def load(self, data) -> "list[str]":
        """Take stored values; returns a sentence for each that was left out."""
        if not isinstance(data, dict):
            return ["The settings are not a JSON object."]
        # MicroPython's JSON takes numbers as names.
        names = sorted([name for name in data if isinstance(name, str)])
        problems = [] if len(names) == len(data) else ["A setting has a name that is no text."]
        for name in names:
            try:
                value = check(name, data[name])
            except SettingError as error:
                problems.append(str(error))
                continue
            revive = TABLE[name].revive
            self._values[name] = revive if revive is not None and value == 0 else value
        return problems

    def data(self) -> "dict[str, object]":
        """What is to be stored: everything that was set."""
        return dict(self._values)
