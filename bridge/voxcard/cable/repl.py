"""The raw REPL of a board at a serial port, by mpremote."""

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from voxcard.cable import ports
from voxcard.cable.serial_line import BAUD, SerialLine
from voxcard.errors import VoxcardError
from voxcard.json_value import Json, JsonObject

LIMIT_S = 60.0  # without a byte from the board
ENTER_S, _ENTER_TIMES = 20.0, 3
_LOOK_S = 0.5  # a read of mpremote's that nobody answers; of these it makes several
CHUNK_BYTES = 1024
_HELPERS = Path(__file__).parent / "on_device" / "files.py"
_AGAIN = "The board starts what it had, or the new firmware: plug it in and run it again."
_PROMPT = (
    "Press RESET on the board and run it again; if that does not help, write MicroPython into it:"
    " voxcard device flash."
)
_NO_ROOM = ("ENOSPC", "Errno 28", "OSError: 28")


class BoardFullError(VoxcardError):
    """The file system of the board has no room left."""

    def __init__(self) -> None:
        super().__init__(
            "The flash of the board is full.",
            "Remove files of your own from it (mpremote fs ls, mpremote fs rm), or write"
            " MicroPython into it anew: voxcard device flash.",
        )


class _Transport(SerialTransport):  # type: ignore[misc]
    def exec(self, command: Any, data_consumer: Any = None) -> Any:
        answer, error = self.exec_raw(command, timeout=LIMIT_S, data_consumer=data_consumer)
        if error:
            raise TransportExecError(answer, error.decode())
        return answer


class Repl:
    """A board that waits for programs; made by `opened`, with the helpers of on_device/."""

    def __init__(self, port: str, transport: Any) -> None:
        self._port, self._transport = port, transport
        self.run(_HELPERS.read_text(encoding="utf-8"))

    def run(self, program: str) -> str:
        """What `program` prints; its text is in no error: it may hold a password."""
        answer: str = self._transport.exec(program).decode(errors="replace")
        return answer

    def call(self, function: str, *arguments: object) -> list[Json]:
        """The values that a helper prints, a line each."""
        words = ", ".join(repr(each) for each in arguments)
        return [json.loads(line) for line in self.run(f"{function}({words})").splitlines()]

    def lines(self, function: str, *arguments: object) -> Iterator[JsonObject]:
        """The JSON objects that a helper prints, each as it comes; other lines are the log's."""
        words = ", ".join(repr(each) for each in arguments)
        self._transport.exec_raw_no_follow(f"{function}({words})")
        yield from self._printed()
        error = self._transport.read_until(1, b"\x04", timeout=LIMIT_S)[:-1]
        if error:
            raise TransportExecError(b"", error.decode())

    def _printed(self) -> Iterator[JsonObject]:
        line = b""
        while (byte := self._transport.serial.read(1)) != b"\x04":
            if not byte:
                raise TransportError("the board says nothing more")
            line += byte
            if byte == b"\n":
                if line.startswith(b"{") and b'"event": ' not in line:  # those are the simulator's
                    yield json.loads(line)
                line = b""

    def send(self, path: str, data: bytes, report: Callable[[int], None]) -> None:
        """Write a file; `report` is called with the bytes of every piece."""
        sent = 0

        def count(done: int, total: int) -> None:
            nonlocal sent
            report(done - sent)
            sent = done

        self.run(f"make_folders({path!r})")
        self._transport.fs_writefile(path, data, CHUNK_BYTES, count)

    def read(self, path: str) -> bytes | None:
        """A file's bytes, None without one."""
        if not self._transport.fs_exists(path):
            return None
        return bytes(self._transport.fs_readfile(path, CHUNK_BYTES))

    def restart(self) -> SerialLine:
        """Restart the board, as its RESET button does; what it says from then on.

        The REPL is of no use after it.
        """
        self._transport.exec_raw_no_follow("import machine\nmachine.reset()")
        # The same port, left open: what is said before another is open would be lost.
        return SerialLine(self._port, self._transport.serial)


@contextlib.contextmanager
def opened(port: str) -> Iterator[Repl]:
    """The board at `port`, its program ended; VoxcardError when it is not there, or gets lost."""
    transport = None
    entered = False
    try:
        # mpremote prints what it does not understand.
        with contextlib.redirect_stdout(io.StringIO()):
            transport = _Transport(port, BAUD, timeout=_LOOK_S)
            _enter(transport)
            transport.serial.timeout = LIMIT_S
            repl = Repl(port, transport)
        entered = True
        yield repl
    except (TransportError, OSError, serial.SerialException) as error:
        raise _explained(port, error, entered, transport is not None) from error
    finally:
        if transport is not None:
            with contextlib.suppress(OSError, serial.SerialException):
                transport.close()


def _enter(transport: Any) -> None:
    for attempt in range(_ENTER_TIMES):
        try:
            transport.enter_raw_repl(timeout_overall=ENTER_S)
            return
        except TransportError:
            # A Ctrl-C is lost on a board that starts, or waits inside a driver.
            if attempt == _ENTER_TIMES - 1:
                raise


def _explained(port: str, error: Exception, entered: bool, is_open: bool) -> VoxcardError:
    if isinstance(error, TransportExecError):
        line = str(error.error_output).strip().splitlines()[-1]
        if any(word in line for word in _NO_ROOM):
            return BoardFullError()
        return VoxcardError(f"The board refuses: {line}.", _PROMPT)
    if not is_open:
        return ports.unusable(port, error.__context__ or error)
    if not entered:
        return VoxcardError(f"No MicroPython answers at {port}.", _PROMPT)
    if isinstance(error, OSError) and error.args[:1] == (28,):
        return BoardFullError()
    return VoxcardError(f"The board at {port} was lost.", _AGAIN)
