"""The wheel alone runs a simulated device: the whole firmware is in it; a checkout has it once."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import voxwire
from hatchling.builders.wheel import WheelBuilder
from voxcard.sim import interpreter

from tools.build import firmware

ROOT = Path(__file__).parents[3]
PROGRAM = """
from voxcard.cli.commands import main
from voxcard import package_files
print(package_files.firmware(), flush=True)
main()
"""


def test_the_wheel_holds_the_whole_firmware_and_runs_it_without_a_checkout(tmp_path):
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    inside = site / "voxcard" / "_firmware"
    for source in firmware.sources():
        relative = source.relative_to(ROOT / "firmware")
        assert (inside / relative).read_bytes() == source.read_bytes(), relative
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "sim", "--host", "127.0.0.1", "--port", "9",
         "--folder", tmp_path / "device"],
        input="\nscreen\nquit\n", capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site), "MICROPYTHON": str(interpreter.find()),
             "XDG_RUNTIME_DIR": str(tmp_path), "COLUMNS": "200"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == str(inside)
    assert lines[1] == "sim-1 connects to 127.0.0.1:9…"
    drawn = [line for line in lines if len(line) == 128]
    assert len(drawn) == 32 and "█" in "".join(drawn)


def test_a_checkout_reads_the_wire_from_the_firmware_and_from_no_copy():
    assert Path(voxwire.__file__).parent == ROOT / "firmware" / "voxwire"
