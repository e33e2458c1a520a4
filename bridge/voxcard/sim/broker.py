"""The broker that a simulated device connects to, as a bridge's configuration names it."""

from dataclasses import dataclass, field
from typing import Any

from voxcard.access.accounts import EmbeddedAccounts
from voxcard.access.broker_access import has_passwords
from voxcard.config import Mqtt
from voxcard.errors import VoxcardError

_EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where a device connects, and as whom; without `ca` (a file) there is no TLS."""

    host: str = "127.0.0.1"
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    root: str = "voxcard"

    def settings(self) -> dict[str, Any]:
        """As the simulated board takes it (hal/simulator.py)."""
        named = {"user": self.user, "password": self.password, "ca": self.ca}
        texts = {key: value for key, value in named.items() if value}
        return {"host": self.host, "port": self.port, "topics": self.root, **texts}


def of_bridge(mqtt: Mqtt, device_id: str) -> Broker:
    """The broker that the bridge uses.

    The embedded one knows the device by the password that `voxcard devices add` made, another
    one by the bridge's own name. VoxcardError where the device has no password, or where TLS has
    no CA file: a device has no certificates of a system to trust.
    """
    if mqtt.tls and not mqtt.ca_file:
        remedy = "Name the file of the broker's authority: [mqtt] ca_file, or --ca FILE."
        raise VoxcardError("A device needs the CA file of a broker with TLS.", remedy)
    host = "127.0.0.1" if mqtt.host in _EVERYWHERE else mqtt.host
    user, password = mqtt.user, mqtt.password.value
    if has_passwords(mqtt):
        user, password = device_id, _password(mqtt, device_id)
    return Broker(
        host=host, port=mqtt.port, user=user, password=password, ca=mqtt.ca_file, root=mqtt.root
    )


def _password(mqtt: Mqtt, device_id: str) -> str:
    accounts = EmbeddedAccounts(mqtt.accounts)
    if device_id not in accounts.devices():
        remedy = f"Run: voxcard devices add {device_id}"
        raise VoxcardError(f"The broker asks for a password, {device_id} has none.", remedy)
    return accounts.users()[device_id]
