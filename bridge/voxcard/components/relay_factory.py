"""Makes the relay of a device: its wire, its blobs, and what it is told and tells."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from voxcard.components.broker_connection import BrokerConnection
from voxcard.components.configured_assistants import ConfiguredAssistants, OneAssistant
from voxcard.components.happenings import Happenings
from voxcard.components.home_watch import HomeWatch
from voxcard.link.blob_room import BlobRoom
from voxcard.link.blobs import Blobs
from voxcard.link.outgoing import Outgoing
from voxcard.releases.updates import Updates
from voxcard.session.relay import Relay
from voxcard.session.relay_events import RelayEvents
from voxcard.session.services import Services
from voxcard.session.turn.record import TurnRecord
from voxcard.timers.copies import Copies


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayFactory:
    """`services` are what all relays share, but for the assistants, of which `assistants` knows
    who answers a device; `turn_done(record)` gets every finished turn."""

    root: str
    connection: BrokerConnection
    blob_room: BlobRoom
    services: Services
    assistants: ConfiguredAssistants | OneAssistant
    watch: HomeWatch
    updates: Updates
    timers: Copies
    happenings: Happenings
    turn_done: Callable[[TurnRecord], None]

    def make(self, device_id: str) -> Relay:
        """The relay of a device that is heard of for the first time."""
        wire = Outgoing(self.root, device_id, self.connection.publish, self.connection.frame)
        blobs = Blobs(
            wire.chunk,
            lambda blob_id, wanted, error: wire.send("blob", id=blob_id, next=wanted, error=error),
            room=self.blob_room,
        )
        services = replace(
            self.services,
            assistant=self.assistants.of(device_id),
            by_word=self.assistants.by_word(device_id),
        )
        return Relay(device_id, services, wire=wire, blobs=blobs, events=self._events(device_id))

    def _events(self, device_id: str) -> RelayEvents:
        return RelayEvents(
            lost=lambda: self.watch.requests.lost(device_id),
            heard=lambda: self.watch.hellos.heard(device_id),
            doubt=lambda: self.watch.requests.doubt(device_id),
            turn=self.turn_done,
            greeted=lambda: self.updates.greeted(device_id),
            update=lambda message: self.updates.message(device_id, message),
            timers=lambda message: self.timers.report(device_id, message.entries),
            part=lambda kind, text, detail: self.happenings.part(device_id, kind, text, detail),
        )
