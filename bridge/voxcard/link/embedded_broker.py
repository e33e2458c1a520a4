"""Embedded MQTT broker: rumqttd from the iotcore wheel, as a child process."""

import asyncio
import json
import logging
import socket
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from voxwire import topics
from voxwire.bridge_only import channels

from voxcard.errors import MissingExtra, VoxcardError
from voxcard.private_files import write_private

log = logging.getLogger(__name__)

START_S = 10.0
WATCH_S = 0.5  # between two looks at the child
PAUSE_MIN_S, PAUSE_MAX_S = 1.0, 30.0  # before it is started again
STEADY_S = 60.0  # a child that lived as long was well: the pauses begin anew

# Segments are capped because rumqttd's default commit log grows by some 5 MB/s under audio; the
# payload limit is raised over its 20 KB so that no blob chunk of a later version meets it. What a
# reader has not taken when its filter's log is full is lost, QoS 1 or not (measured: 288 of 3,000
# hellos at once), so the filters on which all devices speak to the bridge have a larger log.
SETTINGS = """\
id = 0

[router]
id = 0
max_connections = 10000
max_outgoing_packet_count = 200
max_segment_size = 262144
max_segment_count = 3
{logs}
[v4.1]
name = "voxcard"
listen = "{host}:{port}"
next_connection_delay_ms = 1

[v4.1.connections]
connection_timeout_ms = 10000
max_payload_size = 65536
max_inflight_count = 200
dynamic_filters = true
"""


LOG = """
[router.custom_segment.{filter}]
max_segment_size = 1048576
max_segment_count = 8
"""
READ_BY_ALL = ("hello", "status", "up", "blob/up")  # channels of every device


def settings(
    host: str, port: int, users: Mapping[str, str] | None = None, root: str = topics.ROOT
) -> str:
    """The TOML the broker is started with; with `users` (name: password) nobody else gets in."""
    filters = (channels.subscription(root, channel) for channel in READ_BY_ALL)
    logs = "".join(LOG.format(filter=json.dumps(each)) for each in filters)
    text = SETTINGS.format(host=host, port=port, logs=logs)
    if users:
        # JSON's strings are TOML's.
        lines = (f"{json.dumps(name)} = {json.dumps(users[name])}\n" for name in sorted(users))
        text += "\n[v4.1.connections.auth]\n" + "".join(lines)
    return text


def free_port(host: str) -> int:
    """A TCP port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


class EmbeddedBroker:
    """A broker on `host`; port 0 chooses a free one. `start` waits until it takes connections.

    `users()` are the names and passwords that get in, asked for at each start of the child;
    empty: anybody.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 1883,
        users: Callable[[], Mapping[str, str]] = dict,
        root: str = topics.ROOT,
    ) -> None:
        self.host = host
        self.port = port or free_port(host)
        self._users = users
        self._root = root
        self._broker: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._changed = asyncio.Event()

    async def start(self) -> None:
        """VoxcardError when the extra is missing, the port is taken or it does not come up."""
        try:
            import iotcore
        except ImportError as error:
            raise MissingExtra("The embedded broker", "broker") from error
        self._folder = tempfile.TemporaryDirectory(prefix="voxcard-broker-")
        file = Path(self._folder.name) / "broker.toml"
        write_private(file, settings(self.host, self.port, self._users(), self._root))
        self._broker = iotcore.Broker(config_path=str(file))
        try:
            await asyncio.to_thread(self._broker.start, START_S)
        except OSError as error:
            self._clean()
            raise VoxcardError(
                f"The embedded broker cannot listen on {self.host}:{self.port} ({error}).",
                "Stop what uses that port, or set mqtt.listen_port, or name that broker in "
                "mqtt.host.",
            ) from error
        except RuntimeError as error:
            self._clean()
            raise VoxcardError(
                f"The embedded broker does not start ({error}).",
                "Set mqtt.host to another broker.",
            ) from error
        log.info("embedded broker: listening on %s:%d", self.host, self.port)

    async def run(self) -> None:
        """Start the child again when it ends, with growing pauses, and at `restart`; endless."""
        loop = asyncio.get_running_loop()
        failures, begun_s = 0, loop.time()
        while True:
            if await self._ended():
                failures = 1 if loop.time() - begun_s > STEADY_S else failures + 1
                pause_s = min(PAUSE_MAX_S, PAUSE_MIN_S * 2.0 ** min(failures - 1, 8))
                log.warning("embedded broker: it ended; it starts again in %g s", pause_s)
                await asyncio.sleep(pause_s)
            await self.stop()
            begun_s = loop.time()
            try:
                await self.start()
            except VoxcardError as error:
                log.warning("%s", error)

    def restart(self) -> None:
        """Start the child anew, for other users; every client is away for a moment."""
        self._changed.set()

    async def _ended(self) -> bool:
        """Wait until the child has ended (True) or is to start anew (False)."""
        while self._broker is not None and self._broker.is_running:
            try:
                await asyncio.wait_for(self._changed.wait(), WATCH_S)
            except TimeoutError:
                continue
            self._changed.clear()
            return False
        return True

    async def stop(self) -> None:
        """End the child process; safe to call twice."""
        broker, self._broker = self._broker, None
        if broker is not None:
            await asyncio.to_thread(broker.stop)
            log.info("embedded broker: stopped")
        self._clean()

    def _clean(self) -> None:
        self._broker = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
