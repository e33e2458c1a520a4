"""The settings file: what a power cut at any write leaves, and what damage does."""

import os

import vfs
from fakes.device.board import Flash
from store import Store
from voxwire.errors import WireError

OLD = {"volume": 40, "theme": "dark", "name": "the old one in the kitchen"}
NEW = {"volume": 60, "theme": "light", "name": "the new one", "locale": "de"}
PATH = "/flash/settings.json"


class Mounted:
    """The file system of `flash` at /flash, for as long as the block lasts."""

    def __init__(self, flash):
        self.flash = flash

    def __enter__(self):
        vfs.mount(vfs.VfsLfs2(self.flash), "/flash")
        return Store(PATH)

    def __exit__(self, *_):
        vfs.umount("/flash")


def formatted():
    flash = Flash()
    vfs.VfsLfs2.mkfs(flash)
    return flash


def loaded(flash):
    with Mounted(flash) as store:
        return store.load()


def saved(flash, data):
    with Mounted(flash) as store:
        store.save(data)


def cut_save(flash, data, writes):
    """Save `data` with power for `writes` writes; True when it was enough."""
    flash.writes = writes
    try:
        saved(flash, data)
    except OSError:
        return False
    finally:
        flash.writes = None
    return True


def test_what_was_saved_is_loaded():
    flash = formatted()
    assert loaded(flash) is None
    saved(flash, OLD)
    saved(flash, NEW)
    assert loaded(flash) == NEW


def test_power_may_fail_at_any_write_and_leaves_the_old_values_or_the_new():
    before = formatted()
    saved(before, OLD)
    outcomes = set()
    writes = 0
    while True:
        flash = before.copy()
        whole = cut_save(flash, NEW, writes)
        data = loaded(flash)
        assert data in (OLD, NEW), "after %d writes: %r" % (writes, data)
        outcomes.add("new" if data == NEW else "old")
        saved(flash, OLD)
        assert loaded(flash) == OLD
        if whole:
            break
        writes += 1
    assert data == NEW
    assert outcomes == {"old", "new"}
    assert writes > 3


def test_power_may_fail_at_any_write_of_the_very_first_save():
    before = formatted()
    writes = 0
    while True:
        flash = before.copy()
        whole = cut_save(flash, NEW, writes)
        assert loaded(flash) in (None, NEW)
        if whole:
            break
        writes += 1
    assert writes > 1


def write(flash, content):
    with Mounted(flash), open(PATH, "wb") as file:
        file.write(content)


def refusal(load):
    try:
        load()
    except WireError as error:
        return str(error)
    raise AssertionError("was loaded")


def test_a_damaged_file_is_refused_and_kept_aside():
    for content, problem in (
        (b'{"volume": 4', "settings: is not JSON"),
        (b"", "settings: is not JSON"),
        (b"\xff\xfe\x00", "settings: is not JSON"),
        (b"[" * 5000, "settings: is not JSON"),
        (b'{"name": "\xed\xa0\x80"}', "settings: is not JSON"),
        (b'{"name": "\\ud800"}', "settings: has half a character: send text as UTF-8"),
    ):
        flash = formatted()
        write(flash, content)
        with Mounted(flash) as store:
            assert refusal(store.load) == problem
            assert os.listdir("/flash") == ["settings.json.bad"]
            with open(PATH + ".bad", "rb") as file:
                assert file.read() == content
            store.save(NEW)
            assert store.load() == NEW


def test_a_file_of_which_some_is_no_good_is_kept_aside_and_replaced():
    flash = formatted()
    write(flash, b'{"volume": 4000, "theme": "dark"}')
    with Mounted(flash) as store:
        store.replace({"theme": "dark"})
        assert store.load() == {"theme": "dark"}
        with open(PATH + ".bad", "rb") as file:
            assert file.read() == b'{"volume": 4000, "theme": "dark"}'


def fill(name):
    """Write files until no block is left."""
    for index in range(64):
        try:
            with open(name % index, "wb") as file:
                file.write(b"x" * 512)
        except OSError:
            return


def test_a_full_flash_keeps_the_old_values_and_says_so():
    flash = formatted()
    saved(flash, OLD)
    with Mounted(flash) as store:
        fill("/flash/fill%d")
        try:
            store.save({"name": "x" * 2000})
        except OSError:
            pass
        else:
            raise AssertionError("there was room")
        assert store.load() == OLD
        assert "settings.json.new" not in os.listdir("/flash")


def test_a_cut_between_the_two_steps_of_a_rename_on_fat_leaves_the_new_values():
    flash = formatted()
    saved(flash, OLD)
    with Mounted(flash):
        # FAT unlinks the old file before it renames the new one.
        os.rename(PATH, PATH + ".new")
    assert loaded(flash) == OLD


def test_half_a_first_file_is_no_settings():
    flash = formatted()
    with Mounted(flash), open(PATH + ".new", "w") as file:
        file.write('{"volume": 4')
    assert loaded(flash) is None
