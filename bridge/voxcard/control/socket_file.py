"""Socket file of the control server, and the lock file beside it."""

import fcntl
import os
import socket as sockets
from pathlib import Path
from typing import IO

from voxcard.errors import VoxcardError
from voxcard.private_files import FILE_MODE, private_file


def lock(path: Path) -> IO[str]:
    """Take the lock beside the socket; the kernel releases it with the process."""
    lock_path = path.with_name(path.name + ".lock")
    private_file(lock_path)
    lock_file = lock_path.open("w")
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock_file.close()
        remedy = "Stop it first, or give this one its own [control] socket."
        raise VoxcardError(f"Another bridge is running on {path}.", remedy) from error
    return lock_file


def bind(path: Path) -> sockets.socket:
    """A socket at `path` that only this user can connect to; the lock is held."""
    if path.is_socket():
        path.unlink()  # of a bridge that died
    listening = sockets.socket(sockets.AF_UNIX)
    try:
        listening.bind(os.fspath(path))
        path.chmod(FILE_MODE)  # before listen, so nobody else ever gets in
    except OSError:
        listening.close()
        raise
    return listening
