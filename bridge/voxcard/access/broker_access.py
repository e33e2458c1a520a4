"""Access policy of the configured broker: passwords, pairing, accounts."""

import ipaddress

from voxcard.access.accounts import EmbeddedAccounts, MosquittoAccounts
from voxcard.config import Mqtt


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches `host`."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def has_passwords(mqtt: Mqtt) -> bool:
    """Whether the embedded broker asks for passwords: when others reach it."""
    return mqtt.embedded and not is_loopback(mqtt.host)


def pairs(mqtt: Mqtt) -> bool:
    """Whether a new device shows a code: by itself where the broker lets anybody in."""
    if mqtt.pairing != "auto":
        return mqtt.pairing == "on"
    return not mqtt.embedded and not mqtt.user and not is_loopback(mqtt.host)


def asks_nobody(mqtt: Mqtt) -> bool:
    """Whether neither a password nor a code keeps a device out, as far as the bridge can know."""
    guarded = has_passwords(mqtt) if mqtt.embedded else bool(mqtt.user)
    return not guarded and not pairs(mqtt)


def accounts_of(mqtt: Mqtt) -> EmbeddedAccounts | MosquittoAccounts:
    """Where the devices' passwords are kept."""
    if mqtt.embedded:
        return EmbeddedAccounts(mqtt.accounts)
    return MosquittoAccounts(mqtt.accounts, mqtt.root, mqtt.user, mqtt.password.value)
