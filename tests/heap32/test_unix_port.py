"""The unix port as `make setup` builds it where no package has one: from Debian's sources."""

import asyncio
import subprocess

from voxcard.sim import firmware
from voxcard.sim.device import SimulatedDevice

from tools.build.unix_port import build


def test_what_is_built_from_source_runs_the_firmware(tmp_path, monkeypatch):
    target = tmp_path / "micropython"
    build(target)
    code = "import sys; print(sys.implementation.version >= (1, 26))"
    done = subprocess.run([target, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    monkeypatch.setenv("MICROPYTHON", str(target))

    async def drawn():
        device = SimulatedDevice(tmp_path / "device", port=9, source=firmware.from_sources)
        await device.start(limit_s=None)
        try:
            return await device.screen(limit_s=None)
        finally:
            await device.stop()

    assert asyncio.run(drawn()).startswith(b"P4\n128 64\n")
