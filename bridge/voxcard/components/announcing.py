"""The announcements of a home: which devices there are, their quiet hours, how they play."""

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from voxcard.announce.announcement import Announcement, Report
from voxcard.announce.announcer import Announcer
from voxcard.announce.device_line import DeviceLine, Obstacle, Outcome
from voxcard.announce.night import NightMode
from voxcard.announce.parts import parts
from voxcard.cards.model import CardRefused
from voxcard.components.announce_tool import AnnounceTool
from voxcard.config import Config
from voxcard.errors import VoxcardError
from voxcard.link.devices import Devices
from voxcard.screen.card_maker import CardMaker
from voxcard.session.device_turns import check_words
from voxcard.session.relays import Relays
from voxcard.session.turn_order import WAIT_S
from voxcard.toolhub.hub import Hub

NIGHT_TOOL = "self.set_night_mode"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """One device of the home, as device_line.Place."""

    id: str
    config: Config
    relays: Relays
    now: Callable[[], datetime]

    def obstacle(self, announcement: Announcement) -> Obstacle | None:
        """It is away, or it has quiet hours."""
        if not self.relays.has_session(self.id):
            return Obstacle(text=f"{self.id} is not online. Switch it on.")
        hours, now = self.config.device(self.id).quiet_hours, self.now()
        if hours is None or announcement.urgent or not hours.contains(now):
            return None
        return Obstacle(
            text=f"{self.id} has quiet hours until {hours.end(now):%H:%M}.",
            refuses=self.config.announcements.in_quiet_hours == "refuse",
            stops_clock=True,
        )

    def is_busy(self) -> bool:
        """Whether a turn runs."""
        return self.relays.is_busy(self.id)

    async def play(
        self, announcement: Announcement, *, wait_s: float, on_begin: Callable[[], None]
    ) -> Outcome:
        """Play it in a turn of its own."""
        turns = self.relays.relay(self.id).turns
        return await turns.announce(
            lambda: parts(announcement, turns.speech(announcement.text), turns.chime_percent),
            urgent=announcement.urgent,
            wait_s=wait_s,
            on_begin=on_begin,
        )


class Announcing:
    """`spawn(coroutine, name)` runs tasks; `now()` is the home's local time, with its zone."""

    def __init__(
        self,
        config: Config,
        devices: Devices,
        relays: Relays,
        hub: Hub,
        card_maker: CardMaker,
        *,
        spawn: Callable[[Coroutine[Any, Any, None], str], Any],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._config = config
        self._devices = devices
        self._relays = relays
        self._hub = hub
        self._card_maker = card_maker
        self._announcer = Announcer(
            lambda device_id: DeviceLine(
                _Place(id=device_id, config=config, relays=relays, now=now), spawn
            )
        )
        self._night = NightMode(
            hours=lambda device_id: config.device(device_id).quiet_hours,
            now=now,
            devices=self._with_session,
            switch=self._switch,
            spawn=spawn,
        )
        self._tool = AnnounceTool(self.names, self.announce, spawn)

    def look(self) -> None:
        """Each second: night mode, and the names that the tool knows."""
        if self._config.announcements.night_mode:
            self._night.look()
        if self._tool.names_changed():
            self._hub.offer(self._tool.described())

    def leave(self) -> None:
        """The bridge stops."""
        self._announcer.leave()

    def names(self) -> dict[str, str]:
        """The ids of the devices that are known, by what people call them."""
        return {device.name or device.id: device.id for device in self._devices.all()}

    async def say(self, device_id: str, text: str, *, urgent: bool = False) -> None:
        """Speak `text` on one device, now or after its turn; VoxcardError says why it did not."""
        announcement = Announcement(
            text=text, urgent=urgent, chime=False, holds=False, wait_s=WAIT_S
        )
        async with aclosing(self.announce(announcement, [device_id])) as reports:
            async for report in reports:
                if report.is_end and not report.is_delivered:
                    raise VoxcardError(report.text)

    async def announce(
        self, announcement: Announcement, device_ids: Sequence[str]
    ) -> AsyncGenerator[Report, None]:
        """What becomes of it on each of these devices; VoxcardError before anything is announced.

        A `wait_s` below 0 is the configured one; with 0 only devices in a turn are waited for.
        Closing it withdraws what is not played yet.
        """
        await self._check(announcement)
        if not device_ids:
            raise VoxcardError("There is no device yet.", "Start one: docs/setup.md says how.")
        announcement = self._timed(announcement)
        reports = self._announcer.announce(announcement, list(dict.fromkeys(device_ids)))
        async with aclosing(reports):
            async for report in reports:
                yield report

    def _timed(self, announcement: Announcement) -> Announcement:
        if announcement.wait_s < 0:
            return replace(announcement, wait_s=float(self._config.announcements.wait_s))
        if announcement.wait_s == 0:
            return replace(announcement, wait_s=WAIT_S, holds=False)
        return announcement

    async def _check(self, announcement: Announcement) -> None:
        if announcement.text:
            check_words(announcement.text)
        elif not announcement.audio and announcement.card is None:
            raise VoxcardError("There is nothing to announce.", "Give a text, a sound or a card.")
        if announcement.card is not None:
            try:
                await self._card_maker.read_source(announcement.card, "announced")
            except CardRefused as refused:
                raise VoxcardError(f"That is no card ({refused}).", "Correct it.") from refused

    def _with_session(self) -> Iterator[str]:
        return (each for each in self._relays.ids() if self._relays.has_session(each))

    async def _switch(self, device_id: str, night: bool) -> bool:
        if NIGHT_TOOL not in {spec.name for spec in self._hub.specs(device_id)}:
            return False
        outcome = await self._hub.call(device_id, NIGHT_TOOL, {"on": night})
        return not outcome.is_error
