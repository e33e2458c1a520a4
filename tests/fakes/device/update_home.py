"""A home that offers releases, and a device whose power goes and comes: an update's whole life.

Nothing sleeps: the clock runs while the updater does, in one piece until it restarts or dies.
"""

import binascii
import hashlib
import json

from update.updater import PausedError, Updater
from voxwire import release

ID, KEY = "kitchen", "5a" * 32
ROOT = "/flash"


class ResetError(BaseException):
    """The device restarts here."""


class PowerCutError(BaseException):
    """The power is gone."""


def sha256(data):
    return binascii.hexlify(hashlib.sha256(data).digest()).decode()


def noise(size, seed):
    """Bytes that differ by `seed`, the same every time."""
    data, state = bytearray(size), seed
    for at in range(size):
        state = (state * 1103515245 + 12345) & 0x3FFFFFFF
        data[at] = state >> 16 & 0xFF
    return bytes(data)


class Release:
    """A release of `files` {path: bytes}; `changes` go over the manifest's values."""

    def __init__(self, files, kind="files", **changes):
        rows = [[path, len(files[path]), sha256(files[path])] for path in sorted(files)]
        values = {
            "format": 1,
            "version": "0.2.0",
            "digest": "bbbbbbbb",
            "board": "test-board",
            "kind": kind,
            "micropython": [1, 26],
            "files": rows,
        }
        values.update(changes)
        self.files = files
        self.manifest = json.dumps(values).encode()

    def offer(self, serial, **changes):
        """The payload of an offer to the device."""
        digest = sha256(self.manifest)
        mac = release.offer_mac(release.parse_key(KEY), ID, serial, digest)
        offer = release.Offer(serial, "0.2.0", len(self.manifest), digest, mac)
        values = json.loads(release.encode_offer(offer))
        values.update(changes)
        return json.dumps(values).encode()

    def piece(self, path, at, size):
        data = self.files[path] if path else self.manifest
        return bytearray(data[at : at + size])


class Link:
    """DeviceLink for an updater; `home` hears what is said while `device` has power."""

    def __init__(self, home, device):
        self.home, self.device, self.connected, self.session_id = home, device, True, "s1"
        self.take_piece = None

    def on_blob(self, kind, handler):
        assert kind == "release"
        self.take_piece = handler

    def refuse_blobs(self, kind):
        self.take_piece = None

    def post(self, type_name, **values):
        assert type_name == "update"
        self.device.check_power()
        return self.home.hear(values)


class UpdateHome:
    """What the bridge offers, and what it heard: (serial, state, reason), without the requests."""

    def __init__(self):
        self.release = self.offer = None
        self.heard, self.asked = [], []  # asked: (path, at, size)
        self.pieces = []  # that are on their way: (name, data)

    def put(self, offered, serial, **changes):
        self.release, self.offer = offered, offered.offer(serial, **changes)

    def hear(self, values):
        if values["state"] == "fetch":
            path, at, size = values["path"], values["at"], values["size"]
            self.asked.append((path, at, size))
            name = release.piece_name(values["serial"], path, at)
            self.pieces.append((name, self.release.piece(path, at, size)))
        else:
            self.heard.append((values["serial"], values["state"], values.get("reason")))
            if values["state"] in ("confirmed", "refused", "fell_back"):
                self.offer = None  # taken back
        return True


class Device:
    """One start of a device: a board, and an updater that runs until it is done."""

    id = "test-board"
    update, slot, partition, root = "files", "app_a", None, ROOT
    key, firmware, device_id = KEY, "0.1.0+aaaaaaaa", ID
    turn_until_ms = 0
    limit_ms = 3600000

    def __init__(self, home, flash=None, **values):
        for name in values:
            setattr(self, name, values[name])
        self.home, self.flash, self.link = home, flash, Link(home, self)
        self.now_ms, self.faults = 1000, 0
        self.events = []  # (at_ms, callable), in order
        self.updater = None

    def get(self, name):
        assert name == "update_key"
        return self.key

    def ticks_ms(self):
        return self.now_ms

    def is_busy(self):
        return self.now_ms < self.turn_until_ms

    def restart(self):
        raise ResetError

    async def sleep_ms(self, ms):
        self.now_ms += ms or 1
        self.check_power()
        if self.now_ms > self.limit_ms:
            raise AssertionError(f"it goes on for ever: {self.home.heard}")
        while self.events and self.events[0][0] <= self.now_ms:
            self.events.pop(0)[1]()
        pieces, self.home.pieces = self.home.pieces, []
        for name, data in pieces:
            if self.link.connected and self.link.take_piece is not None:
                self.link.take_piece(1, data, name)

    def check_power(self):
        if self.flash is not None and self.flash.is_dead:
            raise PowerCutError

    def begin(self):
        """The updater, with the offer that is retained."""
        self.updater = Updater(self, self, self.device_id, self.link, self.firmware, self.is_busy,
                               lambda: self.faults, self.restart, clock=self,
                               sleep_ms=self.sleep_ms)  # fmt: skip
        if self.home.offer is not None:
            self.updater.offer(self.home.offer)

    def run(self):
        """done, reset, paused or cut: how it ended."""
        try:
            self.begin()
            self.updater.run().send(None)
        except StopIteration:
            return "cut" if self.flash is not None and self.flash.is_dead else "done"
        except ResetError:
            return "reset"
        except PowerCutError:
            return "cut"
        except PausedError:
            return "paused"
        raise AssertionError("it waits for something")
