"""Composition root of the bridge: builds every long-lived object and runs them."""

import asyncio
import gc
import logging
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Protocol

from voxcard import __version__
from voxcard.access.accounts import PairedDevices
from voxcard.access.admission import Admission
from voxcard.access.broker_access import accounts_of, pairs
from voxcard.access.pairing import Pairing
from voxcard.assistants import Assistant
from voxcard.bridge_service import BridgeService
from voxcard.cards.dialects.codai import short_forms
from voxcard.cards.drawing.drawer import drawer
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.images.fetch import Fetcher, Resolver
from voxcard.config import Config
from voxcard.configured_assistants import ConfiguredAssistants, OneAssistant
from voxcard.control.server import ControlServer
from voxcard.control.service import Happening
from voxcard.control.watchers import Watchers
from voxcard.discovery.announcer import Announcer
from voxcard.history.archive import Archive, as_json
from voxcard.history.store import History
from voxcard.history.writer import HistoryWriter
from voxcard.home_broker import HomeBroker
from voxcard.link.blob_room import BlobRoom
from voxcard.link.blobs import Blobs
from voxcard.link.devices import Devices
from voxcard.link.hello_requests import HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.mqtt import Address, MqttClient
from voxcard.link.outgoing import Outgoing
from voxcard.link.presence import OFFLINE, Presence, instance_of
from voxcard.link.problems import Problems
from voxcard.releases import progress as update_progress
from voxcard.releases.progress import Progress
from voxcard.releases.updates import Updates
from voxcard.screen.assistant_cards import AssistantCards
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.elicitation import Elicitation
from voxcard.session.relay import Relay
from voxcard.session.relay_events import RelayEvents
from voxcard.session.relays import Relays
from voxcard.session.services import Services
from voxcard.session.turn.record import TurnRecord
from voxcard.switchboard import Options, Switchboard, subscriptions
from voxcard.tasks import Tasks
from voxcard.toolhub import builtin, card_tools
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.mcp.client import McpClient
from voxcard.web.server import WebServer
from voxcard.web.shortlinks import Rate, ShortLinks, routes

log = logging.getLogger(__name__)

LOOK_S = 1.0  # who is missing, what did not come back
SWEEP_S = 10.0  # what is older than its time


class Publish(Protocol):
    """Sends a message to the broker, or refuses it (False) while there is no connection."""

    def __call__(self, topic: str, payload: bytes, *, retain: bool = False) -> bool: ...


