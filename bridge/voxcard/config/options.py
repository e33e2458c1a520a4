"""Every key of `voxcard.toml` with its default, and the check of a section against that table."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from voxcard.errors import VoxcardError
from voxcard.json_value import Json

PASSWORD_VARIABLE = "VOXCARD_MQTT_PASSWORD"

# Kinds: a type name of TOML as people read it, or the texts a key may be.
Kind = str | tuple[str, ...]
_TYPES: Mapping[str, type] = {
    "text": str,
    "number": int,
    "true or false": bool,
    "list of texts": list,
    "table of texts": dict,
    "table of names": dict,
}


class Option(NamedTuple):
    """One key: kind, default, description, and the limits of a number."""

    kind: Kind
    default: Json
    about: str
    low: int = 0
    high: int = 0


# section -> key -> Option; a section `name.*` has one table a name. "" says: see `about`.
TABLE: Mapping[str, Mapping[str, Option]] = {
    "mqtt": {
        "host": Option("text", "", "the broker; empty: the embedded one"),
        "port": Option("number", 1883, "of that broker; usually 8883 with tls", 1, 65535),
        "user": Option("text", "", "user name at the broker"),
        "password": Option("text", "", f"or `password_file`, or `{PASSWORD_VARIABLE}` in the env"),
        "password_file": Option("text", "", "file whose first line is the password"),
        "tls": Option("true or false", False, "encrypt the connection"),
        "ca_file": Option("text", "", "certificate authority; empty: the system's"),
        "root": Option("text", "voxcard", "first level of every topic"),
        "version": Option("number", 3, "of MQTT: 3 (that is 3.1.1) or 5", 3, 5),
        "embedded": Option("true or false", True, "start our own broker; false once host is set"),
        "accounts": Option(
            "text", "", "folder of passwords; empty: accounts in your state folder"
        ),
        "pairing": Option(
            ("auto", "on", "off"), "auto", "new devices show a code; auto: at an open broker"
        ),
        "listen": Option("text", "127.0.0.1", "address of the embedded broker"),
        "listen_port": Option("number", 1883, "port of the embedded broker", 1, 65535),
    },
    "assistant": {
        "locale": Option("text", "en", "language of the home"),
        "model": Option("text", "", "speech recognition; empty: the assistant's own choice"),
        "voice": Option("text", "", "voice; empty: the assistant's own choice"),
        "sentences": Option("text", "", "your own sentence file"),
        "end_of_speech_ms": Option("number", 600, "silence that ends a turn", 100, 3000),
        "listen_again": Option(
            "true or false", False, "listen once more, silently, after what is unclear"
        ),
        "ranking": Option("list of texts", (), "who answers, the first one first; empty: offline"),
        "wake": Option("table of names", {}, "wake words, and who answers each; none: no word"),
    },
    "announcements": {
        "quiet_hours": Option("text", "", 'such as "22:00-07:00": only urgent ones; empty: none'),
        "in_quiet_hours": Option(("wait", "refuse"), "wait", "what becomes of the others"),
        "wait_s": Option("number", 600, "for a device that is away or busy", 0, 86400),
        "night_mode": Option("true or false", True, "quiet hours switch night mode on and off"),
    },
    "history": {
        "path": Option("text", "", "database; empty: history.sqlite3 in your state folder"),
        "keep_days": Option("number", 30, "older turns and cards are forgotten", 1, 36500),
        "keep_count": Option("number", 1000, "turns and cards kept", 1, 10_000_000),
        "store_audio": Option("true or false", False, "keep what the microphones hear"),
    },
    "cards": {"mode": Option(("full", "text", "off"), "full", "cards on the screens")},
    "log": {"level": Option(("debug", "info", "warning", "error"), "info", "what is logged")},
    "control": {
        "socket": Option("text", "", "of the command line; empty: in your runtime folder"),
        "admin_token": Option("text", "", "with it, admin tools run unconfirmed; empty: never"),
    },
    "web": {
        "public_url": Option("text", "", "where phones reach it; empty: no web server, no links"),
        "listen": Option("text", "127.0.0.1", "address of the web server, for a proxy here"),
        "port": Option("number", 8380, "port of the web server", 1, 65535),
    },
    "discovery": {
        "announce": Option(
            ("auto", "on", "off"), "auto", "mDNS; auto: a broker that devices can reach"
        ),
    },
    "mcp.*": {
        "command": Option("text", "", "program that speaks MCP over stdio, run beside this file"),
        "args": Option("list of texts", (), "its arguments"),
        "env": Option("table of texts", {}, "added to its environment"),
        "url": Option("text", "", "or: address of a streamable HTTP server"),
        "headers": Option("table of texts", {}, "HTTP headers for it"),
        # Under the 60 s that a device waits for an answer.
        "limit_s": Option("number", 20, "seconds a call may take", 1, 55),
    },
    "devices.*": {
        "name": Option("text", "", "what people call it; empty: its id"),
        "cards": Option(("full", "text", "off"), "", "cards on this one; empty: [cards] mode"),
        "locale": Option("text", "", "its language; empty: [assistant] locale"),
        "assistants": Option("list of texts", (), "who answers on it; empty: [assistant] ranking"),
        "quiet_hours": Option("text", "", 'its own, or "off"; empty: [announcements] quiet_hours'),
        "wake": Option("table of names", None, "its wake words; none written: [assistant] wake"),
    },
}


class Reader:
    """Checks parsed TOML; every refusal names the file, the key and the remedy."""

    def __init__(self, file: Path | None) -> None:
        self._where = str(file) if file else "the configuration"

    def refuse(self, problem: str, remedy: str) -> VoxcardError:
        """The error to raise for something in this file."""
        return VoxcardError(f"{self._where}: {problem}", remedy)

    def check_sections(self, data: Mapping[str, Json]) -> None:
        """Refuse a section that is not in the table."""
        known = [*(name.removesuffix(".*") for name in TABLE), "assistants"]
        for name in data:
            if name not in known:
                raise self.refuse(f"[{name}] is not a section.", nearest(name, known))

    def section(self, table: str, data: Json, name: str = "") -> dict[str, Json]:
        """The values of `[name]`, defaults filled in, by the keys of TABLE[table]."""
        return self.values(name or table, data, TABLE[table])

    def values(self, name: str, data: Json, options: Mapping[str, Option]) -> dict[str, Json]:
        """The values of `[name]`, defaults filled in, by the keys of `options`."""
        data = self.table(name, data)
        for key in data:
            if key not in options:
                raise self.refuse(f"[{name}] has no key `{key}`.", nearest(key, options))
        return {
            key: self._value(name, key, option, data[key]) if key in data else option.default
            for key, option in options.items()
        }

    def table(self, name: str, data: Json) -> Mapping[str, Json]:
        """`data`, which is refused when it is no table."""
        if not isinstance(data, Mapping):
            raise self.refuse(f"{name} must be a table.", f"Write it as [{name}].")
        return data

    def tables(self, section: str, data: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
        """The named tables of `[section.*]`, in the file's order."""
        tables = data.get(section, {})
        if not isinstance(tables, Mapping):
            raise self.refuse(f"{section} must be a table.", f"Write it as [{section}.NAME].")
        yield from tables.items()

    def _value(self, section: str, key: str, option: Option, value: Json) -> Json:
        remedy = f"It is: {option.about}."
        subject = f"[{section}] {key}"
        if isinstance(option.kind, tuple):
            if value not in option.kind:
                raise self.refuse(f"{subject} must be one of {', '.join(option.kind)}.", remedy)
            return value
        right = isinstance(value, _TYPES[option.kind])
        if not right or (option.kind == "number" and isinstance(value, bool)):
            raise self.refuse(f"{subject} must be a {option.kind}.", remedy)
        if option.high and not option.low <= value <= option.high:
            span = f"from {option.low} to {option.high}"
            raise self.refuse(f"{subject} must be {span}, not {value}.", remedy)
        inside = value.values() if isinstance(value, Mapping) else value
        if option.kind == "table of names" and not all(map(_is_ranking, inside)):
            remedy = 'Such as: { okay_nabu = "offline" }, or a list: ["first", "then"].'
            raise self.refuse(f"{subject} must hold names, or lists of names.", remedy)
        if option.kind.endswith("of texts") and not all(isinstance(one, str) for one in inside):
            raise self.refuse(f"{subject} must hold only texts.", 'Write each one in "quotes".')
        return tuple(value) if isinstance(value, list) else value


def _is_ranking(value: Json) -> bool:
    names = value if isinstance(value, list) else [value]
    return all(isinstance(name, str) for name in names)


def nearest(name: str, known: Iterable[str]) -> str:
    """What to write instead of `name`."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(known)}."
