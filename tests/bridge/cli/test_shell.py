"""The command in a shell: a pipe that closes, and completion of words."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.command_line import running
from fakes.service import FakeService


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "voxcard.toml").write_text('[control]\nsocket = "c.sock"\n', encoding="utf-8")
    with running(FakeService(), tmp_path / "c.sock"):
        yield tmp_path


def voxcard(folder, *words, **environment):
    command = [Path(sys.executable).with_name("voxcard"), *words]
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    "words",
    [("devices",), ("watch",), ("watch", "--json"), ("tool", "list", "kitchen"), ("--help",)],
)
def test_a_pipe_that_closes_ends_the_command_as_it_ends_other_unix_tools(folder, words):
    process = voxcard(folder, *words)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait() == -signal.SIGPIPE


@pytest.mark.parametrize(("typed", "offered"), [("devices p", "pair"), ("say kit", "kitchen")])
def test_the_shell_completes_commands_and_devices(folder, typed, offered):
    words = f"voxcard {typed}"
    process = voxcard(
        folder,
        _VOXCARD_COMPLETE="complete_bash",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split()) - 1),
    )
    out, err = process.communicate()
    assert (out.split(), err, process.returncode) == ([offered], "", 0)


def test_without_a_bridge_there_are_no_devices_to_complete(tmp_path):
    process = voxcard(
        tmp_path, _VOXCARD_COMPLETE="complete_bash", COMP_WORDS="voxcard say k", COMP_CWORD="2",
        XDG_STATE_HOME=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path),
    )  # fmt: skip
    out, err = process.communicate()
    assert (out.strip(), err) == ("", "")
