"""A 32-bit RISC-V processor that runs MicroPython, in QEMU; real mpremote speaks to it.

It reads the files of the checkout below /remote, and has none of its own.
"""

import contextlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mpremote.transport_serial import SerialTransport
from voxcard.cable.build import NOT_ON_DEVICES

from tools.build.firmware import FIRMWARE, ROOT, built
from tools.build.interpreters import QEMU, rv32

ARCH = "rv32imc"
LIMIT_S = 300.0  # without a byte; a busy computer is slow
_PORT = re.compile(r"/dev/\S+")
_OPTIONS = ("-machine", "virt", "-bios", "none", "-nographic", "-monitor", "null", "-semihosting",
            "-serial", "pty")  # fmt: skip


class Machine:
    """A processor at its raw REPL, with the firmware as an ESP32-C3 carries it in `sys.path`."""

    def __init__(self, transport: SerialTransport) -> None:
        self._transport = transport
        folders = (remote(firmware()), remote(ROOT / "tests"), ".frozen")
        self.run(f"import sys; sys.path[:] = {folders!r}")

    def run(self, program: str) -> str:
        """What `program` prints; AssertionError with its traceback when it fails."""
        printed = bytearray()  # mpremote's own gathering takes quadratic time
        take = printed.extend
        _, error = self._transport.exec_raw(program, timeout=LIMIT_S, data_consumer=take)
        assert not error, error.decode()
        return printed.removesuffix(b"\x04").decode().replace("\r\n", "\n")


def firmware() -> Path:
    """The firmware as an ESP32-C3 carries it, and what of the wire is the bridge's, for tests."""
    folder = built(ROOT / "out" / "firmware-rv32", arch=ARCH)
    if not (folder / NOT_ON_DEVICES).exists():
        unfinished = Path(tempfile.mkdtemp(dir=folder))
        shutil.copytree(FIRMWARE / NOT_ON_DEVICES, unfinished, dirs_exist_ok=True)
        unfinished.rename(folder / NOT_ON_DEVICES)
    return folder


def remote(path: Path) -> str:
    """What a file of the checkout is called on the machine."""
    return f"/remote/{path.relative_to(ROOT).as_posix()}"


@contextlib.contextmanager
def machine() -> Iterator[Machine]:
    """A processor that has just been switched on."""
    command = (QEMU, *_OPTIONS, "-kernel", rv32())
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline().decode()
            found = _PORT.search(said)
            assert found, f"QEMU does not run: {said}"
            transport = SerialTransport(found[0], timeout=LIMIT_S)
            try:
                transport.enter_raw_repl(soft_reset=False, timeout_overall=LIMIT_S)
                transport.mount_local(str(ROOT))
                yield Machine(transport)
            finally:
                transport.close()
        finally:
            process.kill()
