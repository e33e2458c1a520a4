"""The serial ports of this computer: which one a board is on, and what is wrong with it."""

import errno
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from serial.tools import list_ports

from voxcard.errors import VoxcardError

# Makers of the USB chips that boards have: Espressif itself, Silicon Labs, WCH, FTDI, Seeed,
# Adafruit.
_VENDORS = {0x303A, 0x10C4, 0x1A86, 0x0403, 0x2886, 0x239A}
PLUG = (
    "Plug the board in by a cable that carries data (many only charge); where nothing appears,"
    " hold BOOT, press and release RESET, release BOOT."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A serial port: its device, and what stands on the other end."""

    device: str
    about: str
    vendor: int | None = None


def attached() -> Iterable[Port]:
    """The serial ports that this computer has."""
    for each in list_ports.comports():
        yield Port(device=each.device, about=each.description or "", vendor=each.vid)


def choose(named: str, attached: Callable[[], Iterable[Port]] = attached) -> str:
    """The port `named`, or the only one with a board on it; VoxcardError without one."""
    if named:
        return named
    boards = [port for port in attached() if port.vendor in _VENDORS]
    if not boards:
        raise VoxcardError("No board is found.", f"{PLUG} Or name its port: --port.")
    if len(boards) > 1:
        listed = ", ".join(f"{port.device} ({port.about})" for port in boards)
        remedy = f"Name the port of the one that is meant: --port {boards[0].device}"
        raise VoxcardError(f"More than one board is there: {listed}.", remedy)
    return boards[0].device


def unusable(port: str, error: BaseException) -> VoxcardError:
    """Why `port` cannot be opened, as far as `error` says."""
    text, number = str(error).lower(), getattr(error, "errno", None)
    if number == errno.EACCES or "permission denied" in text or "access is denied" in text:
        remedy = "On Linux run: sudo usermod -aG dialout $USER, then log in again."
        return VoxcardError(f"You may not use {port}.", remedy)
    if number == errno.EBUSY or "lock" in text or "busy" in text:
        remedy = "Close the program that has it open: a monitor, an editor for MicroPython."
        return VoxcardError(f"Another program uses {port}.", remedy)
    return VoxcardError(f"Nothing answers at {port}.", PLUG)
