"""The power may go at any write of an update: the device starts the old firmware or the new one.

Each cut is made twice: the write that meets it is half done, or not done at all. The same update
goes on afterwards and ends in the new firmware.
"""

import os

import launcher
import vfs
from fakes.device.board import Flash
from fakes.device.update_home import ROOT, Device, Release, UpdateHome, noise

OLD = {
    "main.py": b"import app\napp.run()\n",
    "app.mpy": noise(2600, 1),
    "same.mpy": noise(1500, 2),
    "voxwire/card.mpy": noise(3000, 3),
    "gone/old.mpy": noise(700, 4),
    "build_digest.mpy": b"aaaaaaaa",
}
NEW = {
    "main.py": b"import app\napp.run()\n",
    "app.mpy": noise(3100, 5),
    "same.mpy": OLD["same.mpy"],
    "voxwire/card.mpy": noise(2500, 6),
    "screen/new.mpy": noise(900, 7),
    "build_digest.mpy": b"bbbbbbbb",
}
STALE = {"app.mpy": noise(2000, 8), "stale.mpy": noise(600, 9), "screen": b"a file"}
RELEASE = Release(NEW)


class Mounted:
    """The file system of `flash`, for as long as the block lasts."""

    def __init__(self, flash):
        self._flash = flash

    def __enter__(self):
        vfs.mount(vfs.VfsLfs2(self._flash), ROOT)

    def __exit__(self, *_):
        vfs.umount(ROOT)


def put(slot, files):
    for path in files:
        folder = ROOT + "/" + slot
        for part in ("/" + path).split("/")[1:]:
            try:
                os.mkdir(folder)
            except OSError:
                pass
            folder += "/" + part
        with open(folder, "wb") as file:
            file.write(files[path])


def content(folder, head=""):
    """{path: bytes} of all that lies below a folder of the flash."""
    files = {}
    try:
        rows = list(os.ilistdir(ROOT + "/" + folder))
    except OSError:
        return files
    for row in rows:
        if row[1] == 0x4000:
            files.update(content(folder + "/" + row[0], head + row[0] + "/"))
        else:
            with open("%s/%s/%s" % (ROOT, folder, row[0]), "rb") as file:
                files[head + row[0]] = file.read()
    return files


def fresh(idle):
    """A flash whose slot app_a runs OLD, with `idle` in the other."""
    flash = Flash(160)
    vfs.VfsLfs2.mkfs(flash)
    with Mounted(flash):
        put("app_a", OLD)
        put("app_b", idle)
        with open(ROOT + "/slot", "w") as file:
            file.write("app_a")
    return flash


class Life:
    """A device on `flash` from start to start, in a home that offers RELEASE."""

    def __init__(self, flash, is_healthy=True):
        self.flash, self.is_healthy = flash, is_healthy
        self.home = UpdateHome()
        self.home.put(RELEASE, 7)
        self.starts = []

    def start(self):
        """One start by the launcher, to its end; what it was: done, reset or cut."""
        with Mounted(self.flash):
            slot = launcher.trial(ROOT) or launcher.slot(ROOT)
            if self.flash.is_dead:
                return "cut"
            self.check(slot)
            digest = "aaaaaaaa" if content(slot) == OLD else "bbbbbbbb"
            self.starts.append(digest[0])
            device = Device(self.home, self.flash, slot=slot, firmware="0.1.0+" + digest)
            if digest[0] == "b" and not self.is_healthy:
                device.link.session_id = None
            return device.run()

    def check(self, slot):
        """The slot that is started, and the one that is confirmed, are whole."""
        confirmed = launcher.slot(ROOT)
        for name in (slot, confirmed):
            assert content(name) in (OLD, NEW), (name, sorted(content(name)))
        if confirmed != slot:
            assert content(confirmed) == OLD and content(slot) == NEW

    def run(self):
        """Start after start until it has nothing left to do, or the power goes."""
        for _ in range(12):
            try:
                outcome = self.start()
            except OSError:
                # Mounting writes as well.
                assert self.flash.is_dead
                return "cut"
            if outcome != "reset":
                return outcome
        raise AssertionError("it starts for ever: %r" % self.starts)


def cut_everywhere(before, end, **how):
    """Cut a life at every write, finish it, and check its `end(life)`; the number of cuts."""
    cuts = 0
    for torn in (True, False):
        writes = 0
        while True:
            life = Life(before.copy(), **how)
            life.flash.writes, life.flash.torn = writes, torn
            if life.run() == "done":
                end(life)
                break
            life.flash = life.flash.copy()
            assert life.run() == "done", "after %d writes" % writes
            end(life)
            writes += 1
            cuts += 1
    return cuts


def ends_new(life):
    with Mounted(life.flash):
        assert launcher.trial(ROOT) == "" and launcher.slot(ROOT) == "app_b"
        assert content("app_b") == NEW and content("app_a") == OLD
        assert "trial" not in os.listdir(ROOT)
    assert life.home.heard[-1] == (7, "confirmed", None)


def ends_old(life):
    with Mounted(life.flash):
        assert launcher.trial(ROOT) == "" and launcher.slot(ROOT) == "app_a"
        assert content("app_a") == OLD
        assert "trial" not in os.listdir(ROOT)
    assert life.home.heard[-1] == (
        7,
        "fell_back",
        "In 3 starts the release had no session for a minute: the one before runs.",
    )


def test_an_update_without_a_cut():
    life = Life(fresh(STALE))
    assert life.run() == "done"
    assert life.starts == ["a", "b"]
    ends_new(life)
    assert [path for path, _, _ in life.home.asked] == [
        "", "app.mpy", "build_digest.mpy", "screen/new.mpy", "voxwire/card.mpy",
    ]  # fmt: skip


def test_a_release_that_is_never_healthy_falls_back_after_three_starts():
    life = Life(fresh({}), is_healthy=False)
    assert life.run() == "done"
    assert life.starts == ["a", "b", "b", "b", "a"]
    ends_old(life)


def test_every_cut_of_an_update_and_of_its_confirmation_ends_in_the_new_firmware():
    cuts = cut_everywhere(fresh(STALE), ends_new)
    print("cuts", cuts)
    assert cuts > 200


def test_every_cut_of_a_release_that_falls_back_leaves_the_old_firmware():
    cuts = cut_everywhere(fresh(NEW), ends_old, is_healthy=False)
    print("cuts", cuts)
    assert cuts > 20
