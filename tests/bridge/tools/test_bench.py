"""The bench's rows: budgets, verdicts, and what is said of a relay under load."""

from tools.bench.relay import release
from tools.bench.relay.latency import Failure, rows
from tools.bench.relay.stalls import joined, machine_late, stalled_ms
from tools.bench.rows import Row, number

ECHO = {"devices": 50, "sent": 3750, "late": 4, "late_machine": 4, "sleeper_late_max_ms": 80.0,
        "waited_percent": 1.5, "p50_ms": 0.3, "p99_ms": 0.9, "cpu_ms_per_1000": 70.0}  # fmt: skip
RELAY = {**ECHO, "p50_ms": 0.4, "p99_ms": 6.4, "cpu_ms_per_1000": 105.0, "late": 6,
         "loop_late_p99_ms": 1.1, "loop_late_max_ms": 2.5, "resident_mb": 92.6,
         "idle_resident_mb": 91.2}  # fmt: skip


def test_a_row_says_whether_it_keeps_its_budget():
    assert Row(name="", value=1.0, unit="ms", limit=1.0).verdict == "ok"
    assert Row(name="", value=1.1, unit="ms", limit=1.0).verdict == "over"
    assert Row(name="", value=299, unit="", limit=300, at_least=True).verdict == "over"
    assert Row(name="", value=9e9, unit="B").verdict == ""
    assert Row(name="", value=None, unit="", note="no interpreter").verdict == "missing"
    assert Row(name="", value=299, unit="", limit=300, at_least=True).budget == ">= 300"


def test_figures_have_as_many_places_as_a_person_reads():
    assert [number(each) for each in (3.0, 0.123, 12.345, 12288)] == [
        "3",
        "0.12",
        "12.3",
        "12,288",
    ]


def test_the_relay_is_judged_by_what_it_adds_to_a_bare_echo():
    said = {row.name: (row.value, row.verdict) for row in rows([{"echo": ECHO, "relay": RELAY}])}
    assert said == {
        "50 talking: the relay adds, p50": (0.1, "ok"),
        "50 talking: the relay adds, p99": (5.5, "over"),
        "50 talking: late because of the bridge, or lost": (2, "over"),
        "50 talking: CPU, relay to bare echo": (1.5, ""),
        "50 talking: loop late, p99": (1.1, ""),
        "50 talking: bridge resident, no speech models": (92.6, "ok"),
    }


def test_on_a_machine_that_keeps_the_bridge_from_its_core_late_frames_are_not_judged():
    def late(**figures):
        (row,) = [row for row in rows([{"echo": ECHO, "relay": {**RELAY, **figures}}])
                  if "late because" in row.name]  # fmt: skip
        return row

    assert (late(waited_percent=5.0).verdict, late(waited_percent=5.1).verdict) == ("over", "")
    assert "too busy to judge" in late(waited_percent=5.1).note
    assert late(late=4).verdict == "ok"  # those that were the machine's
    assert late(devices=301).verdict == ""


def test_a_load_that_could_not_be_measured_leaves_the_rows_of_the_others():
    failed = Failure(devices=300, reason="no frame came back")
    *measured, missing = rows([{"echo": ECHO, "relay": RELAY}, failed])
    assert len(measured) == 6
    assert (missing.name, missing.verdict, missing.note) == (
        "300 talking",
        "missing",
        "no frame came back",
    )


def test_stalls_that_overlap_count_once():
    assert joined([(3.0, 4.0), (1.0, 2.0), (1.5, 2.5), (2.5, 2.75)]) == [(1.0, 2.75), (3.0, 4.0)]
    assert stalled_ms((2.0, 3.5), [(1.0, 2.75), (3.0, 4.0)]) == 1250.0
    assert stalled_ms((5.0, 6.0), [(1.0, 2.75), (3.0, 4.0)]) == 0.0


def test_a_frame_that_is_late_without_the_machine_is_the_bridges():
    stalls = [(0.0, 1.0)]
    in_time, half, after = (0.5, 1.0625), (0.9375, 1.0625), (2.0, 2.125)
    assert machine_late([in_time, half, after], stalls, 62.5) == [in_time, half]
    assert machine_late([half], [], 62.5) == []


def test_the_frames_of_every_turn_have_numbers_that_the_wire_knows():
    assert release.numbers(0) == [0, 1, 2, 3, 4, 5]
    assert release.numbers(655)[-1] == 65505
    assert release.numbers(1311)[-3:] == [31, 32, 33]  # 131,100 and on
    for turn in range(2000):
        assert all(0 <= each <= 65535 for each in release.numbers(turn))
