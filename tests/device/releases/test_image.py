"""An image in the idle partition: by the port's rules, and with the power cut at every write."""

from fakes import port  # noqa: F401, I001  the port's modules go before all else
import json

import esp32
import vfs
from fakes.device.board import Flash, Window
from fakes.device.update_home import ROOT, Device, Release, UpdateHome, noise

BLOCK = 4096
PARTITION_BLOCKS = 12
FILE_BLOCKS = 16
OLD = b"\xe9" + noise(5 * BLOCK + 99, 1)
NEW = b"\xe9" + noise(9 * BLOCK + 1234, 2)
RELEASE = Release({"micropython.bin": NEW}, kind="image")
Partition = esp32.Partition


class ImageLife:
    """A board with an image in each partition, from start to start."""

    def __init__(self, flash=None, is_healthy=True, offered=RELEASE):
        self.is_healthy = is_healthy
        self.home = UpdateHome()
        self.home.put(offered, 7)
        self.starts = []
        self.flash = flash or fresh()
        self.power_up()

    def power_up(self):
        apps = Window(self.flash, FILE_BLOCKS, 2 * PARTITION_BLOCKS + 1)
        Partition.power_up(apps)

    def survive(self):
        """The power comes back: what the flash holds is all there is, and the boot loader's."""
        self.flash = self.flash.copy()
        Partition.flash = Window(self.flash, FILE_BLOCKS, 2 * PARTITION_BLOCKS + 1)

    def start(self):
        label = Partition.reset()
        image = running()
        assert image in (OLD, NEW), "neither is started"
        self.starts.append("a" if image == OLD else "b")
        digest = {"a": "aaaaaaaa", "b": "bbbbbbbb"}[self.starts[-1]]
        vfs.mount(vfs.VfsLfs2(Window(self.flash, 0, FILE_BLOCKS)), ROOT)
        try:
            device = Device(self.home, self.flash, update="image", slot=label,
                            partition=Partition, firmware="0.1.0+" + digest)  # fmt: skip
            if image == NEW and not self.is_healthy:
                device.link.session_id = None
            return device.run()
        finally:
            vfs.umount(ROOT)

    def run(self):
        for _ in range(15):
            try:
                outcome = self.start()
            except OSError:
                assert self.flash.is_dead
                return "cut"
            if outcome != "reset":
                return outcome
        raise AssertionError(f"it starts for ever: {self.starts}")


def fresh():
    """A flash whose first partition runs OLD, and whose other one is full of something."""
    flash = Flash(FILE_BLOCKS + 2 * PARTITION_BLOCKS + 1, BLOCK)
    vfs.VfsLfs2.mkfs(Window(flash, 0, FILE_BLOCKS))
    begin = FILE_BLOCKS * BLOCK
    flash.data[begin : begin + len(OLD)] = OLD
    begin += PARTITION_BLOCKS * BLOCK
    flash.data[begin : begin + PARTITION_BLOCKS * BLOCK] = noise(PARTITION_BLOCKS * BLOCK, 3)
    return flash


def content(label, size):
    data = bytearray(PARTITION_BLOCKS * BLOCK)
    for block in range(PARTITION_BLOCKS):
        Partition(label).readblocks(block, memoryview(data)[block * BLOCK : (block + 1) * BLOCK])
    return bytes(data[:size])


def running():
    label = "ota_%d" % Partition.running
    for image in (OLD, NEW):
        if content(label, len(image)) == image:
            return image
    return None


def test_an_image_is_written_tried_and_marked():
    life = ImageLife()
    assert life.run() == "done"
    assert life.starts == ["a", "b"]
    assert Partition.running == Partition.boot == 1 and Partition.valid
    assert life.home.heard == [(7, "installed", None), (7, "confirmed", None)]
    pieces = [each for each in life.home.asked if each[0]]
    assert pieces[:2] == [("micropython.bin", 0, 512), ("micropython.bin", 512, 512)]
    assert pieces[-1] == ("micropython.bin", 9 * BLOCK + 1024, 211)
    assert Partition.reset() == "ota_1"


def test_an_image_that_is_never_healthy_has_three_starts_and_falls_back():
    life = ImageLife(is_healthy=False)
    assert life.run() == "done"
    assert life.starts == ["a", "b", "a", "b", "a", "b", "a"]
    assert life.home.heard[-1] == (
        7,
        "fell_back",
        "In 3 starts the release had no session for a minute: the one before runs.",
    )
    assert Partition.reset() == "ota_0" and running() == OLD


def test_what_is_no_image_is_refused_and_the_old_one_stays():
    life = ImageLife(offered=Release({"micropython.bin": noise(9000, 4)}, kind="image"))
    assert life.run() == "done"
    assert life.home.heard == [
        (7, "refused", "The image cannot be started (-5379): build the release again.")
    ]
    assert Partition.reset() == "ota_0" and running() == OLD


def test_an_image_that_is_larger_than_its_partition_is_refused():
    large = Release({"micropython.bin": b"\xe9" * (PARTITION_BLOCKS * BLOCK + 1)}, kind="image")
    life = ImageLife(offered=large)
    assert life.run() == "done"
    [(_, state, reason)] = life.home.heard
    assert state == "refused"
    assert reason.startswith("The release needs 1 KB more than the flash has free")


