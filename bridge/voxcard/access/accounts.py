"""Accounts of the embedded broker, or the password and ACL files that mosquitto reads.

Everything is in one folder, its user's alone: `embedded.json` (users and passwords: rumqttd takes
them in no other form), `mosquitto/passwords`, `mosquitto/acl`, `mosquitto/bridge-password`, and
`paired.json` (ids of devices that were paired by their code).
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from voxwire import topics
from voxwire.errors import WireError

from voxcard.access.passwords import CHOSEN_ROUNDS, hashed, new_password
from voxcard.errors import VoxcardError
from voxcard.private_files import write_private

BRIDGE = "bridge"  # user name of the bridge, unless the configuration has another
Kept = TypeVar("Kept", dict[str, str], list[str])

_DEVICE = re.compile(r"[a-z0-9-]{1,32}")
_LINE = re.compile(r"([^:\s]+):(\$\S+)")


def check_device(device_id: str) -> str:
    """Return `device_id`; VoxcardError when no device can have it."""
    if device_id == BRIDGE:
        raise VoxcardError("bridge is the user name of the bridge.", "Choose another id.")
    try:
        topics.check_id(device_id)
    except WireError as error:
        remedy = "An id has 1 to 32 of a-z, 0-9 and the hyphen, such as kitchen."
        raise VoxcardError(f"{device_id!r} is no id of a device.", remedy) from error
    return device_id


class EmbeddedAccounts:
    """Users and passwords of the embedded broker."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "embedded.json"

    def users(self) -> Mapping[str, str]:
        """User name to password; the bridge's own is made when there is none."""
        users = self._read()
        if BRIDGE not in users:
            users[BRIDGE] = new_password()
            self._write(users)
        return users

    def devices(self) -> frozenset[str]:
        """The devices that have a password."""
        return frozenset(self._read()) - {BRIDGE}

    def add(self, device_id: str) -> str:
        """Give a device a new password; returns it."""
        users = {BRIDGE: new_password(), **self._read()}
        users[device_id] = new_password()
        self._write(users)
        return users[device_id]

    def remove(self, device_id: str) -> bool:
        """Take a device's password away; whether it had one."""
        users = self._read()
        had_password = users.pop(device_id, None) is not None
        if had_password:
            self._write(users)
        return had_password

    def _read(self) -> dict[str, str]:
        return {
            str(name): str(password)
            for name, password in _load(self._file, dict[str, str]()).items()
        }

    def _write(self, users: Mapping[str, str]) -> None:
        write_private(self._file, json.dumps(users, indent=1, sort_keys=True) + "\n")


class MosquittoAccounts:
    """The password file and the access list of a mosquitto; the bridge is `user` there."""

    def __init__(self, folder: Path, root: str, user: str = "", password: str = "") -> None:
        self.folder = folder / "mosquitto"
        self.passwords = self.folder / "passwords"
        self.acl = self.folder / "acl"
        self.bridge_password = self.folder / "bridge-password"
        self.user = user or BRIDGE
        self._root = root
        self._password = password

    def devices(self) -> frozenset[str]:
        """The devices that have a password."""
        return frozenset(name for name in self._read() if _DEVICE.fullmatch(name)) - {self.user}

    def add(self, device_id: str) -> str:
        """Give a device a new password; returns it."""
        password = new_password()
        self._write({**self._read(), device_id: hashed(password)})
        return password

    def remove(self, device_id: str) -> bool:
        """Take a device's password away; whether it had one."""
        lines = self._read()
        had_password = lines.pop(device_id, None) is not None
        if had_password:
            self._write(lines)
        return had_password

    def _read(self) -> dict[str, str]:
        try:
            text = self.passwords.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise _unreadable(self.passwords) from error
        matches = (_LINE.fullmatch(line.strip()) for line in text.splitlines())
        return {match[1]: match[2] for match in matches if match is not None}

    def _write(self, lines: Mapping[str, str]) -> None:
        lines = {**lines, self.user: self._bridge_line(lines)}
        text = "".join(f"{name}:{lines[name]}\n" for name in sorted(lines))
        write_private(self.passwords, text)
        write_private(self.acl, access_list(self.user, self._root))

    def _bridge_line(self, lines: Mapping[str, str]) -> str:
        if self._password:
            return hashed(self._password, CHOSEN_ROUNDS)
        if self.user in lines and self.bridge_password.exists():
            return lines[self.user]
        password = new_password()
        write_private(self.bridge_password, password + "\n")
        return hashed(password)


class PairedDevices:
    """The devices that a person let in by their code."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "paired.json"

    def all(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(str(each) for each in _load(self._file, list[str]()))

    def add(self, device_id: str) -> None:
        """Let a device in from now on."""
        self._write(self.all() | {device_id})

    def remove(self, device_id: str) -> bool:
        """Let it in no more; whether it was."""
        known = self.all()
        if device_id in known:
            self._write(known - {device_id})
        return device_id in known

    def _write(self, ids: frozenset[str]) -> None:
        write_private(self._file, json.dumps(sorted(ids), indent=1) + "\n")


def access_list(user: str, root: str) -> str:
    """mosquitto's access list: the bridge has all topics below `root`, a device its own."""
    return (
        "# Written by `voxcard devices`, which writes it anew at every change.\n"
        f"user {user}\ntopic readwrite {root}/#\n\npattern readwrite {root}/%u/#\n"
    )


def _load(file: Path, empty: Kept) -> Kept:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return empty
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file) from error
    if not isinstance(data, type(empty)):
        raise _unreadable(file)
    return data


def _unreadable(file: Path) -> VoxcardError:
    remedy = "Check who may read it; remove it to begin anew (each device then needs adding)."
    return VoxcardError(f"{file} cannot be read.", remedy)
