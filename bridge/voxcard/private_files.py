"""Files and folders readable by their user alone, whatever the umask."""

import os
import stat
import warnings
from pathlib import Path

import platformdirs

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def private_folder(path: Path) -> None:
    """Make `path`, and what is missing above it, for its user alone; OSError as of `mkdir`.

    Of folders that exist, Voxcard's own state and runtime folders are closed to others; any
    other one was chosen by a person and stays as it is.
    """
    if path.is_dir():
        if path in _own_folders():
            _close(path, FOLDER_MODE)
        return
    private_folder(path.parent)
    path.mkdir(mode=FOLDER_MODE, exist_ok=True)
    path.chmod(FOLDER_MODE)  # the umask may have taken even more


def private_file(path: Path) -> None:
    """Make `path` if it is missing, and close it to others; OSError when it cannot be made."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
    _close(path, FILE_MODE)


def write_private(path: Path, text: str) -> None:
    """Write `path` for its user alone; a crash leaves the old file or the new one, whole."""
    private_folder(path.parent)
    beside = path.with_name(path.name + ".new")
    beside.unlink(missing_ok=True)
    private_file(beside)
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _own_folders() -> tuple[Path, Path]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a system without a runtime folder
        return platformdirs.user_state_path("voxcard"), platformdirs.user_runtime_path("voxcard")


def _close(path: Path, mode: int) -> None:
    now = path.stat()
    if now.st_uid == os.geteuid() and stat.S_IMODE(now.st_mode) != mode:
        path.chmod(mode)
