"""The program that starts one of two slots: which one, and how often one on trial."""

import json
import os
import sys
import time

import launcher


def folder(**files):
    root = "%s/launcher-%d" % (os.getenv("TMPDIR") or "/tmp", time.ticks_us())
    os.mkdir(root)
    for name in files:
        with open(root + "/" + name, "w") as file:
            file.write(files[name])
    return root


def trial(slot="app_b", tries=3):
    return json.dumps({"slot": slot, "tries": tries, "serial": 7, "digest": "d"})


def test_without_a_trial_the_slot_that_is_named_is_started():
    assert launcher.slot(folder()) == "app_a"
    assert launcher.slot(folder(slot="app_b")) == "app_b"
    for other in ("", "app_c", "app_b\n", "/", "\x00"):
        assert launcher.slot(folder(slot=other)) == "app_a"
    assert launcher.trial(folder(slot="app_b")) == ""


def test_a_trial_is_started_as_often_as_it_has_starts_left():
    root = folder(slot="app_a", trial=trial(tries=3))
    assert [launcher.trial(root) for _ in range(5)] == ["app_b"] * 3 + [""] * 2
    with open(root + "/trial") as file:
        assert json.load(file) == {"slot": "app_b", "tries": 0, "serial": 7, "digest": "d"}
    assert launcher.slot(root) == "app_a"


def test_what_is_confirmed_is_not_counted():
    root = folder(slot="app_b", trial=trial("app_b", 3))
    assert launcher.trial(root) == "" and launcher.slot(root) == "app_b"
    with open(root + "/trial") as file:
        assert json.load(file)["tries"] == 3


def test_a_trial_that_cannot_be_read_is_none():
    for content in ("", "{", "[]", "null", "7", '{"slot":"app_b"}', '{"tries":3}',
                    trial("app_c"), trial("../app_b"), trial(["app_b"]), trial(tries="3"),
                    trial(tries=None), trial(tries=0), trial(tries=-1), "\x00" * 50):  # fmt: skip
        assert launcher.trial(folder(slot="app_a", trial=content)) == "", content


def test_a_trial_that_cannot_be_counted_is_not_started():
    root = folder(slot="app_a", trial=trial())
    os.mkdir(root + "/trial.new")
    assert launcher.trial(root) == "" and launcher.slot(root) == "app_a"


class Machine:
    """The module machine; `done` is what was done with it."""

    def __init__(self):
        self.done = []
        # Plain functions: older MicroPythons import no method.
        self.WDT = lambda timeout: self.done.append(timeout)
        self.reset = lambda: self.done.append("reset")


def started(program, on_trial):
    """What `launcher.start` did with a slot whose main.py is `program`."""
    machine, path = Machine(), list(sys.path)
    before = sys.modules.pop("main", None)
    sys.modules["machine"] = machine
    root = folder()
    os.mkdir(root + "/slot")
    with open(root + "/slot/main.py", "w") as file:
        file.write(program)
    slot, launcher.slot = launcher.slot, lambda: root[1:] + "/slot"
    try:
        launcher.start(root[1:] + "/slot" if on_trial else "")
    finally:
        launcher.slot, sys.path[:] = slot, path
        sys.modules.pop("main", None)
        del sys.modules["machine"]
        if before is not None:
            sys.modules["main"] = before
    return machine.done


def test_a_release_on_trial_that_ends_or_fails_restarts_the_board_and_a_watchdog_waits_for_it():
    for program in ("x = 1", "raise ImportError('app')", "1 / 0", "def ("):
        assert started(program, True) == [120000, "reset"]


def test_a_person_ends_a_release_on_trial_by_hand():
    try:
        started("raise KeyboardInterrupt", True)
    except KeyboardInterrupt:
        return
    raise AssertionError("it went on")


def test_what_is_confirmed_fails_in_the_open():
    assert started("x = 1", False) == []
    try:
        started("1 / 0", False)
    except ZeroDivisionError:
        return
    raise AssertionError("it was hidden")
