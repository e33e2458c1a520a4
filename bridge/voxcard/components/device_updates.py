"""The updates of devices, joined to what else the bridge is made of."""

from voxcard.components.broker_connection import BrokerConnection
from voxcard.components.happenings import Happenings
from voxcard.config import Mqtt
from voxcard.link.devices import Devices
from voxcard.releases.updates import Updates
from voxcard.session.relays import Relays
from voxcard.tasks import Tasks


def device_updates(
    mqtt: Mqtt,
    devices: Devices,
    relays: Relays,
    connection: BrokerConnection,
    tasks: Tasks,
    happenings: Happenings,
) -> Updates:
    """The updates of a home whose devices are on this broker."""

    async def send(device_id: str, name: str, data: bytes) -> None:
        await relays.relay(device_id).blobs.send("release", data, name=name)

    def is_online(device_id: str) -> bool:
        device = devices.get(device_id)
        return device is not None and device.online

    return Updates(
        mqtt.accounts,
        mqtt.root,
        publish=connection.publish,
        send=send,
        spawn=tasks.spawn,
        is_online=is_online,
        tell=happenings.update,
    )
