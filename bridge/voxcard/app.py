"""Composition root of the bridge: builds every long-lived object and runs them."""

import asyncio
import gc
import logging
import socket
import time
from collections.abc import Callable, Iterator

from voxcard.assistants import Assistant
from voxcard.bridge_service import BridgeService
from voxcard.components.admission import admission
from voxcard.components.announcing import Announcing
from voxcard.components.broker_connection import BrokerConnection
from voxcard.components.card_maker import card_maker
from voxcard.components.configured_assistants import ConfiguredAssistants, OneAssistant
from voxcard.components.device_timers import DeviceTimers
from voxcard.components.device_updates import device_updates
from voxcard.components.happenings import Happenings
from voxcard.components.home_watch import HomeWatch, instance
from voxcard.components.lifecycle import Component, Lifecycle
from voxcard.components.relay_factory import RelayFactory
from voxcard.components.tool_hub import tool_hub
from voxcard.config import Config
from voxcard.control.server import ControlServer
from voxcard.control.watchers import Watchers
from voxcard.discovery.announcer import Announcer
from voxcard.fetching.addresses import Resolver
from voxcard.history.archive import Archive
from voxcard.history.store import History
from voxcard.history.writer import HistoryWriter
from voxcard.home_broker import HomeBroker
from voxcard.link.blob_room import BlobRoom
from voxcard.link.devices import Devices
from voxcard.link.mqtt import Address, MqttClient
from voxcard.link.presence import OFFLINE
from voxcard.media.fetch import MediaFetcher
from voxcard.media.reader import MediaReader
from voxcard.releases.updates import Updates
from voxcard.session.relays import Relays
from voxcard.session.services import Services
from voxcard.session.turn.record import TurnRecord
from voxcard.switchboard import Options, Switchboard, subscriptions
from voxcard.tasks import Tasks
from voxcard.wake.listening import WakeListening
from voxcard.web.server import WebServer
from voxcard.web.shortlinks import Rate, ShortLinks, routes

log = logging.getLogger(__name__)


