"""An idle device holds nothing of what installs releases; it is loaded, and forgotten again."""

import asyncio
import json
import os
import sys

import app
from fakes.device.silent_board import SilentBoard
from fakes.device.update_home import Release

RELEASE = Release({"main.py": b"new"})


class SlotBoard(SilentBoard):
    """A board that runs from its first slot."""

    update, slot = "files", "app_a"

    def __init__(self):
        super().__init__()
        os.mkdir(self.root + "/app_a")


def is_loaded():
    modules = [name for name in sys.modules if name.split(".")[0] in ("update", "updates")]
    return bool(modules) or "voxwire.release" in sys.modules or hasattr(voxwire(), "release")


def voxwire():
    return sys.modules["voxwire"]


def unload():
    """The fakes have loaded it."""
    for name in list(sys.modules):
        if name.split(".")[0] in ("update", "updates"):
            del sys.modules[name]
    if sys.modules.pop("voxwire.release", None) is not None:
        del voxwire().release


def device(board):
    """A device with a session, and what it says."""
    unload()
    built = app.App(board)
    link, said = built._link, []
    link._client._connection.up = True
    link._dispatch.session_id = "s1"
    link.post = lambda type_name, **values: said.append((type_name, values)) or True
    return built, said


async def until_forgotten():
    for _ in range(500):
        if not is_loaded():
            return
        await asyncio.sleep_ms(10)
    raise AssertionError("it stays")


def put(board, name, values):
    with open(board.root + "/" + name, "w") as file:
        json.dump(values, file)


async def test_a_device_without_an_offer_loads_nothing():
    built, said = device(SlotBoard())
    built._update(None)
    built._update(memoryview(b""))
    assert not is_loaded() and said == []


async def test_an_offer_is_looked_at_answered_and_all_of_it_is_forgotten():
    built, said = device(SlotBoard())
    built._update(memoryview(RELEASE.offer(7)))
    assert is_loaded()
    await until_forgotten()
    [(type_name, values)] = said
    assert (type_name, values["serial"], values["state"]) == ("update", 7, "refused")
    assert values["reason"].startswith("This device has no update key:")
    assert built._updates is None
    built._update(memoryview(b"?"))
    await until_forgotten()
    assert said[1][1]["reason"] == "The offer cannot be read (offer: is not JSON)."


async def test_what_the_bridge_was_not_told_is_told_after_a_start():
    board = SlotBoard()
    last = {"serial": 7, "state": "fell_back", "reason": "why", "told": False, "at": 0}
    put(board, "update.json", last)
    built, said = device(board)
    built._update(None)
    await until_forgotten()
    assert said == [("update", {"serial": 7, "state": "fell_back", "reason": "why"})]
    again, said = device(board)
    again._update(None)
    assert not is_loaded() and said == []


async def test_a_trial_of_the_other_slot_has_fallen_back():
    board = SlotBoard()
    put(board, "trial", {"slot": "app_b", "tries": 0, "serial": 7, "digest": "d"})
    built, said = device(board)
    built._update(None)
    await until_forgotten()
    assert said[0][1]["state"] == "fell_back"
    assert "trial" not in os.listdir(board.root)


async def test_a_fault_in_it_costs_nothing_else():
    built, said = device(SlotBoard())
    built._link.on_blob("release", lambda *values: None)  # the updater cannot have it
    built._update(memoryview(RELEASE.offer(7)))
    await until_forgotten()
    assert built._updates is None and said == []


async def test_what_made_way_for_a_turn_goes_on_when_the_device_is_idle():
    built, said = device(SlotBoard())
    from updates import Updates

    parts = built._board, built._settings, built._id, built._link, "0.1.0+x"
    ended = []
    built._updates = Updates(
        parts, built._voice, built._reports, built._restart, lambda: ended.append(True)
    )
    built._updates._paused = RELEASE.offer(7)
    built._state_changed("listening")
    assert said == [] and built._updates._updater is None
    built._state_changed("idle")
    await until_forgotten()
    assert said[0][1]["state"] == "refused" and ended == [True]


async def test_a_heap_in_pieces_is_put_together_by_one_restart_if_something_had_come():
    built, _ = device(SlotBoard())
    from updates import TRIES, Updates

    restarts = []
    parts = built._board, built._settings, built._id, built._link, "0.1.0+x"
    for pieces, count in ((0, 0), (5, 1)):
        updates = Updates(parts, built._voice, built._reports, lambda: restarts.append(1), None)
        updates._count(pieces)
        for _ in range(3 * TRIES):
            updates._count(0)
        assert len(restarts) == count
    unload()


async def test_a_task_that_ends_counts_as_a_fault_of_the_release():
    built, _ = device(SlotBoard())
    before = built._reports.count
    built._reports.add("error", "x")
    assert built._reports.count == before + 1