class App:
    """A bridge: `run()` until cancelled; `ready` is set when it serves devices.

    `service` is what it does for the command line, `on_turn(record)` gets every finished turn,
    `assistant` replaces the configured one.
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
        self._mqtt: MqttClient | None = None
        self._assistants = OneAssistant(assistant) if assistant else ConfiguredAssistants(config)
        self._watchers = Watchers()
        self._blob_room = BlobRoom()
        self._devices = Devices(time.time)
        self._relays = Relays()
        self._history = History(
            config.history.path, config.history.keep_days, config.history.keep_count
        )
        self._writer = HistoryWriter(asyncio.to_thread)
        self._archive = Archive(self._history, self._writer.put)
        self._hub = _hub(config, self._relays, self._history, on_change=self._tools_changed)
        self._resolver = Resolver()
        self._links = ShortLinks(config.web.public_url) if config.web.public_url else None
        self._card_maker = _card_maker(self._resolver, self._links, self._hub)
        self._watch = _watch(config, self._devices, self._relays, self._publish)
        self._admission = _admission(config, self._publish)
        self._updates = self._new_updates()
        self._services = self._shared_services()
        self._board = self._switchboard()
        self.service = self._bridge_service()

    def _shared_services(self) -> Services:
        return Services(
            hub=self._hub,
            assistant=self._assistants.of(""),
            card_maker=self._card_maker,
            keep_card=self._archive.card,
            spawn=self._tasks.spawn,
            keep_audio=self._config.history.store_audio,
        )

    def _switchboard(self) -> Switchboard:
        return Switchboard(
            self._config.mqtt.root,
            self._devices,
            self._relays,
            make_relay=self._make_relay,
            options=self._options,
            requests=self._watch.requests,
            watch=self._watch.hellos,
            admission=self._admission,
        )

    def _new_updates(self) -> Updates:
        mqtt, devices = self._config.mqtt, self._devices
        return Updates(
            mqtt.accounts,
            mqtt.root,
            publish=self._publish,
            send=self._send_piece,
            spawn=self._tasks.spawn,
            is_online=lambda device_id: (
                (device := devices.get(device_id)) is not None and device.online
            ),
            tell=self._update_changed,
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
        )

    async def run(self) -> None:
        """Serve until cancelled; VoxcardError when it cannot start."""
        await asyncio.to_thread(self._assistants.check)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._broker.stop)
            address = await self._broker.start()
            stack.push_async_callback(self._assistants.stop)
            await self._assistants.start()
            stack.callback(self._history.close)
            stack.push_async_callback(self._hub.stop)
            await self._hub.start()
            await self._updates.load()
            server = ControlServer(
                self.service, self._config.control.socket, self._config.control.admin_token.value
            )
            stack.push_async_callback(server.stop)
            await server.start()
            stack.callback(self._resolver.close)
            if self._links is not None:
                web = self._config.web
                site = WebServer(routes(self._links, Rate()), web.listen, web.port)
                stack.push_async_callback(site.stop)
                await site.start()
            _freeze()
            await self._serve(address)

    async def _serve(self, address: Address) -> None:
        self._mqtt = self._mqtt_client(address)
        async with self._tasks:
            if self._broker.embedded is not None:
                self._tasks.keep(self._broker.embedded.run, "embedded broker")
            self._tasks.keep(self._mqtt.run, "mqtt")
            self._tasks.keep(_announcer(self._config).run, "announcement")
            self._tasks.keep(self._writer.run, "history")
            self._tasks.keep(self._look, "who is there")
            self._tasks.keep(self._sweep, "sweep")
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                await self._relays.close()
                self._watch.presence.leave()
                await self._writer.drain()

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

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._watch.requests.look()
            self._watch.presence.look()
            self._updates.offers.look()
            self._look_after_assistants()

    def _look_after_assistants(self) -> None:
        """What keeps an assistant from answering is a problem of the home."""
        for name, why in self._assistants.health().items():
            if why:
                self._watch.problems.set(("assistant", name), f"The assistant {name}: {why}")
            else:
                self._watch.problems.clear(("assistant", name))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            self._board.sweep()
            self._admission.look()

    def _message(self, topic: str, payload: bytes, retained: bool) -> None:
        if not self._watch.presence.take(topic, payload, retained):
            self._board.message(topic, payload, retained)

    def _link(self, up: bool) -> None:
        self._board.link(up)
        self._watch.presence.link(up)
        self._updates.offers.link(up)
        if up and not self.ready.is_set():
            log.info("ready")
            self.ready.set()

    def _publish(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        return self._mqtt is not None and self._mqtt.publish(topic, payload, retain=retain)

    def _frame(self, topic: str, payload: bytes) -> bool:
        return self._mqtt is not None and self._mqtt.frame(topic, payload)

    def _make_relay(self, device_id: str) -> Relay:
        wire = Outgoing(self._config.mqtt.root, device_id, self._publish, self._frame)
        blobs = Blobs(
            wire.chunk,
            lambda blob_id, wanted, error: wire.send("blob", id=blob_id, next=wanted, error=error),
            room=self._blob_room,
        )
        events = self._relay_events(device_id)
        services = replace(self._services, assistant=self._assistants.of(device_id))
        return Relay(device_id, services, wire=wire, blobs=blobs, events=events)

    def _relay_events(self, device_id: str) -> RelayEvents:
        return RelayEvents(
            lost=lambda: self._watch.requests.lost(device_id),
            heard=lambda: self._watch.hellos.heard(device_id),
            doubt=lambda: self._watch.requests.doubt(device_id),
            turn=self._turn_done,
            greeted=lambda: self._updates.greeted(device_id),
            update=lambda message: self._updates.message(device_id, message),
            part=lambda kind, text, detail: self._watchers.tell(
                Happening(device=device_id, kind=kind, text=text, detail=detail)
            ),
        )

    async def _send_piece(self, device_id: str, name: str, data: bytes) -> None:
        await self._relays.relay(device_id).blobs.send("release", data, name=name)

    def _update_changed(self, progress: Progress) -> None:
        happening = Happening(
            device=progress.device,
            kind="update",
            text=update_progress.sentence(progress),
            detail=asdict(progress),
        )
        self._watchers.tell(happening)

    def _options(self, device_id: str) -> Options:
        own, home = self._config.devices.get(device_id), self._config.device(device_id)
        return Options(name=own.name if own else "", locale=home.locale, cards=home.cards)

    def _tools_changed(self) -> None:
        self._relays.tools_changed()
        self._watchers.tell(Happening(device="", kind="tools", text=""))

    def _turn_done(self, record: TurnRecord) -> None:
        if self._on_turn is not None:
            self._on_turn(record)
        happening = Happening(
            device=record.device, kind="turn", text=record.reply, detail=as_json(record)
        )
        self._watchers.tell(happening)
        self._archive.turn(record)


def _freeze() -> None:
    """Take what start-up made out of the garbage collector's rounds: walking all of it stops
    every device's audio for a tenth of a second."""
    gc.collect()
    gc.freeze()


