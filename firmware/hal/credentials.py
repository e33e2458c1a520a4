"""The Wi-Fi's name and password in NVS: they survive a new file system and a new firmware.

Namespace "voxcard", key "wifi": a blob of JSON, {"ssid", "password", "country", "address"}. Only
`ssid` must be there. `country` (two letters) says which channels and powers are allowed; `address`
is [address, mask, gateway, name server] where the network gives none.
"""

import json
from collections import namedtuple

import esp32

NAMESPACE, KEY = "voxcard", "wifi"
BYTES_MAX = 512

Credentials = namedtuple("Credentials", ("ssid", "password", "country", "address"))


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
