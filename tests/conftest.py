"""Collects tests/both and tests/device under MicroPython: a process a file, an item a test."""

import ast
import os
import subprocess
import tempfile
from pathlib import Path

import hypothesis
import pytest

from tools.build import interpreters

# How long an example takes says how busy the computer is; tests/conftest.py is loaded first.
hypothesis.settings.register_profile(
    "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("busy")

pytest_plugins = ("workers",)

ROOT = Path(__file__).parent.parent
RUNNER = ROOT / "tools" / "checks" / "micropython_tests.py"
# Room for the pixels of whole panels and for JSON nested 5000 deep, whatever earlier tests have
# left in the heap; budgets are not held here.
HEAP = ("-X", "heapsize=4M")
SECONDS = 900  # a file that hangs; the longest takes 2 s on an idle computer
# Replacing a file on a disk waits for the disk, which others may keep busy for minutes.
SHARED_MEMORY = Path("/dev/shm")


def micropython() -> str:
    """The interpreter of this environment; MICROPYTHON names another one."""
    try:
        return str(interpreters.host().path)
    except interpreters.MissingToolError as error:
        pytest.exit(str(error), returncode=3)


def pytest_addoption(parser):
    text = "run the conversations again, over mosquitto: plain, TLS with passwords, MQTT 5"
    parser.addoption("--brokers", action="store_true", help=text)


class MicroPythonFile(pytest.File):
    def collect(self):
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
                "test_"
            ):
                yield MicroPythonTest.from_parent(self, name=f"{node.name}[micropython]")

    def outcome(self) -> "dict[str, str]":
        """Run the file once; what each test printed, by name."""
        if not hasattr(self, "_outcome"):
            paths = (ROOT / "firmware", ROOT / "tests", ".frozen")
            memory = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
            with tempfile.TemporaryDirectory(dir=memory) as files:
                done = subprocess.run(
                    [micropython(), *HEAP, str(RUNNER), str(self.path)],
                    capture_output=True,
                    text=True,
                    timeout=SECONDS,
                    cwd=ROOT,
                    env={
                        **os.environ,
                        "MICROPYPATH": ":".join(map(str, paths)),
                        "TMPDIR": files,
                    },
                    check=False,
                )
            self._outcome = _split(done.stdout)
            self._rest = done.stdout[-4000:] + done.stderr[-4000:]
        return self._outcome


def _split(text: str) -> "dict[str, str]":
    outcome, name, ok = {}, None, False
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("ok", "FAIL"):
            name, ok = rest, word == "ok"
            outcome[name] = "" if ok else line
        elif name is not None and not ok:
            outcome[name] += "\n" + line
    return outcome


class MicroPythonTest(pytest.Item):
    def runtest(self):
        outcome = self.parent.outcome()
        name = self.name.partition("[")[0]
        if name not in outcome:
            raise AssertionError("MicroPython did not finish this test:\n" + self.parent._rest)
        if outcome[name]:
            raise AssertionError(outcome[name])

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, 0, self.name


class NotHere(pytest.Collector):
    def collect(self):
        return []


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".py" and file_path.name.startswith("test_"):
        where = file_path.relative_to(ROOT / "tests").parts[0]
        if where in ("both", "device"):
            return MicroPythonFile.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makemodule(module_path, parent):
    if module_path.relative_to(ROOT / "tests").parts[0] == "device":
        return NotHere.from_parent(parent, name=module_path.name + " (MicroPython only)")
    return None
