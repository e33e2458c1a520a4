"""Publishes what devices are offered, retained, and takes it back."""

import logging
from collections.abc import Callable
from typing import Protocol

from voxwire import release as wire
from voxwire import topics

from voxcard.releases.archive import Release
from voxcard.releases.manifest import firmware_name

log = logging.getLogger(__name__)

CHANNEL = "offer"


class Publish(Protocol):
    """Sends a message to the broker, or refuses it (False) while there is no connection."""

    def __call__(self, topic: str, payload: bytes, *, retain: bool = False) -> bool: ...


class Offers:
    """What stands at the broker, one offer a device. What it did not take is tried in `look`.

    `on_withdrawn(device_id)`: the broker has got the word that an offer stands no more.
    """

    def __init__(self, root: str, publish: Publish, on_withdrawn: Callable[[str], None]) -> None:
        self._root = root
        self._publish = publish
        self._on_withdrawn = on_withdrawn
        self._standing: dict[str, bytes] = {}
        self._waiting: dict[str, bytes] = {}  # of these, and empty ones, what has to go out

    def put(self, device_id: str, key: str, serial: int, release: Release) -> None:
        """Offer a release to the device that has this key."""
        sha256 = release.manifest_sha256
        offer = wire.Offer(
            serial=serial,
            version=release.manifest.version,
            manifest_size=len(release.manifest_bytes),
            manifest_sha256=sha256,
            mac=wire.offer_mac(wire.parse_key(key), device_id, serial, sha256),
        )
        log.info("%s: offered %s", device_id, firmware_name(release.manifest))
        self._standing[device_id] = wire.encode_offer(offer)
        self.again(device_id)

    def again(self, device_id: str) -> None:
        """Offer it once more: the broker, or the device, may have lost it."""
        if device_id in self._standing:
            self._waiting[device_id] = self._standing[device_id]
            self.look()

    def take_back(self, device_id: str) -> None:
        """Offer nothing any more."""
        self._standing.pop(device_id, None)
        self._waiting[device_id] = b""
        self.look()

    def link(self, up: bool) -> None:
        """The connection to the broker came or went."""
        if up:  # it may be a broker without a memory
            self._waiting = {**self._standing, **self._waiting}
            self.look()

    def look(self) -> None:
        """Send what waits; to be called now and then."""
        for device_id, payload in tuple(self._waiting.items()):
            topic = topics.topic(self._root, device_id, CHANNEL)
            if self._publish(topic, payload, retain=True):
                del self._waiting[device_id]
                if not payload:
                    self._on_withdrawn(device_id)