def test_an_image_that_is_there_already_is_not_fetched():
    life = ImageLife()
    begin = (FILE_BLOCKS + PARTITION_BLOCKS) * BLOCK
    life.flash.data[begin : begin + len(NEW)] = NEW
    assert life.run() == "done"
    assert [path for path, _, _ in life.home.asked] == [""]


def test_an_image_goes_on_where_it_was_noted():
    large = b"\xe9" + noise(17 * BLOCK + 3000, 5)
    flash = Flash(FILE_BLOCKS + 2 * 20 + 1, BLOCK)
    vfs.VfsLfs2.mkfs(Window(flash, 0, FILE_BLOCKS))
    apps = Window(flash, FILE_BLOCKS, 2 * 20 + 1)
    Partition.power_up(apps)
    home = UpdateHome()
    home.put(Release({"micropython.bin": large}, kind="image"), 7)
    vfs.mount(vfs.VfsLfs2(Window(flash, 0, FILE_BLOCKS)), ROOT)
    try:
        values = {"update": "image", "slot": "ota_0", "partition": Partition}
        first = Device(home, flash, **values)
        fetched = []

        def stop():
            if len(home.asked) > 131:
                fetched.append(True)
                flash.writes = -1

        first.events = [(at, stop) for at in range(1001, 9000, 20)]
        assert first.run() == "cut" and fetched
        flash.writes = None
        with open(ROOT + "/update.json") as file:
            assert json.load(file)["at"] == 16 * BLOCK
        del home.asked[:]
        assert Device(home, flash, **values).run() == "reset"
        assert [at for path, at, _ in home.asked if path] == [
            16 * BLOCK + at for at in range(0, BLOCK + 3001, 512)
        ]
    finally:
        vfs.umount(ROOT)


def test_a_turn_ends_the_update_and_it_goes_on_from_that_block():
    life = ImageLife()
    vfs.mount(vfs.VfsLfs2(Window(life.flash, 0, FILE_BLOCKS)), ROOT)
    try:
        values = {"update": "image", "slot": "ota_0", "partition": Partition}
        device = Device(life.home, life.flash, **values)

        def speak():
            if len(life.home.asked) > 20:
                device.turn_until_ms = device.limit_ms

        device.events = [(at, speak) for at in range(1001, 9000, 20)]
        assert device.run() == "paused"
        assert life.home.heard == [(7, "waiting", None)]
        with open(ROOT + "/update.json") as file:
            assert json.load(file)["at"] == 2 * BLOCK
        assert device.link.take_piece is None
        del life.home.asked[:]
        assert Device(life.home, life.flash, **values).run() == "reset"
        assert life.home.asked[0][0] == "" and life.home.asked[1][1] == 2 * BLOCK
    finally:
        vfs.umount(ROOT)


def test_a_turn_ends_the_watch_of_a_trial_too():
    life = ImageLife()
    assert life.start() == "reset"
    Partition.reset()
    vfs.mount(vfs.VfsLfs2(Window(life.flash, 0, FILE_BLOCKS)), ROOT)
    try:
        values = {"update": "image", "slot": "ota_1", "partition": Partition}
        device = Device(life.home, life.flash, turn_until_ms=5000, **values)
        assert device.run() == "paused" and not Partition.valid
        assert Device(life.home, life.flash, **values).run() == "done"
        assert Partition.valid and life.home.heard[-1] == (7, "confirmed", None)
    finally:
        vfs.umount(ROOT)


def test_a_damaged_image_is_fetched_once_more_from_its_beginning():
    life = ImageLife()
    right, wrong = NEW, bytearray(NEW)
    wrong[5000] ^= 1
    life.home.release = Release({"micropython.bin": NEW}, kind="image")
    life.home.release.files = {"micropython.bin": bytes(wrong)}
    seen = []

    def piece(path, at, size):
        if path and at == 0:
            seen.append(at)
        data = right if len(seen) > 1 else wrong
        return bytearray(data[at : at + size] if path else RELEASE.manifest)

    life.home.release.piece = piece
    assert life.run() == "done"
    assert seen == [0, 0] and life.home.heard[-1] == (7, "confirmed", None)


def cut_everywhere(end, is_healthy):
    before, cuts = fresh(), 0
    for torn in (True, False):
        writes = 0
        while True:
            life = ImageLife(before.copy(), is_healthy)
            life.flash.writes, life.flash.torn = writes, torn
            if life.run() == "done":
                end(life)
                break
            life.survive()
            assert life.run() == "done", f"after {writes} writes"
            end(life)
            writes += 1
            cuts += 1
    return cuts


def ends_new(life):
    assert Partition.reset() == "ota_1" and Partition.valid and running() == NEW
    assert life.home.heard[-1] == (7, "confirmed", None)


def ends_old(life):
    assert Partition.reset() == "ota_0" and running() == OLD
    assert life.home.heard[-1][:2] == (7, "fell_back")


def test_every_cut_ends_in_the_new_image():
    cuts = cut_everywhere(ends_new, True)
    print("cuts", cuts)
    assert cuts > 60


def test_every_cut_of_an_image_that_falls_back_ends_in_the_old_one():
    cuts = cut_everywhere(ends_old, False)
    print("cuts", cuts)
    assert cuts > 80
