"""The firmware as this computer's interpreter can run it, with and without native code."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from voxcard import package_files
from voxcard.errors import VoxcardError
from voxcard.sim import firmware, interpreter

from tools.build.firmware import built

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests" / "device"
# Plain code makes objects; that is no matter in a computer's heap.
COSTS_HEAP = {
    "test_coding_allocates_nothing",
    "test_a_frame_costs_no_heap_beyond_the_writes_coroutines",
}


def test_viper_functions_become_plain_ones_line_for_line(tmp_path):
    viper = '"""About."""\n\n\n@micropython.viper\ndef f(a: ptr8, n: int, b: ptr16) -> int:\n'
    (tmp_path / "m.py").write_text(viper + '    """Adds."""\n    return a[0] + b[n]\n')
    (tmp_path / "other.py").write_text("def g(): pass\n")
    firmware.without_viper(tmp_path)
    assert (tmp_path / "m.py").read_text() == (
        'from plain_pointers import ptr8, ptr16; """About."""\n\n\n'
        "def f(a: ptr8, n: int, b: ptr16) -> int:\n    a = ptr8(a); b = ptr16(b)\n"
        '    """Adds."""\n    return a[0] + b[n]\n'
    )
    assert (tmp_path / "other.py").read_text() == "def g(): pass\n"


@pytest.mark.parametrize(
    "file", ["test_adpcm.py", "test_level.py", "test_buffers.py", "test_playback.py"]
)
def test_without_native_code_the_firmware_computes_the_same(tmp_path, file):
    build = built(tmp_path / "builds", arch=None)
    assert not list(build.rglob("audio/*.py"))
    done = subprocess.run(
        [interpreter.find(), "-X", "heapsize=1M",
         ROOT / "tools" / "checks" / "micropython_tests.py", TESTS / file],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "MICROPYPATH": f"{build}:{ROOT / 'tests'}:.frozen"},
    )  # fmt: skip
    results = [line.partition(" ") for line in done.stdout.splitlines()]
    passed = {name for word, _, name in results if word == "ok"}
    failed = {name for word, _, name in results if word == "FAIL"}
    assert len(passed) >= 5, done.stdout[-2000:] + done.stderr[-2000:]
    assert failed <= COSTS_HEAP, done.stdout[-2000:]


def test_an_interpreter_without_native_code_gets_plain_sources_once(tmp_path, monkeypatch):
    monkeypatch.setattr(interpreter, "compiles_viper", lambda path: False)
    monkeypatch.setattr(firmware.platformdirs, "user_cache_path", lambda name: tmp_path / name)
    ready = firmware.from_sources()
    assert ready.files.parent == tmp_path / "voxcard"
    assert (ready.files / "main.py").is_file() and (ready.files / "fonts").is_dir()
    assert "viper" not in (ready.files / "audio" / "level.py").read_text().split('"""')[2]
    assert firmware.from_sources() == ready
    assert [path.name for path in ready.files.parent.iterdir()] == [ready.files.name]


def test_this_interpreter_runs_the_sources_as_they_are(tmp_path):
    ready = firmware.from_sources()
    native = platform.machine() in ("x86_64", "AMD64")
    assert (ready.files == package_files.firmware()) is native


def test_the_named_interpreter_goes_before_the_one_beside_python_and_that_of_path(
    tmp_path, monkeypatch
):
    for folder in ("beside", "path"):
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "micropython"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "beside" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setenv("MICROPYTHON", "/bin/true")
    assert interpreter.find() == Path("/bin/true")
    monkeypatch.delenv("MICROPYTHON")
    assert interpreter.find() == tmp_path / "beside" / "micropython"
    (tmp_path / "beside" / "micropython").unlink()
    assert interpreter.find() == tmp_path / "path" / "micropython"


@pytest.mark.parametrize(
    ("system", "machine", "sentence"),
    [
        ("linux", "x86_64", "MicroPython, which runs the firmware, is not installed. "),
        (
            "linux",
            "aarch64",
            "MicroPython, which runs the firmware, is not installed, and has no package for this "
            "kind of computer (linux aarch64). Build its unix port (in a checkout: make setup), "
            "and set MICROPYTHON=/path/to/it.",
        ),
    ],
)
def test_without_an_interpreter_one_sentence_says_how_to_get_it(
    tmp_path, monkeypatch, system, machine, sentence
):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MICROPYTHON", raising=False)
    with pytest.raises(VoxcardError) as caught:
        interpreter.find()
    assert str(caught.value).startswith(sentence)


def test_a_named_interpreter_that_is_none_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("MICROPYTHON", str(tmp_path / "none"))
    with pytest.raises(VoxcardError, match="which is no program"):
        interpreter.find()
    text = tmp_path / "text"
    text.write_text("not a program")
    text.chmod(0o755)
    with pytest.raises(VoxcardError, match=r"Set MICROPYTHON to a MicroPython 1\.26"):
        interpreter.compiles_viper(text)
