"""The home's broker: the one the configuration names, or one of our own."""

import logging

from voxcard.access.accounts import BRIDGE, EmbeddedAccounts
from voxcard.access.broker_access import has_passwords
from voxcard.config import Mqtt
from voxcard.link.embedded_broker import EmbeddedBroker
from voxcard.link.mqtt import Address

log = logging.getLogger(__name__)


class HomeBroker:
    """`start` returns where the bridge connects to; `embedded` is our own broker, if it is ours.

    Where others reach our own, it asks for passwords.
    """

    def __init__(self, mqtt: Mqtt) -> None:
        self._mqtt = mqtt
        self._has_passwords = has_passwords(mqtt)
        self._accounts = EmbeddedAccounts(mqtt.accounts)
        self.embedded = self._new_broker() if mqtt.embedded else None

    def _new_broker(self) -> EmbeddedBroker:
        mqtt = self._mqtt
        users = self._accounts.users if self._has_passwords else dict
        return EmbeddedBroker(mqtt.host, mqtt.port, users=users, root=mqtt.root)

    async def start(self) -> Address:
        """Start our own broker, if it is ours; VoxcardError when it does not come up."""
        if self.embedded is None:
            return _named(self._mqtt)
        users = self._accounts.users() if self._has_passwords else {}
        await self.embedded.start()
        if self._has_passwords and not self._accounts.devices():
            log.warning("no device has a password yet: voxcard devices add NAME makes one")
        # Listening everywhere, it is found here.
        host = "127.0.0.1" if self._mqtt.host in ("0.0.0.0", "::") else self._mqtt.host
        user = BRIDGE if self._has_passwords else ""
        return Address(host=host, port=self._mqtt.port, user=user, password=users.get(BRIDGE, ""))

    async def stop(self) -> None:
        """End our own broker; safe to call at any time."""
        if self.embedded is not None:
            await self.embedded.stop()

    def accounts_changed(self) -> bool:
        """Let our own broker read its accounts again (every client is away for a moment); whether
        the broker asks for passwords, so that who has none any more stays out."""
        if self.embedded is None:
            return bool(self._mqtt.user)
        if self._has_passwords:
            self.embedded.restart()
        return self._has_passwords


def _named(mqtt: Mqtt) -> Address:
    return Address(
        host=mqtt.host,
        port=mqtt.port,
        user=mqtt.user,
        password=mqtt.password.value,
        tls=mqtt.tls,
        ca_file=mqtt.ca_file,
        version=mqtt.version,
    )
