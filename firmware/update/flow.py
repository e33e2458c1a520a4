"""What an update does, in order, as steps for a shell; pure.

`install` is a generator of steps: it yields what is to be done and gets the outcome back, so a
test is a list of steps and answers. What it refuses is a RefusedError.
"""

from collections import namedtuple

from voxwire.errors import WireError
from voxwire.ticks import elapsed_ms

AGAIN_MS = 10000  # until a piece that did not come is asked for again
HEALTHY_MS = 60000  # with a session: then a release on trial is confirmed
TRIAL_MS = 600000  # of one start without that; the next start follows
STARTS = 3

# What is done with an offer: answered by `state` and `reason`, left alone, or taken.
Verdict = namedtuple("Verdict", ("do", "offer", "reason"))

_NO_KEY = (
    "This device has no update key: run voxcard devices add, then voxcard device deploy with the"
    " board on its cable."
)
_BROKEN_KEY = "The update key of this device is no key: run voxcard device deploy again."
_NO_SLOT = "This device takes no releases: it does not run from a slot that it could leave."
_WRONG_MAC = (
    "The offer is not signed with this device's update key: run voxcard device deploy again."
)
_REPLAYED = "The offer is older than one this device has had: offer the release again."


class RefusedError(Exception):
    """A release is not installed; the sentence is the argument."""


def vet(payload: bytes, device_id: str, key: str, kind, last) -> Verdict:
    """What to do with the offer in `payload`: take it, refuse it, or repeat its outcome.

    `key` is the device's in hex, `kind` the board's (None: it takes no releases), `last` the
    serial and the state of the last offer that was taken; "fetch" is one that goes on.
    """
    from voxwire import (
        release,  # forgotten when the manifest was read: a small heap has pieces then
    )

    serial, state = last
    try:
        offer = release.decode_offer(payload)
    except WireError as error:
        return Verdict("refuse", None, "The offer cannot be read (%s)." % error)
    if kind is None:
        return Verdict("refuse", offer, _NO_SLOT)
    if not key:
        return Verdict("refuse", offer, _NO_KEY)
    try:
        secret = release.parse_key(key)
    except WireError:
        return Verdict("refuse", offer, _BROKEN_KEY)
    mac = release.offer_mac(secret, device_id, offer.serial, offer.manifest_sha256)
    if not release.same(mac, offer.mac):
        return Verdict("refuse", offer, _WRONG_MAC)
    if offer.serial < serial:
        return Verdict("refuse", offer, _REPLAYED)
    if offer.serial == serial and state != "fetch":
        return Verdict("repeat", offer, "")
    return Verdict("take", offer, "")


def install(offer, running, piece_bytes: int):
    """Steps from an offer that was vetted to a release on trial; returns the state it is in.

    `running` has the values of voxwire.release.Running.

    The steps and their outcomes:
    ("take", offer): from now on this is the one, and survives a restart.
    ("fetch", path, at, size): exactly these bytes.
    ("sha256", data): hex of it.
    ("prepare", manifest): bytes that are missing on the flash, 0 where all fits.
    ("has", file): whether it is there, whole and right.
    ("copy", file): whether the slot that runs had it.
    ("begin", file): the byte from which on it is still missing.
    ("write", file, at, data).
    ("finish", file): whether its hash, read back, is right; if not, it is gone.
    ("try", offer, manifest): it is started next.
    """
    yield ("take", offer)
    manifest = yield from _manifest(offer, piece_bytes)
    from voxwire import release

    reason = release.refusal(manifest, release.Running(*running))
    if manifest.digest == running[1] and not reason:
        return "confirmed"
    if reason:
        raise RefusedError(reason)
    missing = yield ("prepare", manifest)
    if missing:
        text = "The release needs %d KB more than the flash has free: remove files from it."
        raise RefusedError(text % (-(-missing // 1024)))
    for file in manifest.files:
        yield from _file(file, piece_bytes)
    yield ("try", offer, manifest)
    return "installed"


def _manifest(offer, piece_bytes: int):
    data = bytearray(offer.manifest_size)
    yield from _pieces("", 0, data, piece_bytes)
    if (yield ("sha256", data)) != offer.manifest_sha256:
        raise RefusedError(
            "The manifest is not the one that was offered: offer the release again."
        )
    from voxwire import release

    try:
        return release.parse_manifest(memoryview(data))
    except WireError as error:
        raise RefusedError("The release cannot be read (%s): build it again." % error)


def _pieces(path: str, at: int, data, piece_bytes: int):
    while at < len(data):
        size = min(piece_bytes, len(data) - at)
        data[at : at + size] = yield ("fetch", path, at, size)
        at += size


def _file(file, piece_bytes: int):
    if (yield ("has", file)) or (yield ("copy", file)):
        return
    for _ in range(2):
        at = yield ("begin", file)
        while at < file.size:
            size = min(piece_bytes, file.size - at)
            data = yield ("fetch", file.path, at, size)
            yield ("write", file, at, data)
            at += size
        if (yield ("finish", file)):
            return
    text = "%s arrived damaged twice: build the release again, and offer it."
    raise RefusedError(text % file.path)


class Request:
    """One piece that is wanted: when it is asked for, and which blob it is."""

    def __init__(self, serial: int, path: str, at: int, size: int) -> None:
        self.values = {"serial": serial, "state": "fetch", "path": path, "at": at, "size": size}
        self._name = "%d:%s:%d" % (serial, path, at)  # voxwire.release.piece_name
        self._size = size
        self._asked_ms: "int | None" = None

    def is_due(self, now_ms: int, connected: bool) -> bool:
        """Whether it is asked for now: at first, after a reconnect, and every AGAIN_MS."""
        if not connected:
            self._asked_ms = None
        elif self._asked_ms is None or elapsed_ms(now_ms, self._asked_ms) >= AGAIN_MS:
            self._asked_ms = now_ms
            return True
        return False

    def takes(self, name: str, size: int) -> bool:
        """Whether the blob of this name and size is it."""
        return name == self._name and size == self._size


class Health:
    """Whether a release on trial is confirmed, or has had its time."""

    def __init__(self, now_ms: int) -> None:
        self._begun_ms = self._since_ms = now_ms
        self._faults = 0

    def verdict(self, now_ms: int, has_session: bool, faults: int) -> str:
        """confirm, restart, or "" while neither is due; `faults` counts tasks that ended."""
        if not has_session or faults != self._faults:
            self._since_ms = now_ms
        self._faults = faults
        if elapsed_ms(now_ms, self._since_ms) >= HEALTHY_MS:
            return "confirm"
        return "restart" if elapsed_ms(now_ms, self._begun_ms) >= TRIAL_MS else ""


def after_start(trial, running_slot: str, confirmed_slot: str, kind: str) -> str:
    """What a start finds: trial, confirmed, retry, fell_back; "" without a trial.

    `trial` is the content of /trial or None, `confirmed_slot` what /slot names (for an image the
    one that runs on trial is confirmed by nothing but its mark, so it is "").
    """
    if trial is None:
        return ""
    if trial["slot"] == running_slot:
        return "confirmed" if running_slot == confirmed_slot else "trial"
    # The boot loader gives an image one start; more of them are the device's own.
    return "retry" if kind == "image" and trial["tries"] > 0 else "fell_back"


def fallen(tries: int) -> str:
    """Why the firmware from before runs, with so many starts left."""
    if tries > 0:
        return (
            "The release was not started: its starts cannot be counted. Put this firmware on once"
            " more with the board on its cable (voxcard device deploy)."
        )
    return "In %d starts the release had no session for a minute: the one before runs." % STARTS
