"""The broker of a home without one: rumqttd from the iotcore wheel, as a child process."""

import asyncio
import logging
import socket
import tempfile
from pathlib import Path
from typing import Any

from voxcard.errors import MissingExtra, VoxcardError

log = logging.getLogger(__name__)

START_S = 10.0

# Segments are capped because rumqttd's default commit log grows by some 5 MB/s under audio; the
# payload limit is raised over its 20 KB so that no blob chunk of a later version meets it.
SETTINGS = """\
id = 0

[router]
id = 0
max_connections = 1000
max_outgoing_packet_count = 200
max_segment_size = 262144
max_segment_count = 3

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


def settings(host: str, port: int) -> str:
    """The TOML the broker is started with."""
    return SETTINGS.format(host=host, port=port)


def free_port(host: str) -> int:
    """A TCP port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


class EmbeddedBroker:
    """A broker on `host`; port 0 chooses a free one. `start` waits until it takes connections."""

    def __init__(self, host: str = "127.0.0.1", port: int = 1883) -> None:
        self.host = host
        self.port = port or free_port(host)
        self._broker: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    async def start(self) -> None:
        """VoxcardError when the extra is missing, the port is taken or it does not come up."""
        try:
            import iotcore
        except ImportError as error:
            raise MissingExtra("The embedded broker", "broker") from error
        self._folder = tempfile.TemporaryDirectory(prefix="voxcard-broker-")
        file = Path(self._folder.name) / "broker.toml"
        file.write_text(settings(self.host, self.port), encoding="utf-8")
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
