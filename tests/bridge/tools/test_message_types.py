"""The written types of messages: they follow the tables, and a wrong one is found."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from voxwire import fields, message

from tools.checks import imports, message_types

ROOT = Path(__file__).parents[3]
PATHS = (message_types.STUB, message_types.WIRE)


def copied(root: Path) -> Path:
    """A folder with the written files of this checkout."""
    for path in PATHS:
        (root / path).parent.mkdir(parents=True)
        shutil.copy(ROOT / path, root / path)
    return root


def stubtest(firmware: Path) -> "subprocess.CompletedProcess[str]":
    """mypy's comparison of a stub of voxwire.message with what the module is at run time."""
    cached = f"[mypy]\ncache_dir = {ROOT / '.mypy_cache'}\n"
    (firmware / "mypy.ini").write_text(cached, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file=mypy.ini", "voxwire.message"],
        cwd=firmware,
        env={**os.environ, "MYPYPATH": str(firmware), "PYTHONPATH": str(firmware)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_written_types_are_those_of_the_tables(tmp_path):
    assert list(message_types.stale(copied(tmp_path))) == []


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("last_seq: int", "last_seq: str"), ("version: str | None", "version: str"), ("", "\n")],
)
def test_a_type_that_differs_from_the_table_is_stale(tmp_path, path, right, wrong):
    file = copied(tmp_path) / path
    file.write_text(file.read_text(encoding="utf-8").replace(right, wrong, 1), encoding="utf-8")
    assert list(message_types.stale(tmp_path)) == [path]


def test_a_missing_file_is_stale(tmp_path):
    assert list(message_types.stale(tmp_path)) == list(PATHS)


def test_a_stub_of_another_module_fails_mypys_comparison(tmp_path):
    shutil.copytree(ROOT / "firmware" / "voxwire", tmp_path / "voxwire")
    stub = tmp_path / "voxwire" / "message.pyi"
    right = stub.read_text(encoding="utf-8")
    assert stubtest(tmp_path).returncode == 0, stubtest(tmp_path).stdout
    for find, wrong in (
        ("class Played(NamedTuple):\n    session_id: str\n", "class Played(NamedTuple):\n"),
        ("class Abort(", "class Abolish("),
        ("def dump(data: object, part: str)", "def dump(data: object)"),
    ):
        assert find in right
        stub.write_text(right.replace(find, wrong), encoding="utf-8")
        assert stubtest(tmp_path).returncode == 1, find


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("listen.seq", ""),
        ("listen.sequence", '"Listen" has no attribute "sequence"'),
        ('wire.send("stt", text="Hello.")', ""),
        ('wire.send("stt", texts="Hello.")', 'No overload variant of "send"'),
        ('wire.send("tts", state="begin")', 'No overload variant of "send"'),
        ('wire.send("listen", state="start")', 'No overload variant of "send"'),
    ],
)
def test_a_field_that_no_message_has_is_a_type_error(tmp_path, line, problem):
    (tmp_path / "use.py").write_text(
        "from voxcard.link.wire import Wire\nfrom voxwire.message import Listen\n\n"
        f"def use(wire: Wire, listen: Listen) -> None:\n    {line}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache", "use.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": f"{ROOT / 'firmware'}:{ROOT / 'bridge'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (problem in done.stdout) if problem else done.stdout.startswith("Success"), done.stdout


def test_every_field_text_is_parsed_once_however_many_messages_are_sent_and_received():
    fields.parsed.cache_clear()
    for _ in range(100):
        stt = message.make(message.FROM_BRIDGE, "stt", session_id="s", text="Hello.")
        payload = message.encode(message.FROM_BRIDGE, stt)
        assert message.decode(message.FROM_BRIDGE, payload) == ("stt", stt)
        assert message.FROM_BRIDGE["stt"].fields[1].name == "text"
    assert fields.parsed.cache_info().misses == 1


def test_mypy_checks_every_module_that_the_import_rules_call_pure():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    checked = {path for path in config["tool"]["mypy"]["files"] if path.startswith("firmware/")}
    pure = {f"firmware/{path}" for path in imports.FIRMWARE_PURE}
    assert checked == pure | {"firmware/voxwire"}
