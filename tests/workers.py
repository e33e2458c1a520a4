"""How pytest's workers (`-n auto`) share the tests, and what they may send each other."""

import os
import re
import signal
from collections.abc import Generator
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

# A worker of these waits most of its time for processes, clocks and speech at its own pace.
PER_CPU, WORKERS_MAX = 2, 8
# What takes longest begins first, so that no worker is left alone with it at the end, and before
# what computes: most of it waits. Files and folders, the longest first; the rest as collected.
SLOWEST = (
    "tests/together/test_documented_steps.py",
    "tests/together/test_updates.py",
    "tests/bridge/cable/test_deploy.py",
    "tests/heap32/",
    "tests/together/",
    "tests/device/port/",
    "tests/device/releases/",
    "tests/bridge/test_many_devices.py",
    "tests/bridge/test_faults.py",
    "tests/bridge/cable/",
    "tests/bridge/offline/test_conversation.py",
)
BROKER = re.compile(r"\[mosquitto[a-z0-9-]*")


def pytest_configure() -> None:
    # A shell's background job ignores Ctrl-C, and so would the programs that tests press it for.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class FileScheduling(LoadScopeScheduling):
    """Gives a worker whole files: a file's fixtures and its one MicroPython are made once.

    What runs over several brokers is a unit for each: their homes are not shared either.
    """

    def _split_scope(self, nodeid: str) -> str:
        return unit(nodeid)


def unit(nodeid: str) -> str:
    """What a test is given to a worker with: its file, and its broker where --brokers names it."""
    file, _, test = nodeid.partition("::")
    broker = BROKER.search(test)
    return file + broker[0] if broker else file


def rank(nodeid: str) -> int:
    """Where a test's unit stands in the order of SLOWEST."""
    return next((at for at, start in enumerate(SLOWEST) if nodeid.startswith(start)), len(SLOWEST))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    return min(PER_CPU * (os.cpu_count() or 1), WORKERS_MAX)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduling:
    config.option.loadscopereorder = False  # SLOWEST is the order
    return FileScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> "Generator[None, Any, Any]":
    """Reports travel as UTF-8, and tests of hostile texts log lone surrogates."""
    return as_utf8((yield))


def as_utf8(data: Any) -> Any:
    """The same with every character that UTF-8 lacks written as an escape."""
    if isinstance(data, str):
        return data.encode("utf-8", "backslashreplace").decode()
    if isinstance(data, dict):
        return {as_utf8(name): as_utf8(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(as_utf8(each) for each in data)
    return data
