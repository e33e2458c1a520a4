"""The updater: what it says, what stops it, what it goes on with, what it refuses."""

import json
import os

import log
import vfs
from fakes.device.board import Flash
from fakes.device.update_home import KEY, ROOT, Device, Release, UpdateHome, noise
from update import pieces

FILES = {"main.py": b"new", "big.mpy": noise(20000, 1), "lib/a.mpy": noise(300, 2)}
RELEASE = Release(FILES)


class Fresh:
    """A flash with one slot that runs, and a home; mounted for as long as the block lasts."""

    def __init__(self, blocks=200, **files):
        self.flash = Flash(blocks)
        vfs.VfsLfs2.mkfs(self.flash)
        self.home = UpdateHome()
        self.files = files

    def __enter__(self):
        vfs.mount(vfs.VfsLfs2(self.flash), ROOT)
        os.mkdir(ROOT + "/app_a")
        write("app_a/main.py", b"old")
        write("slot", b"app_a")
        return self

    def __exit__(self, *_):
        vfs.umount(ROOT)

    def device(self, **values):
        return Device(self.home, self.flash, **values)


def write(path, data):
    with open(ROOT + "/" + path, "wb") as file:
        file.write(data)


def read(path):
    with open(ROOT + "/" + path, "rb") as file:
        return file.read()


def exists(path):
    try:
        os.stat(ROOT + "/" + path)
        return True
    except OSError:
        return False


def journal():
    return json.loads(read("update.json"))


def refused(home_release, serial=7, device=None, **changes):
    """The sentence with which a device refuses a release; nothing but the journal has changed."""
    with Fresh() as fresh:
        fresh.home.put(home_release, serial, **changes)
        device = fresh.device(**(device or {}))
        assert device.run() == "done"
        [(heard_serial, state, reason)] = fresh.home.heard
        assert (heard_serial, state) == (serial, "refused")
        assert not exists("app_b") and not exists("trial") and read("slot") == b"app_a"
        return reason


def test_an_offer_is_installed_tried_and_confirmed():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        assert fresh.device().run() == "reset"
        assert fresh.home.heard == [(7, "installed", None)]
        trial = {"slot": "app_b", "tries": 3, "serial": 7, "digest": "bbbbbbbb"}
        assert json.loads(read("trial")) == trial
        assert read("app_b/big.mpy") == FILES["big.mpy"] and not exists("app_b/.part")
        new = fresh.device(slot="app_b", firmware="0.2.0+bbbbbbbb")
        assert new.run() == "done"
        assert new.now_ms >= 60000
        assert fresh.home.heard[1:] == [(7, "confirmed", None)]
        assert read("slot") == b"app_b" and not exists("trial")


def test_files_come_in_pieces_one_after_the_other():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        fresh.device().run()
        assert fresh.home.asked[1:] == [
            ("big.mpy", 0, 8192),
            ("big.mpy", 8192, 8192),
            ("big.mpy", 16384, 3616),
            ("lib/a.mpy", 0, 300),
            ("main.py", 0, 3),
        ]


def test_what_this_device_may_not_take_is_refused_with_its_reason():
    sentence = refused(Release(FILES, board="other"))
    assert sentence.startswith("The release is for the board other, this is test-board:")
    sentence = refused(Release({"micropython.bin": b"x"}, kind="image"))
    assert sentence.startswith("The release is of kind image, this device takes files:")
    sentence = refused(Release(FILES, micropython=[9, 0]))
    assert sentence.startswith("The release needs MicroPython 9.0, this device has 1.")
    assert "is older than the 0.1.0 that runs" in refused(Release(FILES, version="0.0.1"))
    assert "not signed" in refused(RELEASE, mac="0" * 64)
    assert "not signed" in refused(RELEASE, device={"device_id": "bath"})
    assert "no update key" in refused(RELEASE, device={"key": ""})
    assert "is no key" in refused(RELEASE, device={"key": "short"})
    assert "does not run from a slot" in refused(RELEASE, device={"update": None, "slot": ""})
    assert "manifest.files[0].path" in refused(Release({"../main.py": b"x"}))
    assert "manifest.files" in refused(Release({"f%d" % at: b"" for at in range(257)}))
    assert "is not the one that was offered" in refused(RELEASE, manifest_size=20)


