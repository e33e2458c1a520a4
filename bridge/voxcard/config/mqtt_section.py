"""Reads the section [mqtt]: which broker, and the bridge's account on it."""

import json
from collections.abc import Mapping
from ipaddress import IPv4Address
from pathlib import Path

from voxwire.errors import WireError
from voxwire.topics import check_root

from voxcard.config.broker_host import bare, check
from voxcard.config.options import PASSWORD_VARIABLE, Reader
from voxcard.config.paths import path_in, path_or, state
from voxcard.config.values import Mqtt, Secret
from voxcard.json_value import Json

ROOT_MAX = 100
# Keys that say how to reach the broker that `host` names; our own needs none of them.
_OF_HOST = ("port", "user", "password", "password_file", "tls", "ca_file", "version")


def read_mqtt(
    reader: Reader,
    values: dict[str, Json],
    written: frozenset[str],
    folder: Path,
    environ: Mapping[str, str],
) -> Mqtt:
    """The section in `values`, of which the file in `folder` has the keys `written`."""
    address = _address(reader, values, written)
    _check_host(reader, "listen" if address["embedded"] else "host", address["host"])
    if address["embedded"]:
        _check_listen(reader, address["host"])
    _check_root(reader, values["root"])
    return Mqtt(
        **address,
        user=values["user"],
        password=Secret(value=_password(reader, values, folder, environ)),
        tls=values["tls"],
        ca_file=path_in(folder, values["ca_file"]),
        root=values["root"],
        version=values["version"],
        accounts=path_or(folder, values["accounts"], state("accounts")),
        pairing=values["pairing"],
    )


def _address(
    reader: Reader, values: Mapping[str, Json], written: frozenset[str]
) -> dict[str, Json]:
    """Mqtt's `embedded`, `host` and `port`."""
    if values["version"] == 4:
        raise reader.refuse("[mqtt] version must be 3 or 5, not 4.", "3 stands for MQTT 3.1.1.")
    if values["host"]:
        if "embedded" in written and values["embedded"]:
            remedy = "Keep one of them."
            raise reader.refuse("[mqtt] has a host and an embedded broker.", remedy)
        return {"embedded": False, "host": values["host"], "port": values["port"]}
    if not values["embedded"]:
        raise reader.refuse("[mqtt] names no broker.", "Set host, or leave embedded out.")
    _refuse_stray(reader, written)
    return {"embedded": True, "host": values["listen"], "port": values["listen_port"]}


def _refuse_stray(reader: Reader, written: frozenset[str]) -> None:
    """A key about a broker that is not named would be silently without effect."""
    for key in _OF_HOST:
        if key in written:
            own = ", or listen_port for our own" if key == "port" else ", or leave it out"
            remedy = f"Set host to the broker it is about{own}."
            raise reader.refuse(f"[mqtt] has a {key} and no host.", remedy)


def _check_host(reader: Reader, key: str, host: str) -> None:
    try:
        check(host)
    except ValueError as error:
        remedy = f"Write {key} = {json.dumps(bare(host), ensure_ascii=False)}; "
        remedy += "port, user and tls have keys of their own."
        raise reader.refuse(f"[mqtt] {key} must be {error}.", remedy) from error


def _check_listen(reader: Reader, host: str) -> None:
    """rumqttd takes an address, no name, and here no IPv6."""
    try:
        IPv4Address(host)
    except ValueError as error:
        remedy = 'Write "127.0.0.1" for this computer alone, "0.0.0.0" for your network.'
        raise reader.refuse("[mqtt] listen must be an IPv4 address.", remedy) from error


def _check_root(reader: Reader, root: str) -> None:
    if len(root) > ROOT_MAX:
        problem = f"[mqtt] root has {len(root)} characters, the limit is {ROOT_MAX}."
        raise reader.refuse(problem, "Every topic begins with it: choose a short one.")
    try:
        check_root(root)
    except WireError as error:
        remedy = 'It is the first level of every topic, for example "voxcard".'
        raise reader.refuse(f"[mqtt] root {error.reason}.", remedy) from error


def _password(
    reader: Reader, values: Mapping[str, Json], folder: Path, environ: Mapping[str, str]
) -> str:
    """Of the environment, else of the file, else of the file that the file names."""
    password = str(environ.get(PASSWORD_VARIABLE) or values["password"])
    if password or not values["password_file"]:
        return password
    path = folder / str(values["password_file"])
    try:
        return path.read_text(encoding="utf-8-sig").partition("\n")[0].strip()
    except (OSError, ValueError) as error:
        problem = f"[mqtt] password_file {path} cannot be read."
        raise reader.refuse(problem, "Check its name and who may read it.") from error
