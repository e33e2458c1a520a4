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
        "ranking": Option("list of texts", (), "who answers, the first one first; empty: offline"),
    },
    "assistants.*": {
        "kind": Option(
            ("offline", "pipeline", "realtime", "home_assistant", "xiaozhi"),
            "",
            "what it is; there is no default",
        ),
        "locale": Option("text", "", "offline: its language; empty: [assistant] locale"),
        "model": Option("text", "", "offline: speech recognition; empty: its own choice"),
        "voice": Option("text", "", "offline: voice; empty: its own choice"),
        "sentences": Option("text", "", "offline: your own sentence file"),
        "end_of_speech_ms": Option("number", 600, "silence that ends a turn", 100, 3000),
        "chat_url": Option("text", "", "OpenAI-compatible server, up to /v1"),
        "chat_model": Option("text", "", "name of the model there"),
        "chat_key_env": Option("text", "", "environment variable with the key"),
        "chat_key_file": Option("text", "", "or: file whose first line is the key"),
        "stt": Option("text", "local", "speech to text: local, wyoming://host:port or http…/v1"),
        "stt_model": Option("text", "", "model there; empty: the server's own choice"),
        "stt_key_env": Option("text", "", "environment variable with its key"),
        "stt_key_file": Option("text", "", "or: file whose first line is its key"),
        "tts": Option("text", "local", "text to speech: local, wyoming://host:port or http…/v1"),
        "tts_model": Option("text", "", "model there; empty: the server's own choice"),
        "tts_voice": Option("text", "", "voice there; empty: the server's own choice"),
        "tts_key_env": Option("text", "", "environment variable with its key"),
        "tts_key_file": Option("text", "", "or: file whose first line is its key"),
        "prompt": Option("text", "", "your own system prompt; empty: ours"),
        "sees": Option("true or false", False, "the model takes pictures: photos go to it"),
        "limit_s": Option("number", 20, "seconds without a sign of a server", 1, 55),
        "url": Option("text", "", "home_assistant: its address, such as http://name.local:8123"),
        "token_env": Option("text", "", "environment variable with its long-lived access token"),
        "token_file": Option("text", "", "or: file whose first line is the token"),
        "pipeline": Option("text", "", "name or id of its Assist pipeline; empty: its preferred"),
        "devices": Option(
            "table of texts", {}, "device ids there by ours; empty: found by name or MQTT id"
        ),
        "server": Option("text", "", "xiaozhi: ws…://…/xiaozhi/v1/ or http…://…/xiaozhi/ota/"),
        "server_key_env": Option("text", "", "environment variable with its token, if it has one"),
        "server_key_file": Option("text", "", "or: file whose first line is its token"),
        "version": Option("number", 1, "of its binary frames, 1 to 3; most servers know 1", 1, 3),
        "stay_connected": Option("true or false", True, "connected always: it may begin to talk"),
        "realtime_url": Option("text", "wss://api.openai.com/v1", "Realtime server, up to /v1"),
        "realtime_model": Option("text", "gpt-realtime-2", "name of the model there"),
        "realtime_key_env": Option("text", "", "environment variable with its key"),
        "realtime_key_file": Option("text", "", "or: file whose first line is its key"),
        "realtime_voice": Option("text", "", "voice there; empty: the server's own choice"),
        "transcription_model": Option(
            "text", "gpt-realtime-whisper", "writes down what is said; empty: nothing does"
        ),
        "turn_detection": Option(
            ("server_vad", "semantic_vad"), "server_vad", "end of speech: by silence or by sense"
        ),
        "eagerness": Option(
            ("auto", "low", "medium", "high"), "auto", "of semantic_vad: waits 4, 8, 4 or 2 s"
        ),
        "idle_timeout_ms": Option(
            "number", 0, "silence after which it speaks up, from 5000 on; 0: never", 0, 30_000
        ),
        "noise_reduction": Option(
            ("far_field", "near_field", "off"), "far_field", "of the server; off for simple ones"
        ),
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
    },
}
_REALTIME_KEYS = (
    "realtime_url",
    "realtime_model",
    "realtime_key_env",
    "realtime_key_file",
    "realtime_voice",
    "transcription_model",
    "turn_detection",
    "eagerness",
    "idle_timeout_ms",
    "noise_reduction",
)
_OFFLINE_KEYS = ("locale", "model", "voice", "sentences", "end_of_speech_ms")
_PIPELINE_KEYS = (
    "end_of_speech_ms",
    "chat_url",
    "chat_model",
    "chat_key_env",
    "chat_key_file",
    "stt",
    "stt_model",
    "stt_key_env",
    "stt_key_file",
    "tts",
    "tts_model",
    "tts_voice",
    "tts_key_env",
    "tts_key_file",
    "prompt",
    "sees",
    "limit_s",
)
_HOME_ASSISTANT_KEYS = ("url", "token_env", "token_file", "pipeline", "devices", "limit_s")
_XIAOZHI_KEYS = ("server", "server_key_env", "server_key_file", "version", "stay_connected")
# kind of an assistant -> its keys in TABLE["assistants.*"]
KEYS_OF_KIND: Mapping[str, frozenset[str]] = {
    "offline": frozenset(_OFFLINE_KEYS),
    "pipeline": frozenset(_PIPELINE_KEYS),
    "realtime": frozenset({*_REALTIME_KEYS, "end_of_speech_ms", "limit_s", "prompt", "sees"}),
    "home_assistant": frozenset(_HOME_ASSISTANT_KEYS),
    "xiaozhi": frozenset({*_XIAOZHI_KEYS, "limit_s"}),
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
        known = [name.removesuffix(".*") for name in TABLE]
        for name in data:
            if name not in known:
                raise self.refuse(f"[{name}] is not a section.", nearest(name, known))

    def section(self, table: str, data: Json, name: str = "") -> dict[str, Json]:
        """The values of `[name]`, defaults filled in, by the keys of TABLE[table]."""
        name, options = name or table, TABLE[table]
        if not isinstance(data, Mapping):
            raise self.refuse(f"{name} must be a table.", f"Write it as [{name}].")
        for key in data:
            if key not in options:
                raise self.refuse(f"[{name}] has no key `{key}`.", nearest(key, options))
        return {
            key: self._value(name, key, option, data[key]) if key in data else option.default
            for key, option in options.items()
        }

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
        if option.kind.endswith("of texts") and not all(isinstance(one, str) for one in inside):
            raise self.refuse(f"{subject} must hold only texts.", 'Write each one in "quotes".')
        return tuple(value) if isinstance(value, list) else value


def nearest(name: str, known: Iterable[str]) -> str:
    """What to write instead of `name`."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(known)}."