def test_what_is_refused_without_a_mac_takes_no_serial():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 10**14, mac="0" * 64)
        fresh.device().run()
        fresh.home.put(RELEASE, 7)
        assert fresh.device().run() == "reset"
        assert [state for _, state, _ in fresh.home.heard] == ["refused", "installed"]


def test_a_replayed_offer_is_refused_and_the_newer_one_stays():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        old = fresh.home.offer
        fresh.home.put(RELEASE, 8)
        device = fresh.device()
        device.events = [(1100, lambda: device.updater.offer(old))]
        assert device.run() == "reset"
        assert [each[:2] for each in fresh.home.heard] == [(7, "refused"), (8, "installed")]
        assert "older than one this device has had" in fresh.home.heard[0][2]


def test_the_outcome_of_the_same_offer_is_said_again_and_nothing_is_done():
    with Fresh() as fresh:
        fresh.home.put(Release(FILES, version="0.0.1"), 7)
        fresh.device().run()
        asked = len(fresh.home.asked)
        fresh.home.put(Release(FILES, version="0.0.1"), 7)
        assert fresh.device().run() == "done"
        assert fresh.home.heard[0] == fresh.home.heard[1]
        assert len(fresh.home.asked) == asked


def test_the_digest_that_runs_is_confirmed_without_a_restart():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        assert fresh.device(firmware="0.1.0+bbbbbbbb").run() == "done"
        assert fresh.home.heard == [(7, "confirmed", None)]
        assert not exists("app_b")


def test_an_outcome_is_kept_until_there_is_a_session():
    with Fresh() as fresh:
        fresh.home.put(Release(FILES, board="other"), 7)
        device = fresh.device(limit_ms=20000)
        device.link.session_id = None
        try:
            device.run()
        except AssertionError:
            pass  # the device was switched off while it waited
        assert fresh.home.heard == [] and journal()["told"] is False
        fresh.home.offer = None
        assert fresh.device().run() == "done"
        assert [each[:2] for each in fresh.home.heard] == [(7, "refused")]
        assert journal()["told"] is True


def test_a_heap_without_room_for_anything_else_stops_it_for_a_while():
    before, pieces.RESERVE_BYTES = pieces.RESERVE_BYTES, 1 << 28
    try:
        with Fresh() as fresh:
            fresh.home.put(RELEASE, 7)
            device = fresh.device()
            assert device.run() == "paused"
            assert fresh.home.heard == [(7, "waiting", None)] and fresh.home.asked == []
            assert device.updater.payload == fresh.home.offer
            assert journal()["state"] == "fetch"
    finally:
        pieces.RESERVE_BYTES = before


def test_a_turn_goes_first():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device(turn_until_ms=30000)
        asked = []
        device.events = [(29900, lambda: asked.append(len(fresh.home.asked)))]
        assert device.run() == "reset"
        assert asked == [0]
        assert fresh.home.heard == [(7, "waiting", None), (7, "installed", None)]


def test_a_piece_that_comes_in_a_turn_is_dropped_and_asked_for_again_after_it():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device()

        def turn():
            device.turn_until_ms = device.now_ms + 5000
            fresh.home.pieces.append(("7:big.mpy:0", bytearray(8192)))

        device.events = [(1001, turn)]
        assert device.run() == "reset"
        assert read("app_b/big.mpy") == FILES["big.mpy"]


def test_pieces_that_were_not_asked_for_are_dropped():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device()
        bad = [("7:big.mpy:0", 8191), ("7:big.mpy:0", 8193), ("6:big.mpy:0", 8192),
               ("7:big.mpy:4096", 8192), ("7:main.py:0", 8192), ("7:../a:0", 3),
               ("", 0)]  # fmt: skip
        flood = lambda: fresh.home.pieces.extend([(name, bytearray(n)) for name, n in bad])  # noqa: E731
        device.events = [(at, flood) for at in range(1001, 1400, 7)]
        assert device.run() == "reset"
        for path in FILES:
            assert read("app_b/" + path) == FILES[path]


