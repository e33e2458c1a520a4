"""The Wi-Fi's name and password in NVS: they survive a new file system and a new firmware.

Namespace "voxcard", key "wifi": a blob of JSON, {"ssid", "password", "country", "address"}. Only
`ssid` must be there. `country` (two letters) says which channels and powers are allowed; `address`
is [address, mask, gateway, name server] where the network gives none.
"""

import json
import os
from binascii import hexlify

import esp32
import machine
from wifi import Credentials

NAMESPACE, KEY = "voxcard", "wifi"
BYTES_MAX = 512
# Without those that look alike: a person types it from a screen.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_PASSWORD_LETTERS = 10  # 49 bits
_SETUP_KEY = "setup"


def load():
    """The stored Credentials; None without any, ValueError where they are no good."""
    buffer = bytearray(BYTES_MAX)
    try:
        size = esp32.NVS(NAMESPACE).get_blob(KEY, buffer)
    except OSError:
        return None
    values = json.loads(bytes(buffer[:size]))
    ssid, password = values.get("ssid"), values.get("password", "")
    address = values.get("address")
    if not isinstance(ssid, str) or not 1 <= len(ssid.encode()) <= 32:
        raise ValueError("the stored Wi-Fi name is no text of 1 to 32 bytes")
    if not isinstance(password, str) or (password and not 8 <= len(password.encode()) <= 64):
        raise ValueError("the stored Wi-Fi password has not 8 to 64 characters")
    if address is not None and len(address) != 4:
        raise ValueError("the stored address needs address, mask, gateway and name server")
    return Credentials(ssid, password, values.get("country", ""), address and tuple(address))


def save(ssid: str, password: str = "", country: str = "", address=None) -> None:
    """Store them for the next start."""
    values = {"ssid": ssid, "password": password, "country": country, "address": address}
    nvs = esp32.NVS(NAMESPACE)
    nvs.set_blob(KEY, json.dumps(values))
    nvs.commit()


def setup_password() -> str:
    """The password of this board's set-up: made once, then always the same."""
    nvs = esp32.NVS(NAMESPACE)
    buffer = bytearray(_PASSWORD_LETTERS)
    try:
        if nvs.get_blob(_SETUP_KEY, buffer) == _PASSWORD_LETTERS:
            return str(bytes(buffer), "ascii")
    except OSError:
        pass  # none yet, or of another kind
    password = ""
    while len(password) < _PASSWORD_LETTERS:
        byte = os.urandom(1)[0]
        if byte < 8 * len(_LETTERS):  # each letter is as likely
            password += _LETTERS[byte % len(_LETTERS)]
    nvs.set_blob(_SETUP_KEY, password)
    nvs.commit()
    return password


def setup_ssid() -> str:
    """The name of this board's Wi-Fi; it ends as its id does."""
    return "Voxcard-" + str(hexlify(machine.unique_id()), "ascii")[-6:]
