"""The mock of Espressif's bootloader as a process, with a flash that may be worn.

As a program: bootloader.py CHIP PORT_FILE worn|good.
"""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

LIMIT_S = 60.0


@contextlib.contextmanager
def bootloader(chip, folder, flash="good"):
    """The port of a chip in its bootloader."""
    port_file = Path(folder) / f"{chip}.port"
    port_file.unlink(missing_ok=True)
    command = [sys.executable, __file__, chip, str(port_file), flash]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield f"socket://127.0.0.1:{_port(process, port_file)}"
        finally:
            process.kill()


def _port(process, port_file):
    until = time.monotonic() + LIMIT_S
    while not (port_file.exists() and port_file.read_text()):
        assert process.poll() is None and time.monotonic() < until, "the mock does not start"
        os.sched_yield()
    return port_file.read_text()


def main(chip, port_file, flash):
    from esp32_mock_bootloader import server

    class WornFlash(server.FlashImage):
        """Some of its cells are stuck."""

        def md5_stub_response(self, payload, *, stub=False):
            self.data[0x9000:0x9010] = bytes(16)
            return super().md5_stub_response(payload, stub=stub)

    if flash == "worn":
        server.FlashImage = WornFlash
    server.run_server(0, None, chip, port_file=port_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
