"""The firmware's own tests on a C3's instructions, over the code as an ESP32-C3 carries it.

The machine has no socket and no clock of the day, and its files are the computer's.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rv32.machine import firmware, machine, remote

from tools.build.firmware import ROOT
from tools.build.interpreters import rv32

FOLDERS = ("both", "both/wire", "device", "device/panel", "device/port")
ANY = "*"
NO_SOCKET = "MicroPython's qemu port has no sockets"
NO_FILES = "writes files, and the machine has none of its own"
NO_CALENDAR = "the port does not know the day"
# What cannot run there, and why: file, test (or every one), reason.
LEFT_OUT = (
    ("both/test_icons.py", "test_doubling_rounds_the_corners", "takes a minute there"),
    ("both/wire/test_session.py", ANY, "reads the source of a module, which is compiled there"),
    ("both/wire/test_value.py", "test_an_illegal_value_is_refused_with_what_is_allowed",
     "floats have 32 bits: its 10**15 becomes a legal number"),
    ("device/test_app.py", ANY, NO_SOCKET),
    ("device/test_damaged_settings.py", ANY, NO_SOCKET),
    ("device/test_mqtt_client.py", ANY, NO_SOCKET),
    ("device/test_mqtt_stream.py", ANY, NO_SOCKET),
    ("device/port/test_boards.py", ANY, NO_SOCKET),
    ("device/port/test_every_board.py", ANY, NO_SOCKET),
    ("device/port/test_setup.py", ANY, NO_SOCKET),
    ("device/test_simulated_audio.py", ANY, NO_FILES),
    ("device/test_simulator.py", ANY, NO_FILES),
    ("device/test_supervisor.py", ANY, NO_FILES),
    ("device/port/test_fakes.py", "test_time_passes_while_all_sleep_and_seconds_count_from_2000",
     NO_CALENDAR),
    ("device/port/test_start.py",
     "test_the_clock_counts_from_2000_and_is_set_by_seconds_since_1970", NO_CALENDAR),
    ("device/port/test_start.py",
     "test_the_network_is_asked_for_the_time_where_it_is_not_set", NO_CALENDAR),
    ("device/port/test_start.py",
     "test_the_processor_runs_as_fast_as_it_can_and_the_radio_has_its_memory",
     "it is refused: this MicroPython is older than 1.28 (test_refusal.py)"),
)  # fmt: skip
RUN = """
import sys
sys.path[:0] = ["/remote/tools/checks", {folder!r}]
from micropython_tests import passes
module = __import__({name!r})
for test in {tests!r}:
    passes(test, getattr(module, test))
"""


def functions(path: Path) -> list[str]:
    """The tests of a file, in their order."""
    found = re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    return [str(each) for each in found]


def files() -> list[str]:
    """Every file of tests, by its path below tests/."""
    paths = (path for folder in FOLDERS for path in (ROOT / "tests" / folder).glob("test_*.py"))
    return sorted(path.relative_to(ROOT / "tests").as_posix() for path in paths)


def runnable(name: str) -> list[str]:
    """The tests of a file that the machine can run."""
    absent = {test for file, test, _ in LEFT_OUT if file == name}
    return (
        []
        if ANY in absent
        else [test for test in functions(ROOT / "tests" / name) if test not in absent]
    )


NAMES = [name for name in files() if runnable(name)]


def said(name: str) -> str:
    """What a machine of its own prints of the tests of a file."""
    path = ROOT / "tests" / name
    program = RUN.format(folder=remote(path.parent), name=path.stem, tests=runnable(name))
    with machine() as processor:
        return processor.run(program)


@pytest.fixture(scope="module")
def runs():
    """The files on as many machines as there are processors here: name -> what is said."""
    rv32()
    firmware()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {name: pool.submit(said, name) for name in NAMES}
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("name", NAMES)
def test_the_tests_of_a_file_pass(runs, name):
    printed = runs[name].result()
    passed = [line[3:] for line in printed.splitlines() if line.startswith("ok ")]
    assert passed == runnable(name), printed[-4000:]


@pytest.mark.parametrize(("name", "test", "reason"), LEFT_OUT)
def test_what_is_left_out_is_there(name, test, reason):
    assert reason and (test == ANY or test in functions(ROOT / "tests" / name))
    assert (ROOT / "tests" / name).is_file()
