"""Keys of updates: the home's own, which signs releases, and one a device, for what it is offered.

Both are in the folder of the accounts, their user's alone: `release-key`, `update-keys.json`.
"""

import json
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from voxcard.errors import VoxcardError
from voxcard.private_files import write_private

KEY_BYTES = 32
_KEY = re.compile(r"[0-9a-f]{64}")


def release_key(folder: Path) -> bytes:
    """The key this home signs its releases with; made when there is none."""
    file = folder / "release-key"
    try:
        text = file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        text = secrets.token_hex(KEY_BYTES)
        write_private(file, text + "\n")
    except (OSError, ValueError) as error:
        raise _unreadable(file) from error
    if not _KEY.fullmatch(text):
        raise _unreadable(file)
    return bytes.fromhex(text)


class UpdateKeys:
    """The devices' keys, in hexadecimal digits as the setting `update_key` has them."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "update-keys.json"

    def get(self, device_id: str) -> str:
        """The key of a device, "" without one; VoxcardError when the file cannot be read."""
        return self._read().get(device_id, "")

    def add(self, device_id: str) -> str:
        """Give a device a new key; returns it."""
        key = secrets.token_hex(KEY_BYTES)
        self._write({**self._read(), device_id: key})
        return key

    def remove(self, device_id: str) -> bool:
        """Take a device's key away; whether it had one."""
        keys = self._read()
        had_key = keys.pop(device_id, None) is not None
        if had_key:
            self._write(keys)
        return had_key

    def _read(self) -> dict[str, str]:
        try:
            keys = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            raise _unreadable(self._file) from error
        if not isinstance(keys, dict) or not all(map(_is_key, keys.values())):
            raise _unreadable(self._file)
        return keys

    def _write(self, keys: Mapping[str, str]) -> None:
        write_private(self._file, json.dumps(keys, indent=1, sort_keys=True) + "\n")


def _is_key(value: object) -> bool:
    return isinstance(value, str) and _KEY.fullmatch(value) is not None


def _unreadable(file: Path) -> VoxcardError:
    remedy = (
        "Check who may read it, or put it back from a backup; without it devices take no update"
        " before their keys are deployed anew (voxcard devices key ID)."
    )
    return VoxcardError(f"{file} cannot be read.", remedy)
