"""Settings for a device, checked by the firmware's own table; secrets come from files and prompts.

A file is a JSON object of settings, as `voxcard devices add ID --json` prints it.
"""

import importlib.util
import json
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from voxcard import package_files
from voxcard.errors import VoxcardError
from voxcard.json_value import Json, JsonObject

_SECRET = ("password", "update_key")
_SSID_BYTES, _PASSWORD_BYTES = 32, range(8, 65)


def from_text(text: str, source: str) -> JsonObject:
    """The settings in a file's text; VoxcardError names what is wrong, and no value."""
    try:
        values = json.loads(text)
    except ValueError:  # it holds the text, and so a password
        raise VoxcardError(f"{source} is no JSON.", _MAKE_ONE) from None
    if not isinstance(values, dict):
        raise VoxcardError(f"{source} is no JSON object.", _MAKE_ONE)
    return {name: _checked(name, value) for name, value in values.items()}


_MAKE_ONE = "Make one: voxcard devices add ID --json"


def from_words(words: Iterable[str]) -> JsonObject:
    """The settings in NAME=VALUE words; VoxcardError for a secret: others see a command line."""
    values: dict[str, Json] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise VoxcardError(f"{word} is no setting.", "Write NAME=VALUE.")
        if name in _SECRET:
            remedy = "Put it into a file, and name that with --settings."
            raise VoxcardError(f"Others can read {name} in a command line.", remedy)
        values[name] = _checked(name, int(value) if value.isdecimal() else value)
    return values


def wifi(name: str, password: str, country: str = "") -> JsonObject:
    """What the firmware keeps of a Wi-Fi (hal/credentials.py); "" for an open one."""
    if not 1 <= len(name.encode()) <= _SSID_BYTES:
        raise VoxcardError("The name of a Wi-Fi has 1 to 32 bytes.", "Correct --wifi.")
    if password and len(password.encode()) not in _PASSWORD_BYTES:
        raise VoxcardError("The password of a Wi-Fi has 8 to 64 characters.", "Type it again.")
    if country and not (len(country) == 2 and country.isalpha()):
        raise VoxcardError("A country has two letters.", "Write for example --country DE.")
    return {"ssid": name, "password": password, "country": country.upper(), "address": None}


def _checked(name: str, value: Json) -> Json:
    table = _table()
    try:
        return table.check(name, value)
    except table.SettingError as error:
        known = ", ".join(row[0] for row in table.TABLE if row[0] not in _SECRET)
        raise VoxcardError(str(error), f"Settings are: {known}.") from None


def _table() -> ModuleType:
    """The firmware's module settings, wherever this Voxcard keeps its firmware."""
    path: Path = package_files.firmware() / "settings.py"
    spec = importlib.util.spec_from_file_location("voxcard_device_settings", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
