"""Who is missing in the home, and what is wrong there."""

import socket
import time
from collections.abc import Mapping
from typing import Protocol

from voxcard import __version__
from voxcard.config import Config
from voxcard.link.devices import Devices
from voxcard.link.hello_requests import HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.presence import Presence, instance_of
from voxcard.link.problems import Problems
from voxcard.session.relays import Relays


class Publish(Protocol):
    """Sends a message to the broker, or refuses it (False) while there is no connection."""

    def __call__(self, topic: str, payload: bytes, *, retain: bool = False) -> bool: ...


class HomeWatch:
    """`requests` asks for hellos, `hellos` reads them, `presence` looks for other bridges;
    what they notice is in `problems`."""

    def __init__(self, config: Config, devices: Devices, relays: Relays, publish: Publish) -> None:
        root = config.mqtt.root
        self.problems = Problems(time.monotonic)
        self.hellos = HelloWatch(root, self.problems, time.monotonic)
        self.requests = HelloRequests(
            lost=lambda: relays.lost(devices.all()),
            has_session=relays.has_session,
            root=root,
            publish=publish,
            now_s=time.monotonic,
        )
        self.presence = Presence(
            root,
            instance(config),
            host=socket.gethostname(),
            version=__version__,
            user=config.mqtt.user,
            publish=lambda topic, payload: publish(topic, payload, retain=True),
            problems=self.problems,
            now_s=time.monotonic,
        )

    def look(self) -> None:
        """Ask for hellos that are due; name what did not come back in time."""
        self.requests.look()
        self.presence.look()

    def assistants(self, health: Mapping[str, str]) -> None:
        """What keeps an assistant from answering (by its name; "": nothing) is a problem."""
        for name, why in health.items():
            if why:
                self.problems.set(("assistant", name), f"The assistant {name}: {why}")
            else:
                self.problems.clear(("assistant", name))


def instance(config: Config) -> str:
    """The name of this bridge among others at the same broker."""
    return instance_of(socket.gethostname(), config.control.socket)
