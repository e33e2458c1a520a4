"""What `voxcard run` says of itself before it starts."""

from pathlib import Path

import platformdirs

from voxcard import __version__
from voxcard.access.broker_access import has_passwords, pairs
from voxcard.config import FILE_NAME, Config, Mqtt
from voxcard.discovery.announcement import broker_host


def start_lines(config: Config) -> list[str]:
    """Version, file, broker, assistant and state, how a device gets in: a line each."""
    ranking = ", then ".join(config.assistant.ranking)
    return [
        f"voxcard {__version__}",
        f"configuration: {_file(config.file)}",
        f"broker: {_broker(config.mqtt)}{_announced(config)}",
        f"assistant: {ranking}, {config.assistant.locale}; state in {config.history.path.parent}",
        f"a new device {_way_in(config.mqtt)}",
    ]


def _file(file: Path | None) -> str:
    if file is not None:
        return str(file)
    return f"none; a {FILE_NAME} here or in {platformdirs.user_config_path('voxcard')} is read"


def _broker(mqtt: Mqtt) -> str:
    place = f"{mqtt.host}:{mqtt.port}"
    if mqtt.embedded:
        reach = "for the network, with passwords" if has_passwords(mqtt) else "this computer only"
        place = f"our own on {place}, {reach}"
    else:
        place += " with TLS" if mqtt.tls else ""
        place += f" as {mqtt.user}" if mqtt.user else ""
    return place if mqtt.root == "voxcard" else f"{place}, below {mqtt.root}/"


def _announced(config: Config) -> str:
    found = broker_host(config.mqtt, config.announce) is not None
    return "; devices find it by mDNS" if found else ""


def _way_in(mqtt: Mqtt) -> str:
    if pairs(mqtt):
        return "shows a code: voxcard devices pair CODE lets it in"
    if has_passwords(mqtt) or mqtt.user:
        return "needs a password: voxcard devices add NAME makes it"
    if mqtt.embedded:
        return 'on this computer gets in by itself; for your network: [mqtt] listen = "0.0.0.0"'
    return 'gets in by itself; [mqtt] pairing = "on" asks for a code on its screen'
