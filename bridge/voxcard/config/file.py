"""Reads `voxcard.toml`: finds it, parses it, checks every section."""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path

import platformdirs

from voxcard.announce.quiet_hours import QuietHours, parse_hours
from voxcard.config.assistants_section import AssistantsSection
from voxcard.config.mqtt_section import read_mqtt
from voxcard.config.options import TABLE, Reader
from voxcard.config.paths import name_or_path, path_in, path_or, runtime, state
from voxcard.config.values import (
    OFFLINE,
    Announcements,
    Assistant,
    Config,
    Control,
    Device,
    History,
    McpServer,
    Mqtt,
    Secret,
    Web,
)
from voxcard.errors import VoxcardError
from voxcard.json_value import Json

FILE_NAME = "voxcard.toml"
# Names of tools begin with these; a server of such a name would hide them.
RESERVED = ("self", "bridge", "device")
_SERVER_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
# A code of a longer one would not fit a small screen.
_PUBLIC_URL = re.compile(r"(?=.{,64}\Z)https?://[A-Za-z0-9.:\[\]-]+(?:/[A-Za-z0-9._~/-]*)?")
_DEVICE_ID = re.compile(r"[a-z0-9-]{1,32}")


def find(folder: Path) -> Path | None:
    """The file to read: `voxcard.toml` in `folder`, else in the user's folder, else none."""
    folders = (folder, platformdirs.user_config_path("voxcard"))
    return next((each / FILE_NAME for each in folders if (each / FILE_NAME).is_file()), None)


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
    sections = {
        name: reader.section(name, data.get(name, {})) for name in TABLE if not name.endswith(".*")
    }
    folder = file.parent if file else Path.cwd()
    written = frozenset(data.get("mqtt", ()))
    assistant = _assistant(sections["assistant"], folder)
    section = AssistantsSection(reader, folder, environ)
    assistants = section.read(data, assistant)
    section.ranking("[assistant] ranking", assistant.ranking, tuple(assistants))
    wake = section.wake("[assistant] wake", assistant.wake, tuple(assistants))
    assistants[OFFLINE] = assistant = replace(assistant, wake=wake)
    cards = sections["cards"]["mode"]
    announcements = _announcements(reader, sections["announcements"])
    devices = _devices(reader, data, cards, assistant, announcements)
    devices = _with_rankings(devices, section, tuple(assistants))
    mqtt = read_mqtt(reader, sections["mqtt"], written, folder, environ)
    return Config(
        file=file,
        mqtt=mqtt,
        assistant=assistant,
        assistants=assistants,
        mcp=tuple(_server(reader, name, own, folder) for name, own in reader.tables("mcp", data)),
        history=_history(sections["history"], folder),
        cards=cards,
        devices=devices,
        log_level=sections["log"]["level"],
        control=_control(sections["control"], folder),
        announce=_announce(reader, sections["discovery"], mqtt),
        web=_web(reader, sections["web"]),
        announcements=announcements,
    )


def _with_rankings(
    devices: Mapping[str, Device], section: AssistantsSection, known: Sequence[str]
) -> dict[str, Device]:
    """The devices, every assistant that answers on them being `known`."""
    checked = {}
    for name, device in devices.items():
        section.ranking(f"[devices.{name}] assistants", device.assistants, known)
        wake = section.wake(f"[devices.{name}] wake", device.wake, known)
        checked[name] = replace(device, wake=wake)
    return checked


def _assistant(section: Mapping[str, Json], folder: Path) -> Assistant:
    paths = {
        "sentences": path_in(folder, section["sentences"]),
        "model": name_or_path(folder, section["model"]),
        "voice": name_or_path(folder, section["voice"]),
    }
    return Assistant(**{**section, **paths, "ranking": section["ranking"] or (OFFLINE,)})


def _history(section: Mapping[str, Json], folder: Path) -> History:
    path = path_or(folder, section["path"], state("history.sqlite3"))
    return History(**{**section, "path": path})


def _control(section: Mapping[str, Json], folder: Path) -> Control:
    return Control(
        socket=path_or(folder, section["socket"], runtime("control.sock")),
        admin_token=Secret(value=section["admin_token"]),
    )


def _announce(reader: Reader, section: Mapping[str, Json], mqtt: Mqtt) -> str:
    if section["announce"] == "on" and mqtt.embedded and IPv4Address(mqtt.host).is_loopback:
        problem = "[discovery] announces our own broker, which this computer alone reaches."
        raise reader.refuse(problem, 'Set [mqtt] listen = "0.0.0.0", or leave announce out.')
    return str(section["announce"])


def _announcements(reader: Reader, section: Mapping[str, Json]) -> Announcements:
    hours = _quiet_hours(reader, "[announcements]", section["quiet_hours"])
    return Announcements(**{**section, "quiet_hours": hours})


def _quiet_hours(reader: Reader, section: str, text: str) -> QuietHours | None:
    if text in ("", "off"):
        return None
    try:
        return parse_hours(text)
    except ValueError as error:
        problem = f"{section} quiet_hours are no span of the day."
        raise reader.refuse(problem, 'Write them as "22:00-07:00".') from error


def _web(reader: Reader, section: Mapping[str, Json]) -> Web:
    url = section["public_url"].rstrip("/")
    if url and not _PUBLIC_URL.fullmatch(url):
        remedy = "Write https://name or http://name, at most 64 characters; a path may follow."
        raise reader.refuse("[web] public_url is no web address.", remedy)
    return Web(**{**section, "public_url": url})


def _server(reader: Reader, name: str, data: Json, folder: Path) -> McpServer:
    if not _SERVER_NAME.fullmatch(name) or name in RESERVED:
        remedy = f"Use a-z, 0-9, - and _, at most 32, and none of {', '.join(RESERVED)}."
        raise reader.refuse(f"[mcp.{name}] is not a name for a server.", remedy)
    section = reader.section("mcp.*", data, f"mcp.{name}")
    if bool(section["command"]) == bool(section["url"]):
        remedy = "Give exactly one of them: command for a program, url for a web server."
        raise reader.refuse(f"[mcp.{name}] needs a command or a url.", remedy)
    if section["url"] and not section["url"].startswith(("http://", "https://")):
        remedy = "Start it with https:// or http://."
        raise reader.refuse(f"[mcp.{name}] url is no web address.", remedy)
    return McpServer(name=name, folder=folder, **section)


def _devices(
    reader: Reader,
    data: Mapping[str, Json],
    cards: str,
    home: Assistant,
    announcements: Announcements,
) -> dict[str, Device]:
    tables = reader.tables("devices", data)
    quiet = announcements.quiet_hours
    return {name: _device(reader, name, own, cards, home, quiet) for name, own in tables}


def _device(
    reader: Reader, name: str, data: Json, cards: str, home: Assistant, quiet: QuietHours | None
) -> Device:
    if not _DEVICE_ID.fullmatch(name):
        remedy = "An id has 1 to 32 of a-z, 0-9 and the hyphen; see: voxcard devices"
        raise reader.refuse(f"[devices.{name}] is not a device id.", remedy)
    section = reader.section("devices.*", data, f"devices.{name}")
    own_quiet = section["quiet_hours"]
    return Device(
        name=section["name"] or name,
        cards=section["cards"] or cards,
        locale=section["locale"] or home.locale,
        assistants=section["assistants"] or home.ranking,
        wake=home.wake if section["wake"] is None else section["wake"],
        quiet_hours=_quiet_hours(reader, f"[devices.{name}]", own_quiet) if own_quiet else quiet,
    )
