"""Updates of all devices: what is offered, what comes of it."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from voxwire.message import Update

from voxcard.access.update_keys import UpdateKeys, release_key
from voxcard.errors import VoxcardError
from voxcard.releases import archive, fitness, manifest
from voxcard.releases.archive import Release
from voxcard.releases.fitness import Target
from voxcard.releases.followers import Followers
from voxcard.releases.offers import Offers, Publish
from voxcard.releases.pieces import Send, Spawn
from voxcard.releases.progress import ENDED, Progress, sentence
from voxcard.releases.records import Record, Records
from voxcard.releases.standing import Standing
from voxcard.text_safety import safe_line

log = logging.getLogger(__name__)

REASON_MAX = 300  # characters of a device's reason


class Updates:
    """Nothing here raises for what a device says. `accounts` is the folder of keys and records.

    `send(device_id, name, data)` sends a blob of kind `release`, `is_online(device_id)` says
    whether a device is there, `tell(progress)` hears of every change of a state.
    """

    def __init__(
        self,
        accounts: Path,
        root: str,
        *,
        publish: Publish,
        send: Send,
        spawn: Spawn,
        is_online: Callable[[str], bool],
        tell: Callable[[Progress], None],
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._accounts = accounts
        self._records, self._keys = Records(accounts), UpdateKeys(accounts)
        self.offers = Offers(root, publish, self._withdrawn)
        self._send, self._spawn = send, spawn
        self._is_online, self._tell, self._now_s = is_online, tell, now_s
        self._last: dict[str, Record] = {}
        self._standing: dict[str, Standing] = {}
        self._followers = Followers()
        self._disk = asyncio.Lock()

    async def load(self) -> None:
        """Go on with what was offered before the bridge started."""
        await asyncio.to_thread(self._records.clear_incoming)
        for record in await asyncio.to_thread(lambda: tuple(self._records.all())):
            self._last[record.device] = record
            if not record.stands:
                if not record.is_withdrawn:
                    self.offers.take_back(record.device)
                continue
            try:
                release = await self._checked(self._records.file(record.device))
                self._stand(record, release)
            except VoxcardError as error:
                await self._end(record, "lost", str(error))

    async def offer(self, target: Target, incoming: str) -> None:
        """Offer a device the release that `records.bring` called `incoming`; VoxcardError."""
        release = await self._checked(self._records.incoming(incoming))
        fitness.check(release.manifest, target)
        if not self._keys.get(target.id):
            raise _no_key(target.id)
        before = self._last.get(target.id)
        now_s = int(self._now_s())
        record = Record(
            device=target.id,
            serial=max(now_s, before.serial + 1 if before else 0),
            firmware=manifest.firmware_name(release.manifest),
            state="offered",
            at_s=now_s,
        )
        self._drop(target.id)
        async with self._disk:
            await asyncio.to_thread(self._records.adopt, incoming, target.id)
            await asyncio.to_thread(self._records.save, record)
        self._last[target.id] = record
        self._stand(record, replace(release, path=self._records.file(target.id)))
        self._changed(target.id)

    async def cancel(self, device_id: str) -> Progress:
        """Take an offer back; VoxcardError when none stands."""
        if device_id not in self._standing:
            raise VoxcardError(f"{device_id} is offered no update.", "See: voxcard devices")
        await self._end(self._standing[device_id].record, "cancelled", "")
        return self.progress(device_id)

    def progress(self, device_id: str) -> Progress:
        """The last update of a device; VoxcardError when there was none."""
        is_online = self._is_online(device_id)
        if device_id in self._standing:
            return self._standing[device_id].progress(is_online=is_online)
        record = self._last.get(device_id)
        if record is None:
            remedy = f"Offer one: voxcard update {device_id} FILE"
            raise VoxcardError(f"{device_id} was offered no update yet.", remedy)
        return record.progress(is_online=is_online)

    def has_key(self, device_id: str) -> bool:
        """Whether a device was given a key, so that it is of the home."""
        return bool(self._keys.get(device_id))

    def standing(self, device_id: str) -> Progress | None:
        """The update of a device that is under way, if one is."""
        return self.progress(device_id) if device_id in self._standing else None

    async def follow(self, device_id: str) -> AsyncIterator[Progress]:
        """How an update goes on, from now to its end; one that is silent is said so once."""
        progress = partial(self.progress, device_id)
        async for each in self._followers.follow(progress, partial(self._is_silent, device_id)):
            yield each

    def message(self, device_id: str, update: Update) -> None:
        """What a device says of an update."""
        standing = self._standing.get(device_id)
        if standing is None or not standing.is_meant(update):
            # An offer of another time, or of another bridge at this broker.
            log.debug("%s: update %d is not offered here", device_id, update.serial)
        elif update.state in ENDED:
            standing.stop()
            reason = safe_line(update.reason or "", REASON_MAX)
            ending = self._end(standing.record, update.state, reason)
            self._spawn(ending, f"update {device_id} ends")
        elif standing.take(update):
            self._changed(device_id)
        else:
            self._followers.wake()

    def greeted(self, device_id: str) -> None:
        """A device said hello: it may have missed what it is offered, or we its answer."""
        self.offers.again(device_id)

    def accounts_changed(self, removed: str) -> None:
        """Keys were made, or those of `removed` (its id, else "") were taken away."""
        if removed:
            self._drop(removed)
            if self._last.pop(removed, None) is not None:
                self.offers.take_back(removed)
                self._records.forget(removed)
        for device_id, standing in self._standing.items():
            key = self._keys.get(device_id)
            if key:
                self.offers.put(device_id, key, standing.record.serial, standing.release)

    async def _checked(self, path: Path) -> Release:
        """The release in a file; VoxcardError unless it is whole and this home signed it."""
        release = await asyncio.to_thread(archive.read, path)
        key = await asyncio.to_thread(release_key, self._accounts)
        archive.check_signature(release, key)
        await asyncio.to_thread(release.check_files)
        return release

    def _stand(self, record: Record, release: Release) -> None:
        key = self._keys.get(record.device)
        if not key:
            raise _no_key(record.device)
        self._standing[record.device] = Standing(
            record, release, send=self._send, spawn=self._spawn
        )
        self.offers.put(record.device, key, record.serial, release)

    async def _end(self, record: Record, state: str, reason: str) -> None:
        """Nothing more comes of an update."""
        device_id = record.device
        if self._last.get(device_id) != record:
            return  # another one is offered meanwhile, or it has ended
        self._drop(device_id)
        record = replace(record, state=state, reason=reason, at_s=int(self._now_s()))
        self._last[device_id] = record
        self._changed(device_id)
        await self._save(record)
        self.offers.take_back(device_id)

    def _withdrawn(self, device_id: str) -> None:
        record = self._last.get(device_id)
        if record is not None and not record.stands:
            self._last[device_id] = record = replace(record, is_withdrawn=True)
            self._spawn(self._save(record), f"update {device_id} ends")

    async def _save(self, record: Record) -> None:
        async with self._disk:
            if self._last.get(record.device) == record:
                await asyncio.to_thread(self._records.save, record)

    def _drop(self, device_id: str) -> None:
        standing = self._standing.pop(device_id, None)
        if standing is not None:
            standing.stop()

    def _is_silent(self, device_id: str) -> bool:
        standing = self._standing.get(device_id)
        return standing is not None and not standing.was_heard and self._is_online(device_id)

    def _changed(self, device_id: str) -> None:
        progress = self.progress(device_id)
        failed = progress.state in ("fell_back", "refused", "lost")
        log.log(logging.WARNING if failed else logging.INFO, "%s", sentence(progress))
        self._tell(progress)
        self._followers.wake()


def _no_key(device_id: str) -> VoxcardError:
    return VoxcardError(
        f"{device_id} has no key for updates.",
        f"Make one and put it on the device by its cable: voxcard devices key {device_id}",
    )
