"""What a person may change on a device, in one table: kinds, defaults, limits."""

from collections import namedtuple

# low, high: of a whole number or of a text's length; values: of a choice.
# revive: what a stored 0 becomes at start, so a device never wakes up mute or dark; None: kept.
Setting = namedtuple("Setting", ("name", "kind", "default", "low", "high", "values", "revive"))


class SettingError(ValueError):
    """A value the table refuses; the text says what is allowed."""


def _integer(name, default, low, high, revive=None):
    return Setting(name, "integer", default, low, high, None, revive)


def _text(name, default, high):
    return Setting(name, "text", default, 0, high, None, None)


def _choice(name, default, values):
    return Setting(name, "choice", default, None, None, values, None)


TABLE = {
    setting.name: setting
    for setting in (
        _integer("volume", 70, 0, 100, revive=10),  # percent
        _integer("brightness", 75, 0, 100, revive=10),  # percent
        _choice("theme", "dark", ("dark", "light")),
        _choice("camera", "on", ("on", "off")),  # consent: off refuses every photo
        _choice("cards", "full", ("full", "text", "off")),
        _text("id", "", 32),  # empty: from the chip
        _text("name", "", 48),  # shown to people; empty: the board's
        _text("locale", "en", 16),
        _text("root", "voxcard", 64),  # first part of every topic
        _text("host", "", 128),  # of the broker
        _integer("port", 1883, 1, 65535),
        _text("user", "", 64),
        _text("password", "", 128),
        _text("ca", "", 128),  # file with the broker's CA; empty: a plain connection
    )
}


def allowed(setting) -> str:
    """What the setting takes, as the end of the sentence "NAME must be ..."."""
    if setting.kind == "integer":
        return "a whole number from %d to %d" % (setting.low, setting.high)
    if setting.kind == "choice":
        return "one of " + ", ".join(setting.values)
    return "text of %d to %d characters" % (setting.low, setting.high)


def check(name: str, value):
    """Return `value`; SettingError unless the table knows `name` and takes the value."""
    setting = TABLE.get(name)
    if setting is None:
        raise SettingError("There is no setting %s." % name)
    if setting.kind == "integer":
        right = isinstance(value, int) and not isinstance(value, bool)
        right = right and setting.low <= value <= setting.high
    elif setting.kind == "choice":
        right = isinstance(value, str) and value in setting.values
    else:
        right = isinstance(value, str) and setting.low <= len(value) <= setting.high
    if not right:
        raise SettingError("%s must be %s." % (name, allowed(setting)))
    return value


class Settings:
    """The values; what was never set is at its default.

    `defaults` are the board's own: they go before the table's and are never stored.
    """

    def __init__(self, defaults=None) -> None:
        self._defaults = defaults or {}
        for name, value in self._defaults.items():
            check(name, value)
        self._values = {}
        self._watchers = {}

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

    def load(self, data) -> list:
        """Take stored values; returns a sentence for each that was left out."""
        if not isinstance(data, dict):
            return ["The settings are not a JSON object."]
        problems = []
        for name in sorted(data):
            try:
                value = check(name, data[name])
            except SettingError as error:
                problems.append(str(error))
                continue
            revive = TABLE[name].revive
            self._values[name] = revive if revive is not None and value == 0 else value
        return problems

    def data(self) -> dict:
        """What is to be stored: everything that was set."""
        return dict(self._values)
