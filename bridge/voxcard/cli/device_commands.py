"""`voxcard devices`: who is there, who is let in."""

import socket
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from voxcard import config
from voxcard.access.accounts import MosquittoAccounts, PairedDevices, check_device
from voxcard.access.broker_access import accounts_of, asks_nobody, has_passwords, is_loopback
from voxcard.access.update_keys import UpdateKeys
from voxcard.cli.console import AsJson, ConfigFile, ask_bridge, device_ids, group, print_json
from voxcard.config import Mqtt
from voxcard.control.server import BridgeAway
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.text_safety import safe_line

devices = group("The devices of the home: who is there, and who is let in.", no_args_is_help=False)
DeviceId = Annotated[
    str, typer.Argument(metavar="ID", help="Such as kitchen.", autocompletion=device_ids)
]
# Nothing is sent there: it only chooses the network card that leads outside.
_ELSEWHERE = ("192.0.2.1", 9)


@devices.callback(invoke_without_command=True)
def _devices(
    context: typer.Context, config_file: ConfigFile = None, as_json: AsJson = False
) -> None:
    if context.invoked_subcommand is None:
        list_devices(config_file, as_json)
    elif config_file is not None or as_json:
        raise typer.BadParameter(f"Options belong behind {context.invoked_subcommand}.")


@devices.command("list")
def list_devices(config_file: ConfigFile = None, as_json: AsJson = False) -> None:
    """List the devices the bridge knows."""
    rows = ask_bridge(config_file, "devices")
    if as_json:
        print_json(rows)
        return
    if not rows:
        print("No device yet: start one, or check its broker settings.")
    for row in rows:
        state = (row["state"] or "online") if row["online"] else "offline"
        waits = "waits: voxcard devices pair CODE" if row["access"] == "waits" else ""
        words = (row["name"], row["board"], row["firmware"], row["update"], waits)
        print(f"{row['id']:<20} {state:<12} {'  '.join(filter(None, map(safe_line, words)))}")
        for timer in row["timers"]:
            print(f"{'':<20} {safe_line(timer)}")
    for problem in ask_bridge(config_file, "problems"):
        print(f"! {safe_line(problem)}")


@devices.command()
def add(device: DeviceId, config_file: ConfigFile = None, as_json: AsJson = False) -> None:
    """Let a device in: make its password, and print once what to set on the device."""
    check_device(device)
    mqtt = config.load(config_file).mqtt
    accounts = accounts_of(mqtt)
    settings: dict[str, Json] = {
        "id": device,
        "host": _address(mqtt),
        "port": mqtt.port,
        "root": mqtt.root,
        "user": device,
        "password": accounts.add(device),
        "update_key": UpdateKeys(mqtt.accounts).add(device),
    }
    _print_settings(settings, "Password and key are", as_json=as_json)
    _note(mqtt, accounts, _tell_bridge(config_file))


@devices.command()
def key(device: DeviceId, config_file: ConfigFile = None, as_json: AsJson = False) -> None:
    """Give a device a new key for updates, and no password; print once what to set on it.

    For devices of a broker that asks for none, and for those that are too old to have a key.
    """
    check_device(device)
    accounts = config.load(config_file).mqtt.accounts
    settings = {"id": device, "update_key": UpdateKeys(accounts).add(device)}
    _print_settings(settings, "The key is", as_json=as_json)
    _tell_bridge(config_file)


@devices.command()
def remove(device: DeviceId, config_file: ConfigFile = None) -> None:
    """Let a device in no more."""
    check_device(device)
    mqtt = config.load(config_file).mqtt
    accounts = accounts_of(mqtt)
    parts = (accounts, PairedDevices(mqtt.accounts), UpdateKeys(mqtt.accounts))
    had = [part.remove(device) for part in parts]
    if not any(had):
        remedy = "See: voxcard devices list"
        raise VoxcardError(f"{device} has no password and was not paired.", remedy)
    if asks_nobody(mqtt):
        print(f"{device} has no password any more. It is let in all the same, as everybody is.")
    else:
        print(f"{device} is let in no more.")
    _note(mqtt, accounts, _tell_bridge(config_file, device))


@devices.command()
def pair(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The digits on its screen.")],
    config_file: ConfigFile = None,
) -> None:
    """Let the device in that shows CODE on its screen."""
    print(f"{ask_bridge(config_file, 'pair', code=code)['id']} is let in.")


def _print_settings(settings: dict[str, Json], secrets: str, *, as_json: bool) -> None:
    if as_json:
        print_json(settings)
        return
    print(f"Set this on {settings['id']}. {secrets} shown this once.")
    for name, value in settings.items():
        print(f"  {name:<10} {value}")


def _tell_bridge(config_file: ConfigFile, removed: str = "") -> bool:
    """Whether a bridge runs and takes the change now."""
    try:
        ask_bridge(config_file, "access_changed", removed=removed)
    except BridgeAway:
        return False
    return True


def _note(mqtt: Mqtt, accounts: object, bridge_runs: bool) -> None:
    for line in _notes(mqtt, accounts, bridge_runs):
        print(line, file=sys.stderr)


def _notes(mqtt: Mqtt, accounts: object, bridge_runs: bool) -> Iterator[str]:
    """What else there is to do."""
    if isinstance(accounts, MosquittoAccounts):
        yield f"mosquitto reads it from {accounts.folder}; where it stands elsewhere, run:"
        files = f"{accounts.passwords} {accounts.acl}"
        yield f"  sudo install -o mosquitto -m 0600 -t /etc/mosquitto/voxcard -D {files}"
        yield "  sudo systemctl reload mosquitto"
        if not mqtt.user:
            yield f'Give the bridge its own: [mqtt] user = "{accounts.user}" and'
            yield f'  password_file = "{accounts.bridge_password}"'
    elif not has_passwords(mqtt):
        yield f"The embedded broker listens to this computer only ({mqtt.host}) and asks nobody"
        yield '  for a password; for devices of your network: [mqtt] listen = "0.0.0.0"'
    elif bridge_runs:
        yield "The embedded broker starts anew with it: every device is away for a moment."
    else:
        yield "The bridge takes it at its next start."


def _address(mqtt: Mqtt) -> str:
    """Where a device finds the broker, as far as this computer can know."""
    if not mqtt.embedded and not is_loopback(mqtt.host):
        return mqtt.host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return socket.gethostname()
        address: str = probe.getsockname()[0]
        return address
