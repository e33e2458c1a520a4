"""Decides which devices get a session, and pairs new ones by code."""

import logging
from collections.abc import Callable, Iterable, Mapping

from voxwire import message, topics

from voxcard.access.accounts import EmbeddedAccounts, MosquittoAccounts, PairedDevices
from voxcard.access.pairing import Pairing
from voxcard.errors import VoxcardError

log = logging.getLogger(__name__)


class Admission:
    """The switchboard's Admission. `configured` are ids that the configuration names.

    With `pairs`, a device that nobody let in shows a code, which `publish(topic, payload)` sends
    there. Without, every device may have a session.
    """

    def __init__(
        self,
        accounts: EmbeddedAccounts | MosquittoAccounts,
        paired: PairedDevices,
        *,
        pairs: bool,
        configured: Iterable[str],
        pairing: Pairing,
        root: str,
        publish: Callable[[str, bytes], object],
    ) -> None:
        self._accounts = accounts
        self._paired = paired
        self._pairs = pairs
        self._configured = frozenset(configured)
        self._pairing = pairing
        self._root = root
        self._publish = publish
        self._ways: Mapping[str, str] = {}
        self.read()

    def read(self) -> None:
        """Take the files as they are now; VoxcardError when one cannot be read."""
        self._ways = {
            **dict.fromkeys(self._paired.all(), "paired"),
            **dict.fromkeys(self._accounts.devices(), "password"),
        }

    def is_known(self, device_id: str) -> bool:
        """Whether it is of the home."""
        return device_id in self._ways or device_id in self._configured

    def admits(self, device_id: str) -> bool:
        """Whether it may have a session now."""
        return not self._pairs or self.is_known(device_id)

    def all(self) -> tuple[str, ...]:
        """Who was let in, and who waits for it."""
        return (*self._ways, *self._pairing.waiting())

    def way(self, device_id: str) -> str:
        """How it was let in: password, paired, waits, or "" where nobody had to."""
        if device_id in self._pairing.waiting():
            return "waits"
        return self._ways.get(device_id, "")

    def turn_away(self, device_id: str) -> None:
        """A device said hello that is not let in: it shows its code."""
        if device_id not in self._pairing.waiting():
            text = (
                "%s waits to be let in: type the code on its screen after voxcard devices pair"
                " (without a screen: voxcard devices add %s)"
            )
            log.warning(text, device_id, device_id)
        self._show_code(device_id)

    def look(self) -> None:
        """Show every code again: a notice goes from the screen by itself."""
        for device_id in self._pairing.waiting():
            self._show_code(device_id)

    def pair(self, code: str) -> str:
        """Let the device in that shows `code`; its id. VoxcardError when none does."""
        device_id = self._pairing.take(code.strip())
        if device_id is None:
            remedy = "Read it from the device's screen; it changes every ten minutes."
            raise VoxcardError("No device shows that code.", remedy)
        self._paired.add(device_id)
        self.read()
        return device_id

    def changed(self) -> None:
        """Devices were added or removed by another program."""
        self.read()
        for device_id in self._pairing.waiting():
            if self.is_known(device_id):
                self._pairing.drop(device_id)

    def _show_code(self, device_id: str) -> None:
        code = self._pairing.code(device_id)
        text = f"At the bridge's computer: voxcard devices pair {code}"
        title = f"Code {code}"
        notice = message.make(message.FROM_BRIDGE, "alert", status=title, message=text)
        topic = topics.topic(self._root, device_id, "down")
        self._publish(topic, message.encode(message.FROM_BRIDGE, notice))
