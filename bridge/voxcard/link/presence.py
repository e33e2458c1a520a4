"""Publishes the bridge's presence; detects missing echoes and other bridges.

Each bridge publishes `ROOT/bridge/INSTANCE`, retained and with a last will, at every connect, and
again when another one that has just connected asks. What is retained there is never believed: a
bridge that is gone may have left it.
"""

import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path

from voxwire import fields, message
from voxwire.errors import WireError

from voxcard.link.problems import Problems
from voxcard.text_safety import safe_line

log = logging.getLogger(__name__)

ECHO_S = 10.0  # from the publish until the broker has brought it back
OTHERS_MAX = 20
OFFLINE = b'{"online":false}'
_FIELDS = "online:boolean host:string= version:string= asks:boolean=false"
_ACCESS = "access"  # key of the problem


def instance_of(host: str, path: Path) -> str:
    """The name of the bridge whose control socket is `path` on the computer `host`."""
    return hashlib.sha256(f"{host} {path}".encode()).hexdigest()[:12]


class Presence:
    """`publish(topic, payload)` is retained, QoS 1. `user` is the bridge's name at the broker."""

    def __init__(
        self,
        root: str,
        instance: str,
        *,
        host: str,
        version: str,
        user: str,
        publish: Callable[[str, bytes], bool],
        problems: Problems,
        now_s: Callable[[], float],
    ) -> None:
        self._root = root
        self._folder = f"{root}/bridge/"
        self.topic = self._folder + instance
        self.subscription = self._folder + "+"
        self._host, self._version = host, version
        self._who = f"user {user}" if user else "everybody"
        self._publish = publish
        self._problems = problems
        self._now_s = now_s
        self._echo_by_s: float | None = None  # while the broker has not brought it back
        self._others: set[str] = set()
        self._left = False

    def link(self, up: bool) -> None:
        """The connection to the broker came or went."""
        for other in self._others:
            self._problems.clear(("bridge", other))
        self._others.clear()
        self._echo_by_s = self._now_s() + ECHO_S if up else None
        if up:
            self._announce(asks=True)

    def leave(self) -> None:
        """The bridge stops in good order: the broker will not say it."""
        self._left = True
        self._publish(self.topic, OFFLINE)

    def look(self) -> None:
        """Name what did not come back in time; to be called now and then."""
        if self._echo_by_s is None or self._now_s() < self._echo_by_s:
            return
        self._echo_by_s = None
        self.refused(self.topic, "nothing comes back")

    def refused(self, topic: str, reason: str) -> None:
        """The broker does not carry what the bridge writes on `topic`."""
        text = (
            f"The broker does not carry what the bridge writes on {topic} ({reason}). Its access"
            f" list (ACL) must let {self._who} read and write {self._root}/#."
        )
        self._problems.set(_ACCESS, text)

    def take(self, topic: str, payload: bytes, retained: bool) -> bool:
        """Take the presence of a bridge; False, and nothing is done, for a topic of a device."""
        if not topic.startswith(self._folder):
            return False
        if payload and not retained:
            try:
                self._read(topic, payload)
            except WireError as error:
                log.warning("%.100r: %s", topic, error)
        return True

    def _read(self, topic: str, payload: bytes) -> None:
        data = message.load(payload, "bridge")
        online, host, version, asks = fields.read(_FIELDS, data, "bridge")
        if topic == self.topic:
            self._returned(online)
        else:
            self._heard(topic.removeprefix(self._folder), online, host, version, asks=asks)

    def _announce(self, *, asks: bool) -> None:
        values = {"online": True, "host": self._host, "version": self._version, "asks": asks}
        self._publish(self.topic, json.dumps(values, separators=(",", ":")).encode())

    def _returned(self, online: bool) -> None:
        self._echo_by_s = None
        self._problems.clear(_ACCESS)
        if (
            not online and not self._left
        ):  # the will of a connection that the broker only now knows to be dead
            self._announce(asks=False)

    def _heard(self, other: str, online: bool, host: str, version: str, *, asks: bool) -> None:
        if not online:
            self._others.discard(other)
            self._problems.clear(("bridge", other))
            return
        if len(self._others) >= OTHERS_MAX:
            return
        self._others.add(other)
        name, number = safe_line(host, 64), safe_line(version, 32)
        text = (
            f"Another bridge serves the devices of {self._root}: voxcard {number} on {name}. Stop"
            " one of the two, or give it a [mqtt] root and devices of its own."
        )
        self._problems.set(("bridge", other), text)
        if asks:
            self._announce(asks=False)
