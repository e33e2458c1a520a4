"""What the bridge was told: `voxcard.toml` as frozen values."""

import json
import os
import re
import tempfile
import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
from voxwire.errors import WireError
from voxwire.topics import check_root

from voxcard import broker_host
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.options import PASSWORD_VARIABLE, Reader

FILE_NAME = "voxcard.toml"
# Names of tools begin with these; a server of such a name would hide them.
RESERVED = ("self", "bridge", "device")
_SERVER_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
# A code of a longer one would not fit a small screen.
_PUBLIC_URL = re.compile(r"(?=.{,64}\Z)https?://[A-Za-z0-9.:\[\]-]+(?:/[A-Za-z0-9._~/-]*)?")
_DEVICE_ID = re.compile(r"[a-z0-9-]{1,32}")
# Keys that say how to reach the broker that `host` names; our own needs none of them.
_OF_HOST = ("port", "user", "password", "password_file", "tls", "ca_file", "version")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A text that is not printed by accident: only `value` shows it."""

    value: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __str__(self) -> str:
        return "***" if self.value else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mqtt:
    """The broker. `host` and `port` are the embedded one's when `embedded` is true."""

    host: str
    port: int
    user: str
    password: Secret
    tls: bool
    ca_file: str
    root: str
    version: int  # 3 (that is 3.1.1) or 5
    embedded: bool
    accounts: Path  # folder of users and passwords
    pairing: str  # auto, on or off


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    kind: str
    locale: str
    model: str
    voice: str
    sentences: str  # path, or ""
    end_of_speech_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """An MCP server: `command` over stdio (run in `folder`) or `url` over streamable HTTP."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold secrets
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # as above
    limit_s: float | None = None  # of a call; None: as every tool
    folder: Path = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    path: Path
    keep_days: int
    keep_count: int
    store_audio: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    name: str
    cards: str  # full, text or off
    locale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    socket: Path
    admin_token: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """The web server, which is there when it has a `public_url` (https://name, no final /)."""

    public_url: str
    listen: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole file. `file` is None when there is none."""

    file: Path | None
    mqtt: Mqtt
    assistant: Assistant
    mcp: tuple[McpServer, ...]
    history: History
    cards: str  # full, text or off; a device may have its own
    devices: Mapping[str, Device]
    log_level: str
    control: Control
    web: Web

    def device(self, device_id: str) -> Device:
        """The options of a device, the home's where it has none of its own."""
        home = Device(name=device_id, cards=self.cards, locale=self.assistant.locale)
        return self.devices.get(device_id, home)


def find(folder: Path) -> Path | None:
    """The file to read: `voxcard.toml` in `folder`, else in the user's folder, else none."""
    places = (folder, platformdirs.user_config_path("voxcard"))
    return next((place / FILE_NAME for place in places if (place / FILE_NAME).is_file()), None)


def load(file: Path | None = None, *, environ: Mapping[str, str] = os.environ) -> Config:
    """Read `file`, or the one `find` names, or none; VoxcardError says what to change in it."""
    file = file or find(Path.cwd())
    if file is None:
        return parse({}, environ=environ)
    try:
        # Editors on Windows begin a file with a byte order mark.
        data = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        remedy = "Name another file with --config."
        raise VoxcardError(f"{file} cannot be read: {error.strerror}.", remedy) from error
    except ValueError as error:  # not TOML, or not UTF-8
        raise VoxcardError(f"{file} is not TOML: {error}.", "Correct that place.") from error
    except RecursionError as error:
        problem = f"{file} nests its values too deeply."
        raise VoxcardError(problem, "Write them flatter.") from error
    return parse(data, file=file.absolute(), environ=environ)


def parse(
    data: Mapping[str, Json],
    *,
    file: Path | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """The Config in parsed TOML. Relative paths start at the folder of `file`."""
    reader = Reader(file)
    reader.check_sections(data)
    read = {
        name: reader.section(name, data.get(name, {}))
        for name in ("mqtt", "assistant", "history", "cards", "log", "control", "web")
    }
    folder = file.parent if file else Path.cwd()
    assistant, history, control = read["assistant"], read["history"], read["control"]
    assistant["sentences"] = _path_in(folder, assistant["sentences"])
    database, socket = history.pop("path"), control["socket"]
    devices = {
        name: _device(reader, name, own, read["cards"]["mode"], assistant["locale"])
        for name, own in reader.tables("devices", data)
    }
    return Config(
        file=file,
        mqtt=_mqtt(reader, read["mqtt"], frozenset(data.get("mqtt", ())), folder, environ),
        assistant=Assistant(**assistant),
        mcp=tuple(_server(reader, name, own, folder) for name, own in reader.tables("mcp", data)),
        history=History(path=_or(folder, database, _state("history.sqlite3")), **history),
        cards=read["cards"]["mode"],
        devices=devices,
        log_level=read["log"]["level"],
        control=Control(
            socket=_or(folder, socket, _runtime("control.sock")),
            admin_token=Secret(value=control["admin_token"]),
        ),
        web=_web(reader, read["web"]),
    )


def _mqtt(
    reader: Reader,
    read: dict[str, Json],
    said: frozenset[str],
    folder: Path,
    environ: Mapping[str, str],
) -> Mqtt:
    """`said`: the keys that stand in the file."""
    listen, listen_port = read.pop("listen"), read.pop("listen_port")
    if read["version"] == 4:
        raise reader.refuse("[mqtt] version must be 3 or 5, not 4.", "3 stands for MQTT 3.1.1.")
    if read["host"]:
        if "embedded" in said and read["embedded"]:
            remedy = "Keep one of them."
            raise reader.refuse("[mqtt] has a host and an embedded broker.", remedy)
        read["embedded"] = False
    elif not read["embedded"]:
        raise reader.refuse("[mqtt] names no broker.", "Set host, or leave embedded out.")
    else:
        _refuse_stray(reader, said)
        read |= {"host": listen, "port": listen_port}
    _check_address(reader, "listen" if read["embedded"] else "host", read["host"])
    try:
        check_root(read["root"])
    except WireError as error:
        remedy = 'It is the first level of every topic, for example "voxcard".'
        raise reader.refuse(f"[mqtt] root {error.reason}.", remedy) from error
    password_file = read.pop("password_file")
    password = environ.get(PASSWORD_VARIABLE) or read["password"]
    if password_file and not password:
        password = _first_line(reader, folder / password_file)
    paths = {
        "ca_file": _path_in(folder, read["ca_file"]),
        "accounts": _or(folder, read["accounts"], _state("accounts")),
    }
    return Mqtt(**{**read, **paths, "password": Secret(value=password)})


def _check_address(reader: Reader, key: str, host: str) -> None:
    try:
        broker_host.check(host)
    except ValueError as error:
        remedy = f"Write {key} = {json.dumps(broker_host.bare(host), ensure_ascii=False)}; "
        remedy += "port, user and tls have keys of their own."
        raise reader.refuse(f"[mqtt] {key} must be {error}.", remedy) from error


def _refuse_stray(reader: Reader, said: frozenset[str]) -> None:
    """A key about a broker that is not named would be silently without effect."""
    for key in _OF_HOST:
        if key in said:
            own = ", or listen_port for our own" if key == "port" else ", or leave it out"
            remedy = f"Set host to the broker it is about{own}."
            raise reader.refuse(f"[mqtt] has a {key} and no host.", remedy)


def _first_line(reader: Reader, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").partition("\n")[0].strip()
    except (OSError, ValueError) as error:
        problem = f"[mqtt] password_file {path} cannot be read."
        raise reader.refuse(problem, "Check its name and who may read it.") from error


def _web(reader: Reader, read: dict[str, Json]) -> Web:
    url = read["public_url"] = read["public_url"].rstrip("/")
    if url and not _PUBLIC_URL.fullmatch(url):
        remedy = "Write https://name or http://name, at most 64 characters; a path may follow."
        raise reader.refuse("[web] public_url is no web address.", remedy)
    return Web(**read)


def _server(reader: Reader, name: str, data: Json, folder: Path) -> McpServer:
    if not _SERVER_NAME.fullmatch(name) or name in RESERVED:
        remedy = f"Use a-z, 0-9, - and _, at most 32, and none of {', '.join(RESERVED)}."
        raise reader.refuse(f"[mcp.{name}] is not a name for a server.", remedy)
    read = reader.section("mcp.*", data, f"mcp.{name}")
    if bool(read["command"]) == bool(read["url"]):
        remedy = "Give exactly one of them: command for a program, url for a web server."
        raise reader.refuse(f"[mcp.{name}] needs a command or a url.", remedy)
    if read["url"] and not read["url"].startswith(("http://", "https://")):
        remedy = "Start it with https:// or http://."
        raise reader.refuse(f"[mcp.{name}] url is no web address.", remedy)
    return McpServer(name=name, folder=folder, **read)


def _device(reader: Reader, name: str, data: Json, cards: str, locale: str) -> Device:
    if not _DEVICE_ID.fullmatch(name):
        remedy = "An id has 1 to 32 of a-z, 0-9 and the hyphen; see: voxcard devices"
        raise reader.refuse(f"[devices.{name}] is not a device id.", remedy)
    read = reader.section("devices.*", data, f"devices.{name}")
    return Device(
        name=read["name"] or name,
        cards=read["cards"] or cards,
        locale=read["locale"] or locale,
    )


def _path_in(folder: Path, path: str) -> str:
    return str(folder / Path(path).expanduser()) if path else ""


def _or(folder: Path, path: str, default: Path) -> Path:
    return folder / Path(path).expanduser() if path else default


def _state(name: str) -> Path:
    return platformdirs.user_state_path("voxcard") / name


def _runtime(name: str) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a system without a runtime folder
        place = platformdirs.user_runtime_path("voxcard")
    # Anyone can make a folder under /tmp before us; the state folder is the user's own.
    if place.is_relative_to(tempfile.gettempdir()):
        return _state(name)
    return place / name
