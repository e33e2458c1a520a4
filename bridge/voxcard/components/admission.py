"""Who may have a session."""

import time

from voxcard.access.accounts import PairedDevices
from voxcard.access.admission import Admission
from voxcard.access.broker_access import accounts_of, pairs
from voxcard.access.pairing import Pairing
from voxcard.components.home_watch import Publish
from voxcard.config import Config


def admission(config: Config, publish: Publish) -> Admission:
    """The admission of a bridge; `publish` takes its answers to devices that stay outside."""
    return Admission(
        accounts_of(config.mqtt),
        PairedDevices(config.mqtt.accounts),
        pairs=pairs(config.mqtt),
        configured=config.devices,
        pairing=Pairing(time.monotonic),
        root=config.mqtt.root,
        publish=publish,
    )
