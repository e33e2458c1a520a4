"""The bridge's copy of devices' timers: read, kept, listed, and what rings told once."""

import json
import stat

from voxcard.timers import copies
from voxcard.timers.copy import timers_of

PIZZA = {"id": 1, "kind": "timer", "label": "pizza", "state": "running", "left": 600}
ALARM = {"id": 2, "kind": "alarm", "label": "7:00 AM", "state": "running", "left": 9000,
         "time": "07:00", "repeats": "on weekdays"}  # fmt: skip
MUM = {"id": 3, "kind": "reminder", "label": "call mum", "state": "running", "left": 60}


class Kept:
    def __init__(self, folder):
        self.folder, self.now, self.rung = folder, 1000, []
        self.start()

    def start(self):
        self.copies = copies.Copies(
            self.folder,
            put=lambda work: work(),
            on_change=lambda device, timer, what: self.rung.append((device, timer.label, what)),
            clock=lambda: self.now,
        )
        self.copies.load()


def test_a_device_that_is_away_counts_on(tmp_path):
    home = Kept(tmp_path)
    home.copies.report("hall", [PIZZA, ALARM, MUM])
    home.now += 45
    assert home.copies.words("hall") == (
        "pizza timer: 9 min 15 s left",
        "7:00 AM alarm: 07:00 on weekdays",
        "remind: call mum: 15 s left",
    )
    home.now += 3600
    assert home.copies.words("hall")[0] == "pizza timer: over"
    assert home.copies.words("kitchen") == ()


def test_a_timer_that_pauses_does_not_count_on(tmp_path):
    home = Kept(tmp_path)
    home.copies.report("hall", [{**PIZZA, "state": "paused"}])
    home.now += 999
    assert home.copies.words("hall") == ("pizza timer: 10 min left, paused",)


def test_it_is_known_after_a_restart_and_its_users_alone(tmp_path):
    home = Kept(tmp_path)
    home.copies.report("hall", [PIZZA])
    file = tmp_path / copies.FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    home.start()
    assert home.copies.words("hall") == ("pizza timer: 10 min left",)
    home.copies.report("hall", [])
    home.start()
    assert home.copies.words("hall") == ()


def test_what_rings_or_was_missed_is_told_once(tmp_path):
    home = Kept(tmp_path)
    home.copies.report("hall", [PIZZA])
    for _ in range(2):
        home.copies.report("hall", [{**PIZZA, "state": "ringing"}])
    home.start()
    home.copies.report("hall", [{**PIZZA, "state": "ringing"}])
    home.copies.report("hall", [{**PIZZA, "state": "missed"}])
    assert home.rung == [("hall", "pizza", "rings"), ("hall", "pizza", "missed")]


def test_a_device_that_is_removed_is_forgotten(tmp_path):
    home = Kept(tmp_path)
    home.copies.report("hall", [PIZZA])
    home.copies.forget("hall")
    home.start()
    assert home.copies.of("hall") == ()


def test_a_damaged_file_is_a_line_in_the_log(tmp_path, caplog):
    for text in ("{", "[]", '{"hall": 3}', '{"hall": [{"id": 1}]}', "\udcff", '{"hall": [3]}'):
        (tmp_path / copies.FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
        caplog.clear()
        assert Kept(tmp_path).copies.words("hall") == ()
        assert "cannot be read" in caplog.text


def test_a_device_may_say_anything(tmp_path, caplog):
    odd = [None, 3, "x", {}, {**PIZZA, "left": -1}, {**PIZZA, "left": 10**12},
           {**PIZZA, "kind": "bomb"}, {**PIZZA, "state": ""}, {**PIZZA, "label": 7}]  # fmt: skip
    home = Kept(tmp_path)
    home.copies.report("hall", [*odd, PIZZA])
    assert len(home.copies.of("hall")) == 1
    assert f"{len(odd)} of its timers cannot be read" in caplog.text
    timers, unread = timers_of([PIZZA] * 1000, 0)
    assert (len(timers), unread) == (64, 936)
    ((long,), _) = timers_of([{**PIZZA, "label": "a\nb\u202e" + "x" * 500}], 0)
    assert len(long.label) == 120 and long.label.startswith("a b")


def test_the_file_holds_what_was_said(tmp_path):
    home = Kept(tmp_path)
    home.copies.report("hall", [MUM])
    stored = json.loads((tmp_path / copies.FILE).read_text())
    assert stored["hall"][0]["label"] == "call mum" and stored["hall"][0]["at_s"] == 1000
