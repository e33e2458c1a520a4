"""The bridge as a whole: builds every object, joins them, runs them, serves the command line."""

import asyncio
import gc
import logging
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from voxcard import __version__
from voxcard.access.accounts import BRIDGE, EmbeddedAccounts, PairedDevices
from voxcard.access.admission import Admission
from voxcard.access.broker_access import accounts_of, has_passwords, pairs
from voxcard.access.pairing import Pairing
from voxcard.assistants import Assistant
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.bridge_service import BridgeService
from voxcard.cards.dialects.codai import short_forms
from voxcard.cards.drawing.drawer import drawer
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.images.fetch import Fetcher, Resolver
from voxcard.config import Config
from voxcard.control.server import ControlServer
from voxcard.control.service import Happening
from voxcard.control.watchers import Watchers
from voxcard.errors import VoxcardError
from voxcard.history.archive import Archive, as_json
from voxcard.history.store import History
from voxcard.history.writer import HistoryWriter
from voxcard.link.blob_room import BlobRoom
from voxcard.link.blobs import Blobs
from voxcard.link.devices import Devices
from voxcard.link.embedded_broker import EmbeddedBroker
from voxcard.link.hello_requests import HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.mqtt import Address, MqttClient
from voxcard.link.outgoing import Outgoing
from voxcard.link.presence import OFFLINE, Presence, instance_of
from voxcard.link.problems import Problems
from voxcard.screen.assistant_cards import AssistantCards
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.device_cards import DeviceCards
from voxcard.screen.elicitation import Elicitation
from voxcard.screen.questions import ScreenQuestions
from voxcard.session.relay import Relay
from voxcard.session.relay_events import RelayEvents
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
        self._watch_turns = on_turn
        self._tasks = Tasks()
        self._mqtt: MqttClient | None = None
        self._broker: EmbeddedBroker | None = None
        self._assistant = assistant or _assistant(config)
        self._watchers = Watchers()
        self._blob_room = BlobRoom()
        self._devices = Devices(time.time)
        self._writer = HistoryWriter(asyncio.to_thread)
        self._history = History(
            config.history.path, config.history.keep_days, config.history.keep_count
        )
        self._archive = Archive(self._history, self._writer.put)
        own = AssistantCards(self._card_places, card_tools.ANSWER_LIMIT_S)
        elicitation = Elicitation(lambda device_id: self._board.relay(device_id).screen.questions)
        self._hub = Hub(
            picture=self._picture,
            on_change=self._tools_changed,
            servers=[McpClient(server, elicit=elicitation.ask) for server in config.mcp],
            bridge=[
                *builtin.tools(
                    show_last_card=self._show_last_card, now=lambda: datetime.now().astimezone()
                ),
                *card_tools.tools(
                    short_forms.SHORT_FORMS,
                    show=own.show,
                    ask=own.ask,
                    update=own.update,
                ),
            ],
        )
        self._resolver = Resolver()
        self._links = ShortLinks(config.web.public_url) if config.web.public_url else None
        fetch = Fetcher(self._resolver).fetch
        self._card_maker = CardMaker(
            offload=asyncio.to_thread,
            servers=self._hub,
            pictures=PictureFinder(fetch, asyncio.to_thread, drawer),
            drawer=drawer,
            short_link=self._links.shorten if self._links else lambda url: None,
            now_s=time.time,
        )
        self._problems = Problems(time.monotonic)
        self._requests = HelloRequests(
            lost=lambda: self._board.lost(),
            has_session=lambda device_id: self._board.has_session(device_id),
            root=config.mqtt.root,
            publish=self._publish,
            now_s=time.monotonic,
        )
        self._watch = HelloWatch(config.mqtt.root, self._problems, time.monotonic)
        self._presence = self._make_presence()
        self._accounts = accounts_of(config.mqtt)
        self._admission = Admission(
            self._accounts,
            PairedDevices(config.mqtt.accounts),
            pairs=pairs(config.mqtt),
            configured=config.devices,
            pairing=Pairing(time.monotonic),
            root=config.mqtt.root,
            publish=self._publish,
        )
        self._board = Switchboard(
            config.mqtt.root,
            self._devices,
            make_relay=self._make_relay,
            options=self._options,
            requests=self._requests,
            watch=self._watch,
            admission=self._admission,
        )
        self.service = BridgeService(
            devices=self._devices,
            board=self._board,
            hub=self._hub,
            watchers=self._watchers,
            card_maker=self._card_maker,
            problems=self._problems,
            admission=self._admission,
            access_changed=self._restart_broker,
        )

    async def run(self) -> None:
        """Serve until cancelled; VoxcardError when it cannot start."""
        await asyncio.to_thread(self._assistant.check)
        async with AsyncExitStack() as stack:
            address = await self._start_broker(stack)
            stack.push_async_callback(self._assistant.stop)
            await self._assistant.start()
            stack.callback(self._history.close)
            stack.push_async_callback(self._hub.stop)
            await self._hub.start()
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
        self._mqtt = MqttClient(
            address,
            subscriptions=[
                *subscriptions(self._config.mqtt.root),
                (self._presence.subscription, 1),
            ],
            on_message=self._message,
            on_link=self._link,
            will=(self._presence.topic, OFFLINE),
            on_refused=self._presence.refused,
        )
        async with self._tasks:
            if self._broker is not None:
                self._tasks.keep(self._broker.run, "embedded broker")
            self._tasks.keep(self._mqtt.run, "mqtt")
            self._tasks.keep(self._writer.run, "history")
            self._tasks.keep(self._look, "who is there")
            self._tasks.keep(self._sweep, "sweep")
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                await self._board.close()
                self._presence.leave()
                await self._writer.drain()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            self._board.sweep()
            self._admission.look()

    async def _start_broker(self, stack: AsyncExitStack) -> Address:
        mqtt = self._config.mqtt
        if mqtt.embedded:
            return await self._start_embedded(stack)
        return Address(
            host=mqtt.host,
            port=mqtt.port,
            user=mqtt.user,
            password=mqtt.password.value,
            tls=mqtt.tls,
            ca_file=mqtt.ca_file,
            version=mqtt.version,
        )

    async def _start_embedded(self, stack: AsyncExitStack) -> Address:
        mqtt, accounts = self._config.mqtt, EmbeddedAccounts(self._config.mqtt.accounts)
        guarded = has_passwords(mqtt)
        users = accounts.users() if guarded else {}
        self._broker = EmbeddedBroker(
            mqtt.host, mqtt.port, users=accounts.users if guarded else dict, root=mqtt.root
        )
        stack.push_async_callback(self._broker.stop)
        await self._broker.start()
        if guarded and not accounts.devices():
            log.warning("no device has a password yet: voxcard devices add NAME makes one")
        # Listening everywhere, it is found here.
        host = "127.0.0.1" if mqtt.host in ("0.0.0.0", "::") else mqtt.host
        user = BRIDGE if guarded else ""
        return Address(host=host, port=mqtt.port, user=user, password=users.get(BRIDGE, ""))

    def _restart_broker(self) -> None:
        if self._broker is not None and has_passwords(self._config.mqtt):
            self._broker.restart()

    def _message(self, topic: str, payload: bytes, retained: bool) -> None:
        if not self._presence.take(topic, payload, retained):
            self._board.message(topic, payload, retained)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._requests.look()
            self._presence.look()

    def _link(self, up: bool) -> None:
        self._board.link(up)
        self._presence.link(up)
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
        return Relay(
            device_id,
            wire=wire,
            hub=self._hub,
            assistant=self._assistant,
            blobs=blobs,
            card_maker=self._card_maker,
            keep_card=self._archive.card,
            spawn=self._tasks.spawn,
            events=RelayEvents(
                lost=lambda: self._requests.lost(device_id),
                heard=lambda: self._watch.heard(device_id),
                doubt=lambda: self._requests.doubt(device_id),
                turn=self._turn_done,
                part=lambda kind, text, detail: self._watchers.tell(
                    Happening(device=device_id, kind=kind, text=text, detail=detail)
                ),
            ),
            keep_audio=self._config.history.store_audio,
        )

    def _make_presence(self) -> Presence:
        host, mqtt = socket.gethostname(), self._config.mqtt
        return Presence(
            mqtt.root,
            instance_of(host, self._config.control.socket),
            host=host,
            version=__version__,
            user=mqtt.user,
            publish=lambda topic, payload: self._publish(topic, payload, retain=True),
            problems=self._problems,
            now_s=time.monotonic,
        )

    def _tools_changed(self) -> None:
        self._board.tools_changed()
        self._watchers.tell(Happening(device="", kind="tools", text=""))

    def _options(self, device_id: str) -> Options:
        own, home = self._config.devices.get(device_id), self._config.device(device_id)
        return Options(name=own.name if own else "", locale=home.locale, cards=home.cards)

    async def _picture(self, device_id: str, blob_id: int) -> bytes:
        return (await self._board.relay(device_id).blobs.wait(blob_id)).data

    def _card_places(self, device_id: str) -> tuple[DeviceCards, ScreenQuestions]:
        relay = self._board.relay(device_id)
        return relay.screen.cards, relay.screen.questions

    async def _show_last_card(self, device_id: str) -> str:
        relay = self._board.relay(device_id)
        card = await asyncio.to_thread(self._history.last_card, device_id)
        if card is None:
            raise VoxcardError("There was no card yet.", "Ask for something first.")
        if not await relay.screen.cards.card(card):
            raise VoxcardError("This device shows no cards.", "")
        return card.title

    def _turn_done(self, record: TurnRecord) -> None:
        if self._watch_turns is not None:
            self._watch_turns(record)
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


def _assistant(config: Config) -> Assistant:
    chosen = config.assistant
    given: dict[str, Any] = {"model": chosen.model, "voice": chosen.voice}
    return Offline(
        OfflineSettings(
            locale=chosen.locale,
            sentences=Path(chosen.sentences) if chosen.sentences else None,
            end_of_speech_ms=chosen.end_of_speech_ms,
            **{name: value for name, value in given.items() if value},
        )
    )
