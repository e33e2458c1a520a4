"""A simulated device run in this terminal."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs

from voxcard import config, package_files
from voxcard.access.accounts import check_device
from voxcard.cards.preview import screens
from voxcard.cli.console import until_signalled
from voxcard.config import Mqtt
from voxcard.errors import VoxcardError
from voxcard.sim.broker import Broker, of_bridge
from voxcard.sim.lines import lines
from voxcard.sim.reports import DeviceEndedError
from voxcard.sim.session import Options, Session

_FIELDS = ("width", "height", "depth", "shape", "pitch_um", "cell", "picture_bytes")


def run(
    config_file: Path | None,
    device: str,
    host: str,
    given: Mapping[str, Any],
    folder: Path | None,
    screen: str,
    camera: Path | None,
    window: bool,
) -> None:
    """Run what `voxcard sim` runs; `given` are fields of the Broker, before those of the file."""
    loaded = config.load(config_file)
    options = options_of(
        check_device(device),
        _broker(loaded.mqtt, device, host, given),
        loaded.control.socket,
        folder or platformdirs.user_state_path("voxcard") / "sim" / device,
        screen,
        camera,
        window,
    )
    try:
        asyncio.run(until_signalled(attached(options)))
    except DeviceEndedError as error:
        raise VoxcardError(str(error)) from error


def _broker(mqtt: Mqtt, device: str, host: str, given: Mapping[str, Any]) -> Broker:
    if host:
        return replace(Broker(host=host, root=mqtt.root), **given)
    if "user" in given or "password" in given:
        # Its own name: what the bridge calls itself does not matter.
        mqtt = replace(mqtt, embedded=False)
    if "ca" in given:
        mqtt = replace(mqtt, ca_file=given["ca"])
    return replace(of_bridge(mqtt, device), **given)


def options_of(
    device: str,
    broker: Broker,
    socket: Path,
    folder: Path,
    screen: str,
    camera: Path | None,
    window: bool,
) -> Options:
    """The options of a device; VoxcardError for an unknown screen or a camera without picture."""
    if camera is not None and not camera.is_file():
        raise VoxcardError(f"{camera} cannot be read.", "Name a JPEG file with --camera.")
    panel = screens.named(screen, package_files.boards(), package_files.firmware() / "fonts")
    return Options(
        device_id=device,
        broker=broker,
        socket=socket,
        folder=folder,
        screen={name: getattr(panel, name) for name in _FIELDS},
        camera=camera.resolve() if camera else None,
        window=window,
    )


async def attached(options: Options) -> None:
    """Run the device, with this terminal."""
    await Session(options, tell).run(lines(0))


def tell(text: str) -> None:
    """Print it now."""
    print(text, flush=True)
