"""What is announced of the home's broker; pure. docs/protocol.md describes it."""

import ipaddress
from dataclasses import dataclass

from voxwire import PROTOCOL

from voxcard.access.broker_access import is_loopback
from voxcard.config import Mqtt

SERVICE = "_voxcard._tcp.local."
_LABEL_BYTES = 63
EVERYWHERE = "0.0.0.0"  # as [mqtt] listen says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One service. `addresses`: IPv4, those of the broker; `txt`: its key=value pairs."""

    name: str
    target: str
    port: int
    addresses: tuple[str, ...]
    txt: dict[str, str]


def broker_host(mqtt: Mqtt, announce: str) -> str | None:
    """Where devices find the broker: a name, an address, or EVERYWHERE for this computer's.

    None: it is not to be announced. `announce` is auto, on or off; "on" says of a broker that the
    bridge reaches by loopback that devices do reach it.
    """
    if announce == "off":
        return None
    if not is_loopback(mqtt.host):
        return mqtt.host
    return EVERYWHERE if announce == "on" and not mqtt.embedded else None


def announcement(
    mqtt: Mqtt, *, computer: str, instance: str, addresses: tuple[str, ...]
) -> Announcement:
    """The broker at `addresses`, announced by the bridge `instance` on `computer`."""
    txt = {
        "v": str(PROTOCOL),
        "id": instance,
        "root": mqtt.root,
        "tls": "1" if mqtt.tls and not mqtt.embedded else "0",
    }
    if txt["tls"] == "1" and not _is_address(mqtt.host):
        txt["host"] = mqtt.host  # the name that its certificate is for
    return Announcement(
        name=f"{_label(f'Voxcard on {computer}')}.{SERVICE}",
        target=f"voxcard-{instance}.local.",
        port=mqtt.port,
        addresses=addresses,
        txt=txt,
    )


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _label(text: str) -> str:
    """A label of a DNS name: no points, nothing unprintable, at most 63 bytes."""
    text = "".join(filter(str.isprintable, text.partition(".")[0]))
    while len(text.encode()) > _LABEL_BYTES - len("-99"):  # room for another one of that name
        text = text[:-1]
    return text.strip()
