"""Writes an image of MicroPython into a board's flash, by esptool."""

import contextlib
from collections.abc import Iterator
from typing import Any

import serial
from esptool import cmds
from esptool.logger import EsptoolLogger, TemplateLogger
from esptool.util import FatalError

from voxcard.cable import ports
from voxcard.cable.boards import MEGABYTE, Board
from voxcard.cable.image import Image
from voxcard.cable.progress import Report
from voxcard.errors import VoxcardError

BAUD = 460800
_ATTEMPTS = 5
_KEEP = {"flash_size": "keep", "flash_mode": "keep", "flash_freq": "keep"}
_BOOTLOADER = (
    "Hold BOOT, press and release RESET, release BOOT, and run it again (a board with one button:"
    " hold it while you plug the cable in)."
)
_AGAIN = (
    "The board is not broken: its first loader cannot be written over. Plug it in again, straight"
    " into the computer, and run it again; --baud 115200 helps with a poor cable."
)


class _Quiet(TemplateLogger):  # type: ignore[misc]
    """esptool's words are not ours; its bars are reported as the step `step`."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def print(self, *args: Any, **kwargs: Any) -> None: ...
    def note(self, message: str) -> None: ...
    def warning(self, message: str) -> None: ...
    def error(self, message: str) -> None: ...
    def stage(self, finish: bool = False) -> None: ...
    def set_verbosity(self, verbosity: str) -> None: ...

    def progress_bar(
        self,
        cur_iter: int,
        total_iters: int,
        prefix: str = "",
        suffix: str = "",
        bar_length: int = 30,
    ) -> None:
        self._report("write", cur_iter, total_iters)


class Flasher:
    """One board in its bootloader, at `port`; made by `connected`."""

    def __init__(self, chip: Any, port: str, report: Report) -> None:
        self._chip, self._port, self._report = chip, port, report
        self.chip: str = chip.CHIP_NAME.lower().replace("-", "")
        self.flash_mb = _megabytes(cmds.detect_flash_size(chip))

    def check(self, board: Board, image: Image) -> None:
        """VoxcardError when what is on the cable is not `board`, or too small for `image`."""
        if self.chip != board.chip:
            problem = f"On {self._port} is {self.chip}, the board {board.id} has {board.chip}."
            raise VoxcardError(problem, "Name the board that is plugged in: --board.")
        if self.flash_mb and image.needs_bytes > self.flash_mb * MEGABYTE:
            needs = image.needs_bytes // MEGABYTE
            problem = f"The image needs {needs} MB of flash, this chip has {self.flash_mb}."
            raise VoxcardError(problem, "Take the image for its size, such as …-FLASH_4M.")

    def write(self, board: Board, data: bytes, baud: int = BAUD) -> None:
        """Erase the flash, write the image, compare its hash with the flash's; start the board.

        VoxcardError when the board is lost on the way or keeps something else.
        """
        with self._explained():
            if not self._port.startswith("socket://"):
                self._chip.change_baud(baud)
            self._report("erase", 0, 1)
            cmds.erase_flash(self._chip)
            self._report("erase", 1, 1)
            # esptool reads it back by its hash, too.
            cmds.write_flash(self._chip, [(board.offset, data)], **_KEEP)
            cmds.reset_chip(self._chip, "hard-reset")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (FatalError, OSError, serial.SerialException) as error:
            text = str(error)
            if "MD5" in text or "Write failed" in text:
                problem = "The flash holds something else than what was written."
                remedy = f"{_AGAIN} If it happens again, the flash is worn out."
                raise VoxcardError(problem, remedy) from error
            raise VoxcardError(f"The board at {self._port} was lost.", _AGAIN) from error


@contextlib.contextmanager
def connected(port: str, report: Report) -> Iterator[Flasher]:
    """The board at `port`, with esptool's helper running on it; VoxcardError without one."""
    EsptoolLogger().set_logger(_Quiet(report))  # the proxy for it works once
    mode = "no-reset" if port.startswith("socket://") else "default-reset"
    chip = None
    try:
        report("connect", 0, 1)
        chip = cmds.detect_chip(port, connect_mode=mode, connect_attempts=_ATTEMPTS)
        chip = cmds.run_stub(chip)
        cmds.attach_flash(chip)
        flasher = Flasher(chip, port, report)
        report("connect", 1, 1)
    except (FatalError, OSError, serial.SerialException) as error:
        _close(chip)
        raise _unanswered(port, error) from error
    try:
        yield flasher
    finally:
        _close(chip)


def _unanswered(port: str, error: Exception) -> VoxcardError:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError):
            return ports.unusable(port, cause)
        cause = cause.__cause__ or cause.__context__
    if "could not open" in str(error).lower():
        return ports.unusable(port, error)
    return VoxcardError(f"No ESP32 answers at {port}.", _BOOTLOADER)


def _close(chip: Any) -> None:
    if chip is not None:
        with contextlib.suppress(OSError):
            chip._port.close()


def _megabytes(size: str | None) -> int:
    """Of esptool's "16MB"; 0 where it does not know."""
    return int(size[:-2]) if size and size.endswith("MB") else 0