def test_a_file_whose_hash_is_wrong_is_asked_for_once_more_and_refused_then():
    with Fresh() as fresh:
        fresh.home.put(Release(FILES), 7)
        fresh.home.release.files = dict(FILES, **{"lib/a.mpy": noise(300, 3)})
        assert fresh.device().run() == "done"
        asked = [path for path, _, _ in fresh.home.asked]
        assert asked.count("lib/a.mpy") == 2
        reason = "lib/a.mpy arrived damaged twice: build the release again, and offer it."
        assert fresh.home.heard == [(7, "refused", reason)]
        assert not exists("trial") and read("slot") == b"app_a" and read("app_a/main.py") == b"old"


def test_a_flash_without_room_says_how_much_is_missing_and_nothing_is_fetched():
    with Fresh(blocks=48) as fresh:
        fresh.home.put(RELEASE, 7)
        assert fresh.device().run() == "done"
        [(_, state, reason)] = fresh.home.heard
        assert state == "refused"
        assert reason == (
            "The release needs 4 KB more than the flash has free: remove files from it."
        )
        assert [path for path, _, _ in fresh.home.asked] == [""]
        assert read("app_a/main.py") == b"old"


def test_what_was_missing_is_enough():
    with Fresh(blocks=48 + 4096 // 512) as fresh:
        fresh.home.put(RELEASE, 7)
        assert fresh.device().run() == "reset"


def test_old_files_of_the_idle_slot_make_room():
    with Fresh(blocks=90) as fresh:
        os.mkdir(ROOT + "/app_b")
        os.mkdir(ROOT + "/app_b/deep")
        write("app_b/big.mpy", noise(14000, 9))
        write("app_b/deep/old.mpy", noise(6000, 9))
        fresh.home.put(RELEASE, 7)
        assert fresh.device().run() == "reset"
        assert not exists("app_b/deep")


def test_files_of_the_running_slot_are_copied():
    with Fresh() as fresh:
        write("app_a/big.mpy", FILES["big.mpy"])
        fresh.home.put(RELEASE, 7)
        assert fresh.device().run() == "reset"
        assert [path for path, _, _ in fresh.home.asked] == ["", "lib/a.mpy", "main.py"]
        assert read("app_b/big.mpy") == FILES["big.mpy"] == read("app_a/big.mpy")


def test_a_lost_link_goes_on_with_the_same_piece():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device()

        def lose():
            device.link.connected, device.link.session_id = False, None

        def return_():
            device.link.connected, device.link.session_id = True, "s2"

        device.events = [(1045, lose), (31000, return_)]
        assert device.run() == "reset"
        asked = fresh.home.asked
        again = [each for each in asked if asked.count(each) == 2]
        assert len(again) == 2 and again[0] == again[1]
        assert read("app_b/big.mpy") == FILES["big.mpy"]


def test_a_bridge_that_does_not_answer_is_asked_again_every_10_s():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device()
        answer, fresh.home.hear = fresh.home.hear, lambda values: asks.append(device.now_ms)
        asks = []

        def speak():
            fresh.home.hear = answer

        device.events = [(45000, speak)]
        assert device.run() == "reset"
        assert len(asks) == 5
        for at in range(1, 5):
            assert 10000 <= asks[at] - asks[at - 1] <= 10040


def test_a_restart_in_the_middle_goes_on_where_it_was():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device(limit_ms=1080)
        try:
            device.run()
        except AssertionError:
            pass  # switched off
        size = os.stat(ROOT + "/app_b/.part")[6]
        assert size in (8192, 16384) and journal()["state"] == "fetch"
        del fresh.home.asked[:]
        assert fresh.device().run() == "reset"
        assert fresh.home.asked[1] == ("big.mpy", size, min(8192, 20000 - size))


def test_a_newer_offer_takes_the_place_of_the_one_that_is_fetched():
    newer = Release(dict(FILES, **{"big.mpy": noise(9000, 5)}), digest="cccccccc")
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        device = fresh.device()

        def replace():
            fresh.home.put(newer, 8)
            device.updater.offer(fresh.home.offer)

        device.events = [(1080, replace)]
        assert device.run() == "reset"
        assert fresh.home.heard == [(8, "installed", None)]
        assert read("app_b/big.mpy") == newer.files["big.mpy"]
        assert json.loads(read("trial"))["digest"] == "cccccccc"


def test_an_offer_that_is_taken_back_stops_and_is_not_taken_again():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        offer = fresh.home.offer
        device = fresh.device()

        def take_back():
            fresh.home.offer = None
            device.updater.offer(b"")

        device.events = [(1080, take_back)]
        assert device.run() == "done"
        assert fresh.home.heard == [] and not exists("trial")
        fresh.home.offer = offer
        assert fresh.device().run() == "done"
        reason = "The offer was taken back: offer the release again."
        assert fresh.home.heard == [(7, "refused", reason)]


def test_taking_back_what_is_not_there_does_nothing():
    with Fresh() as fresh:
        device = fresh.device()
        device.begin()
        device.updater.offer(b"")
        fresh.home.put(RELEASE, 7)
        assert device.updater._next is None
        assert fresh.device().run() == "reset"


def test_an_offer_that_comes_during_a_trial_waits_for_its_end():
    newer = Release(dict(FILES, **{"lib/a.mpy": b"3"}), digest="cccccccc")
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        fresh.device().run()
        new = fresh.device(slot="app_b", firmware="0.2.0+bbbbbbbb")

        def offer():
            fresh.home.put(newer, 8)
            new.updater.offer(fresh.home.offer)
            fresh.home.offer = None

        new.events = [(20000, offer)]
        assert new.run() == "reset"
        assert fresh.home.heard == [
            (7, "installed", None), (7, "confirmed", None), (8, "installed", None),
        ]  # fmt: skip
        assert read("slot") == b"app_b" and json.loads(read("trial"))["slot"] == "app_a"


def test_a_task_that_ends_every_30_s_is_not_healthy():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        fresh.device().run()
        new = fresh.device(slot="app_b", firmware="0.2.0+bbbbbbbb")

        def fail():
            new.faults += 1

        new.events = [(at, fail) for at in range(30000, 700000, 30000)]
        assert new.run() == "reset"
        assert new.now_ms >= 600000 and read("slot") == b"app_a"


def test_a_start_program_that_does_not_know_trials_is_named():
    with Fresh() as fresh:
        fresh.home.put(RELEASE, 7)
        fresh.device().run()
        assert fresh.device().run() == "done"
        _, state, reason = fresh.home.heard[-1]
        assert state == "fell_back" and reason.startswith("The release was not started:")
        assert not exists("trial")


def test_files_that_hold_anything_at_all_are_as_if_they_were_not_there():
    for content in (b"", b"\xff\x00", b"[]", b"{", b'{"serial":"7"}', b'{"slot":1,"tries":[]}',
                    b"null", b'{"serial":7,"state":7,"told":"no","at":-1.5,"reason":null}',
                    b'{"serial":7,"state":"x","told":true,"at":0,"reason":""}'):  # fmt: skip
        with Fresh() as fresh:
            write("update.json", content)
            write("trial", content)
            fresh.home.put(RELEASE, 7)
            assert fresh.device().run() == "reset"


def test_no_key_and_no_mac_is_ever_logged():
    lines = []

    class Stream:
        def write(self, text):
            lines.append(text)

    before, log.stream[0] = log.stream[0], Stream()
    log.verbose(True)
    try:
        with Fresh() as fresh:
            fresh.home.put(RELEASE, 7, mac="0" * 64)
            fresh.device().run()
            fresh.home.put(RELEASE, 8)
            mac = json.loads(fresh.home.offer)["mac"]
            fresh.device().run()
    finally:
        log.stream[0] = before
        log.verbose(False)
    text = "".join(lines)
    assert "offer 8 of 0.2.0" in text
    assert KEY not in text and mac not in text