def _hub(
    config: Config, relays: Relays, history: History, *, on_change: Callable[[], None]
) -> Hub:
    cards = AssistantCards(
        lambda device_id: relays.relay(device_id).screen,
        history.last_card,
        answer_limit_s=card_tools.ANSWER_LIMIT_S,
    )
    elicitation = Elicitation(lambda device_id: relays.relay(device_id).screen.questions)

    async def picture(device_id: str, blob_id: int) -> bytes:
        return (await relays.relay(device_id).blobs.wait(blob_id)).data

    return Hub(
        picture=picture,
        on_change=on_change,
        servers=[McpClient(server, elicit=elicitation.ask) for server in config.mcp],
        bridge=[
            *builtin.tools(
                show_last_card=cards.show_last, now=lambda: datetime.now().astimezone()
            ),
            *card_tools.tools(
                short_forms.SHORT_FORMS, show=cards.show, ask=cards.ask, update=cards.update
            ),
        ],
    )


def _card_maker(resolver: Resolver, links: ShortLinks | None, hub: Hub) -> CardMaker:
    return CardMaker(
        offload=asyncio.to_thread,
        servers=hub,
        pictures=PictureFinder(Fetcher(resolver).fetch, asyncio.to_thread, drawer),
        drawer=drawer,
        short_link=links.shorten if links else lambda url: None,
        now_s=time.time,
    )


def _admission(config: Config, publish: Publish) -> Admission:
    return Admission(
        accounts_of(config.mqtt),
        PairedDevices(config.mqtt.accounts),
        pairs=pairs(config.mqtt),
        configured=config.devices,
        pairing=Pairing(time.monotonic),
        root=config.mqtt.root,
        publish=publish,
    )


def _instance(config: Config) -> str:
    return instance_of(socket.gethostname(), config.control.socket)


def _announcer(config: Config) -> Announcer:
    computer, instance = socket.gethostname(), _instance(config)
    return Announcer(config.mqtt, config.announce, computer=computer, instance=instance)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watch:
    """Who is missing in the home, and what is wrong there."""

    problems: Problems
    hellos: HelloWatch
    requests: HelloRequests
    presence: Presence


def _watch(config: Config, devices: Devices, relays: Relays, publish: Publish) -> _Watch:
    problems, root = Problems(time.monotonic), config.mqtt.root
    requests = HelloRequests(
        lost=lambda: relays.lost(devices.all()),
        has_session=relays.has_session,
        root=root,
        publish=publish,
        now_s=time.monotonic,
    )
    presence = Presence(
        root,
        _instance(config),
        host=socket.gethostname(),
        version=__version__,
        user=config.mqtt.user,
        publish=lambda topic, payload: publish(topic, payload, retain=True),
        problems=problems,
        now_s=time.monotonic,
    )
    hellos = HelloWatch(root, problems, time.monotonic)
    return _Watch(problems=problems, hellos=hellos, requests=requests, presence=presence)
