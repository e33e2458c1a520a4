"""What a board says on its serial line, line by line."""

import contextlib
import time
from collections.abc import Iterator

import serial

from voxcard.cable import ports

BAUD = 115200
POLL_S = 0.2
_COMES_BACK_S = 20.0  # a chip with USB of its own leaves the computer when it restarts


class SerialLine:
    """The line at `port`, opened again where the board restarts and its port with it.

    `line` is the port where it is open already.
    """

    def __init__(self, port: str, line: serial.Serial | None = None) -> None:
        self._port = port
        self._open = line
        if line is not None:
            line.timeout = POLL_S
        self._begun = b""

    def lines(self, limit_s: float | None) -> Iterator[str]:
        """Every line until `limit_s` has passed; VoxcardError when the port does not come back."""
        until_s = None if limit_s is None else time.monotonic() + limit_s
        while until_s is None or time.monotonic() < until_s:
            self._begun += self._read()
            *whole, self._begun = self._begun.split(b"\n")
            for line in whole:
                yield line.decode(errors="replace").rstrip("\r")

    def open(self) -> serial.Serial:
        """Listen from now on; VoxcardError when the port does not come back."""
        if self._open is None:
            self._open = self._opened()
        return self._open

    def close(self) -> None:
        """Let the port go."""
        if self._open is not None:
            with contextlib.suppress(OSError, serial.SerialException):
                self._open.close()
        self._open = None

    def __enter__(self) -> "SerialLine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> bytes:
        line = self.open()
        try:
            data: bytes = line.read(max(1, line.in_waiting))
        except (OSError, serial.SerialException):
            self.close()
            return b""
        return data

    def _opened(self) -> serial.Serial:
        until_s = time.monotonic() + _COMES_BACK_S
        while True:
            try:
                return serial.serial_for_url(self._port, BAUD, timeout=POLL_S, exclusive=True)
            except (OSError, serial.SerialException) as error:
                if time.monotonic() >= until_s:
                    raise ports.unusable(self._port, error) from error
                time.sleep(POLL_S)
