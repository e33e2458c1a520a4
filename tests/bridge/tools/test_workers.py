"""How the tests are shared by pytest's workers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import workers

TESTS = Path(__file__).parents[2]
HOSTILE = """\
import logging

def test_logs_and_prints():
    logging.getLogger("a").warning("a host \\ud800")
    print("not printable: \\\\ud800")

def test_fails():
    assert "\\ud800" == "\\udfff", "lone \\udc80"
"""
INTERRUPT = """\
import os, signal, subprocess, sys

PROGRAM = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"

def test_it_ends():
    assert subprocess.run([sys.executable, "-c", PROGRAM]).returncode == -signal.SIGINT
"""


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("tests/both/test_blob.py::test_a[micropython]", "tests/both/test_blob.py"),
        ("tests/together/test_a.py::test_b[iotcore]", "tests/together/test_a.py"),
        ("tests/together/test_a.py::test_b[mosquitto]", "tests/together/test_a.py[mosquitto"),
        (
            "tests/together/test_a.py::test_b[mosquitto-tls-acl]",
            "tests/together/test_a.py[mosquitto-tls-acl",
        ),
        (
            "tests/together/test_docs.py::test_page[running-mosquitto.md]",
            "tests/together/test_docs.py",
        ),
    ],
)
def test_a_worker_gets_a_whole_file_or_what_of_it_runs_over_one_broker(nodeid, unit):
    assert workers.unit(nodeid) == unit


def test_the_slowest_begin_first_and_are_there():
    for start in workers.SLOWEST:
        assert (TESTS.parent / start).exists(), start
    ranks = [workers.rank(f"{start}::test_a") for start in (*workers.SLOWEST, "tests/both/a.py")]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize(("processors", "expected"), [(1, 2), (2, 4), (4, 8), (64, 8), (None, 2)])
def test_there_are_two_workers_for_a_processor_and_eight_at_most(
    monkeypatch, processors, expected
):
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    assert workers.pytest_xdist_auto_num_workers() == expected


def test_programs_can_be_interrupted_when_the_tests_run_in_a_shells_background(tmp_path):
    (tmp_path / "test_interrupt.py").write_text(INTERRUPT)
    command = [sys.executable, "-m", "pytest", "-p", "workers", "-c", os.devnull]
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command, "--rootdir", tmp_path, tmp_path],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""},
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_report_is_sent_whatever_a_test_has_logged_or_compared(tmp_path):
    (tmp_path / "test_hostile.py").write_text(HOSTILE)
    command = [sys.executable, "-m", "pytest", "-n", "1", "-p", "workers", "-c", os.devnull]
    done = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""},
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout and "lone \\udc80" in done.stdout
