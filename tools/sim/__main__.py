"""`make sim`: one simulated device and a bridge, for hands-on use in this terminal.

With --config the bridge is your own: `make sim CONFIG=my.toml`. One that runs already is joined.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from voxcard import config
from voxcard.cli.sim_run import attached, options_of, tell
from voxcard.config import Config
from voxcard.control.server import BridgeAway, request
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import free_port
from voxcard.sim import interpreter
from voxcard.sim.broker import of_bridge
from voxcard.sim.reports import DeviceEndedError
from voxcard.sim.session import first_of

from tools.sim.stage import (
    ROOT,
    BridgeEndedError,
    BridgeProcess,
    orders_server,
    toml,
    voxcard_run,
)

FOLDER = ROOT / "out" / "sim"
DEVICE = "sim-1"


def own_config() -> Path:
    """The file of a bridge with a broker of its own and the example's orders, written anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    settings: dict[str, dict[str, object]] = {
        "mqtt": {"listen_port": free_port("127.0.0.1")},
        "mcp.orders": orders_server(),
        "history": {"path": str(FOLDER / "history.sqlite")},
        "control": {"socket": str(FOLDER / "control")},
    }
    file = FOLDER / "voxcard.toml"
    file.write_text(toml(settings), encoding="utf-8")
    return file


async def answers(socket: Path) -> bool:
    """Whether a bridge runs there."""
    try:
        await request(socket, "devices", {}, lambda report: None)
    except BridgeAway:
        return False
    return True


async def play(file: Path, asked: argparse.Namespace) -> None:
    """Run the device that is asked for beside the bridge of `file`, until `quit`."""
    loaded = config.load(file)
    options = options_of(
        asked.id,
        of_bridge(loaded.mqtt, asked.id),
        loaded.control.socket,
        FOLDER / asked.id,
        asked.screen,
        asked.camera,
        asked.window,
    )
    if await answers(options.socket):
        tell("A bridge runs with this file; the device joins it.")
        await attached(options)
        return
    interpreter.find()  # before the bridge is waited for
    bridge = started(file, loaded)
    tell(f"Starting the bridge (it loads speech models; its log is {bridge.log})…")
    try:
        await bridge.start(tell)
        tell(f"In another terminal: voxcard devices --config {file}")
        await first_of(attached(options), bridge.ended())
    finally:
        await bridge.stop()


def started(file: Path, loaded: Config) -> BridgeProcess:
    """The bridge of `file`, not started yet; its log is begun anew."""
    log = FOLDER / "bridge.log"
    log.unlink(missing_ok=True)
    return BridgeProcess(voxcard_run(file.resolve()), Path.cwd(), loaded.control.socket, log)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, help="your own voxcard.toml")
    parser.add_argument("--id", default=DEVICE, help="of the device")
    parser.add_argument("--camera", type=Path, help="JPEG that the camera sees")
    parser.add_argument("--screen", default="128x64", help="for example 240x240")
    parser.add_argument("--window", action="store_true", help="also as a page of a browser")
    asked = parser.parse_args()
    try:
        file = asked.config or own_config()
        asyncio.run(play(file, asked))
    except KeyboardInterrupt:
        pass
    except (BridgeEndedError, DeviceEndedError, OSError, VoxcardError) as error:
        print(str(error) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