class App:
    """A bridge: `run()` until cancelled; `ready` is set when it serves devices.

    `service` is what it does for the command line, `on_turn(record)` gets every finished turn,
    `assistant` replaces the configured one. A new part of the bridge is built in `__init__` and
    gets a line in `_components`, which says when it starts, runs, is looked after and stops.
    """

    def __init__(
        self,
        config: Config,
        *,
        on_turn: Callable[[TurnRecord], None] | None = None,
        assistant: Assistant | None = None,
    ) -> None:
        self.ready = asyncio.Event()
        self._config = config
        self._on_turn = on_turn
        self._tasks = Tasks()
        self._broker = HomeBroker(config.mqtt)
        self._connection = BrokerConnection(self._broker, self._mqtt_client)
        self._assistants = OneAssistant(assistant) if assistant else ConfiguredAssistants(config)
        self._wake = WakeListening(config.wake_words())
        self._watchers = Watchers()
        self._happenings = Happenings(self._watchers)
        self._devices = Devices(time.time)
        self._relays = Relays()
        history = config.history
        self._history = History(history.path, history.keep_days, history.keep_count)
        self._writer = HistoryWriter(asyncio.to_thread)
        self._archive = Archive(self._history, self._writer.put)
        self._hub = tool_hub(config, self._relays, self._history, on_change=self._tools_changed)
        self._resolver = Resolver()
        self._links = ShortLinks(config.web.public_url) if config.web.public_url else None
        self._card_maker = card_maker(self._resolver, self._links, self._hub)
        self._watch = HomeWatch(config, self._devices, self._relays, self._connection.publish)
        self._admission = admission(config, self._connection.publish)
        self._updates = self._new_updates()
        self._timers = self._new_timers()
        self._announcing = self._new_announcing()
        self._board = self._switchboard()
        self.service = self._bridge_service()
        self._lifecycle = Lifecycle(list(self._components()), self._tasks)

    async def run(self) -> None:
        """Serve until cancelled; VoxcardError when it cannot start."""
        await asyncio.to_thread(self._assistants.check)
        await asyncio.to_thread(self._wake.check)
        async with self._lifecycle.started():
            _freeze()
            await self._lifecycle.run()

    def _components(self) -> Iterator[Component]:
        """In the order in which they start and leave; they stop in reverse."""
        broker, connection, watch = self._broker, self._connection, self._watch
        yield Component("mqtt", start=connection.start, run=connection.run, stop=broker.stop)
        if broker.embedded is not None:
            yield Component("embedded broker", run=broker.embedded.run)
        assistants, board, relays = self._assistants, self._board, self._relays
        yield Component(
            "assistants",
            start=assistants.start,
            look=lambda: watch.assistants(assistants.health()),
            stop=assistants.stop,
        )
        yield Component("wake words", stop=self._wake.stop)
        yield Component("devices", link=board.link, sweep=board.sweep, leave=relays.close)
        presence = watch.presence
        yield Component("watch", look=watch.look, link=presence.link, leave=presence.leave)
        writer, hub = self._writer, self._hub
        yield Component("history", run=writer.run, leave=writer.drain, stop=self._history.close)
        yield Component("tools", start=hub.start, stop=hub.stop)
        updates, offers = self._updates, self._updates.offers
        yield Component("updates", start=updates.load, look=offers.look, link=offers.link)
        yield Component("timers", start=self._timers.start, sweep=self._timers.sweep)
        announcing = self._announcing
        yield Component("announcements", look=announcing.look, leave=announcing.leave)
        yield Component("admission", sweep=self._admission.look)
        control = self._control_server()
        yield Component("control", start=control.start, stop=control.stop)
        yield Component("pictures", stop=self._resolver.close)
        if self._links is not None:
            site = self._config.web
            web = WebServer(routes(self._links, Rate()), site.listen, site.port)
            yield Component("web", start=web.start, stop=web.stop)
        yield Component("announcement", run=_announcer(self._config).run)

    def _control_server(self) -> ControlServer:
        control = self._config.control
        return ControlServer(self.service, control.socket, control.admin_token.value)

    def _new_updates(self) -> Updates:
        home = self._devices, self._relays, self._connection
        return device_updates(self._config.mqtt, *home, self._tasks, self._happenings)

    def _new_timers(self) -> DeviceTimers:
        return DeviceTimers(
            self._config.mqtt.accounts,
            self._relays,
            self._happenings,
            put=self._writer.put,
            spawn=self._tasks.spawn,
        )

    def _new_announcing(self) -> Announcing:
        homes = self._config, self._devices, self._relays
        return Announcing(*homes, self._hub, self._card_maker, spawn=self._tasks.spawn)

    def _switchboard(self) -> Switchboard:
        return Switchboard(
            self._config.mqtt.root,
            self._devices,
            self._relays,
            make_relay=self._relay_factory().make,
            options=self._options,
            requests=self._watch.requests,
            watch=self._watch.hellos,
            admission=self._admission,
        )

    def _relay_factory(self) -> RelayFactory:
        services = Services(
            hub=self._hub,
            assistant=self._assistants.of(""),
            card_maker=self._card_maker,
            keep_card=self._archive.card,
            spawn=self._tasks.spawn,
            keep_audio=self._config.history.store_audio,
            read_media=MediaReader(MediaFetcher(self._resolver)).read,
            wake=self._wake,
        )
        return RelayFactory(
            root=self._config.mqtt.root,
            connection=self._connection,
            blob_room=BlobRoom(),
            services=services,
            assistants=self._assistants,
            watch=self._watch,
            updates=self._updates,
            timers=self._timers.copies,
            happenings=self._happenings,
            turn_done=self._turn_done,
        )

    def _bridge_service(self) -> BridgeService:
        return BridgeService(
            devices=self._devices,
            board=self._board,
            relays=self._relays,
            hub=self._hub,
            watchers=self._watchers,
            card_maker=self._card_maker,
            problems=self._watch.problems,
            admission=self._admission,
            access_changed=self._broker.accounts_changed,
            updates=self._updates,
            timers=self._timers.copies,
            announcing=self._announcing,
        )

    def _mqtt_client(self, address: Address) -> MqttClient:
        presence = self._watch.presence
        return MqttClient(
            address,
            subscriptions=[*subscriptions(self._config.mqtt.root), (presence.subscription, 1)],
            on_message=self._message,
            on_link=self._link,
            will=(presence.topic, OFFLINE),
            on_refused=presence.refused,
        )

    def _message(self, topic: str, payload: bytes, retained: bool) -> None:
        if not self._watch.presence.take(topic, payload, retained):
            self._board.message(topic, payload, retained)

    def _link(self, up: bool) -> None:
        self._lifecycle.link(up)
        if up and not self.ready.is_set():
            log.info("ready")
            self.ready.set()

    def _options(self, device_id: str) -> Options:
        own, home = self._config.devices.get(device_id), self._config.device(device_id)
        return Options(name=own.name if own else "", locale=home.locale, cards=home.cards)

    def _tools_changed(self) -> None:
        self._relays.tools_changed()
        self._happenings.tools()

    def _turn_done(self, record: TurnRecord) -> None:
        if self._on_turn is not None:
            self._on_turn(record)
        self._happenings.turn(record)
        self._archive.turn(record)


def _freeze() -> None:
    """Take what start-up made out of the garbage collector's rounds: walking all of it stops
    every device's audio for a tenth of a second."""
    gc.collect()
    gc.freeze()


def _announcer(config: Config) -> Announcer:
    computer, name = socket.gethostname(), instance(config)
    return Announcer(config.mqtt, config.announce, computer=computer, instance=name)
