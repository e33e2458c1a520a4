"""The bench's rows: budgets, verdicts, and what is said of a relay under load."""

from tools.bench.relay.latency import Failure, rows
from tools.bench.rows import Row, number

ECHO = {"devices": 50, "sent": 3750, "late": 0, "p50_ms": 0.3, "p99_ms": 0.9,
        "cpu_ms_per_1000": 70.0}  # fmt: skip
RELAY = {**ECHO, "p50_ms": 0.4, "p99_ms": 6.4, "cpu_ms_per_1000": 105.0, "late": 2,
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
        "50 talking: late or lost": (2, "over"),
        "50 talking: CPU, relay to bare echo": (1.5, ""),
        "50 talking: loop late, p99": (1.1, ""),
        "50 talking: bridge resident, no speech models": (92.6, "ok"),
    }


def test_a_load_that_could_not_be_measured_leaves_the_rows_of_the_others():
    failed = Failure(devices=300, reason="no frame came back")
    *measured, missing = rows([{"echo": ECHO, "relay": RELAY}, failed])
    assert len(measured) == 6
    assert (missing.name, missing.verdict, missing.note) == (
        "300 talking",
        "missing",
        "no frame came back",
    )
