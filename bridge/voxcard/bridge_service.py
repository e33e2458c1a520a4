"""Implements control.service.Service over the parts of a running bridge."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from voxcard import audio
from voxcard.access.admission import Admission
from voxcard.announce.announcement import Announcement, Report
from voxcard.assistants import RATE_HZ
from voxcard.cards.model import CardRefused
from voxcard.components.announcing import Announcing
from voxcard.control.service import AskPart, DeviceRow, Happening
from voxcard.control.watchers import Watchers
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.link.devices import Device, Devices
from voxcard.link.problems import Problems
from voxcard.releases import progress as update_progress
from voxcard.releases.fitness import Target
from voxcard.releases.progress import Progress
from voxcard.releases.updates import Updates
from voxcard.screen.card_maker import CardMaker
from voxcard.session.relay import Relay
from voxcard.session.relays import Relays
from voxcard.switchboard import Switchboard
from voxcard.timers.copies import Copies
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.model import ToolOutcome, ToolSpec

PIECE_BYTES = RATE_HZ * 2 * 40 // 1000  # of a WAV file given as if it were a microphone


class BridgeService:
    """The Service over the parts of a bridge."""

    def __init__(
        self,
        *,
        devices: Devices,
        board: Switchboard,
        relays: Relays,
        hub: Hub,
        watchers: Watchers,
        card_maker: CardMaker,
        problems: Problems,
        admission: Admission,
        access_changed: Callable[[], bool],
        updates: Updates,
        timers: Copies,
        announcing: Announcing,
    ) -> None:
        self._devices = devices
        self._board = board
        self._relays = relays
        self._hub = hub
        self._watchers = watchers
        self._card_maker = card_maker
        self._problems = problems
        self._admission = admission
        self._access_changed = access_changed
        self._updates = updates
        self._timers = timers
        self._announcing = announcing

    def devices(self) -> Sequence[DeviceRow]:
        """Every device the bridge knows, and those that were let in and were never there."""
        rows = {device_id: Device(id=device_id) for device_id in self._admission.all()}
        rows |= {device.id: device for device in self._devices.all()}
        return [
            DeviceRow(
                id=device.id,
                name=device.name or device.id,
                online=device.online,
                state=self._relays.state(device.id),
                board=device.capability.board if device.capability else "",
                access=self._admission.way(device.id),
                firmware=device.capability.firmware if device.capability else "",
                update=self._update_words(device.id),
                timers=self._timers.words(device.id),
            )
            for device in (rows[device_id] for device_id in sorted(rows))
        ]

    def pair(self, code: str) -> str:
        """Let the device in that shows `code`; its id."""
        device_id = self._admission.pair(code)
        self._board.invite(device_id)
        return device_id

    def access_changed(self, removed: str) -> None:
        """Devices were added, or `removed` was."""
        self._admission.changed()
        device = self._devices.get(removed)
        self._updates.accounts_changed(removed)
        if removed:
            self._timers.forget(removed)
            self._board.forget(removed)
        stays_out = self._access_changed()
        if device is not None and device.online and not stays_out:
            # It does not know that its session is over: its hello gets it another, or its code.
            self._board.invite(removed)

    def problems(self) -> Sequence[str]:
        """What is wrong in the home, each with its remedy."""
        return self._problems.all()

    async def say(self, device_id: str, text: str, *, urgent: bool = False) -> None:
        """Speak `text` on a device; returns when it was played."""
        self._relay(device_id)
        await self._announcing.say(device_id, text, urgent=urgent)

    def announce(
        self, announcement: Announcement, device_ids: Sequence[str]
    ) -> AsyncIterator[Report]:
        """What becomes of it on these devices, or on all for none."""
        known = [row.id for row in self.devices() if row.access != "waits"]
        for device_id in set(device_ids).difference(known):
            self._relay(device_id)
        return self._announcing.announce(announcement, device_ids or known)

    async def ask(
        self, device_id: str, *, text: str = "", wav: bytes | None = None
    ) -> AsyncIterator[AskPart]:
        """Run a turn from `text` or the bytes of a WAV file; the device speaks the answer."""
        relay = self._relay(device_id)
        pcm = None
        if wav is not None:
            pcm = await asyncio.to_thread(audio.read_wav, wav, RATE_HZ)
        parts: asyncio.Queue[AskPart | None] = asyncio.Queue()
        turn = asyncio.create_task(
            relay.turns.ask(
                text=text,
                audio=None if pcm is None else _pieces(pcm),
                watch=lambda kind, content, detail: parts.put_nowait(
                    AskPart(kind=kind, text=content, detail=detail)
                ),
            ),
            name=f"ask {device_id}",
        )
        turn.add_done_callback(lambda _: parts.put_nowait(None))
        try:
            while (part := await parts.get()) is not None:
                yield part
            await turn
        finally:
            turn.cancel()

    def tool_list(self, device_id: str, scope: str) -> Sequence[ToolSpec]:
        """The tools that `scope` reaches."""
        self._relay(device_id)
        return self._hub.specs(device_id, scope)

    async def tool_call(
        self,
        device_id: str,
        name: str,
        arguments: Mapping[str, Json],
        *,
        scope: str,
        on_progress: Callable[[str], None] = lambda text: None,
    ) -> ToolOutcome:
        """Call a tool; its own failure is an outcome, not an error."""
        self._relay(device_id)
        return await self._hub.call(
            device_id, name, arguments, scope=scope, on_progress=on_progress
        )

    async def card_show(self, device_id: str, source: Mapping[str, Json]) -> str:
        """Show the card in `source` (any dialect); returns its id."""
        relay = self._relay(device_id)
        try:
            card = await self._card_maker.read_source(source, "shown")
        except CardRefused as refused:
            raise VoxcardError(f"That is no card ({refused}).", "Correct it.") from refused
        card_id = await relay.screen.cards.card(card)
        if not card_id:
            raise VoxcardError(f"{device_id} shows no cards now.", "See its log line for why.")
        return card_id

    async def update(self, device_id: str, incoming: str) -> AsyncIterator[Progress]:
        """Offer the release that records.bring called `incoming`; how it goes on, to its end."""
        await self._updates.offer(self._target(device_id), incoming)
        async for progress in self._updates.follow(device_id):
            yield progress
            if not progress.is_online and progress.state == "offered":
                return

    def update_state(self, device_id: str) -> Progress:
        """The last update of a device."""
        return self._updates.progress(device_id)

    async def update_cancel(self, device_id: str) -> Progress:
        """Take an offer back."""
        return await self._updates.cancel(device_id)

    def _update_words(self, device_id: str) -> str:
        progress = self._updates.standing(device_id)
        return "" if progress is None else update_progress.words(progress)

    def _target(self, device_id: str) -> Target:
        """What is known of a device that is to be updated; VoxcardError for an unknown one."""
        known = {*self._admission.all(), *(device.id for device in self._devices.all())}
        if device_id not in known and not self._updates.has_key(device_id):
            remedy = f"Devices: {', '.join(sorted(known)) or 'none yet'}."
            raise VoxcardError(f"There is no device {device_id}.", remedy)
        device = self._devices.get(device_id)
        capability = device.capability if device else None
        if capability is None:
            return Target(id=device_id, greeted=False)
        return Target(
            id=device_id,
            greeted=True,
            board=capability.board,
            firmware=capability.firmware,
            kind=capability.update or "",
        )

    def _relay(self, device_id: str) -> Relay:
        """Of a device that was here since the bridge runs; VoxcardError for another."""
        try:
            return self._relays.relay(device_id)
        except VoxcardError:
            if device_id not in {row.id for row in self.devices()}:
                raise
            remedy = "Switch it on; if it is, check its broker settings."
            raise VoxcardError(f"{device_id} was not here yet.", remedy) from None

    def watch(self) -> AsyncIterator[Happening]:
        """Everything that happens from now on, on any device; endless."""
        return self._watchers.follow()


async def _pieces(pcm: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(pcm), PIECE_BYTES):
        yield pcm[at : at + PIECE_BYTES]
