"""Keeps the settings in one file that a power cut cannot spoil."""

import json
import os

import log
from voxwire.errors import WireError
from voxwire.json_text import loads

# On boards os.sync empties the file system's buffers; the unix port has none.
_sync = getattr(os, "sync", None)


def replace_file(path: str, data, as_text: bool = False) -> None:
    """Make the file at `path` hold the JSON of `data`, or the text; OSError leaves the old one."""
    new = path + ".new"
    try:
        with open(new, "w") as file:
            file.write(data) if as_text else json.dump(data, file)
    except OSError:
        _remove(new)  # half a file on a full flash is room for nothing
        raise
    if _sync is not None:
        _sync()
    # One step on littlefs and on a PC: a cut leaves the old file or the new one.
    os.rename(new, path)
    if _sync is not None:
        _sync()


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass  # it was never made, or the flash is gone


class Store:
    """The file at `path`; beside it `path.new` while writing, `path.bad` after a damage."""

    def __init__(self, path: str) -> None:
        self._path = path

    def load(self):
        """The stored JSON value, or None without one; WireError when it cannot be read.

        A file that cannot be read is `path.bad` from then on.
        """
        # FAT removes the old file before it renames the new one: a cut between leaves that alone.
        for path in (self._path, self._path + ".new"):
            try:
                with open(path, "rb") as file:
                    return loads(file.read(), "settings")
            except OSError:
                continue  # a new device, or one whose file was set aside
            except (WireError, MemoryError) as error:
                if path == self._path:
                    self._set_aside()
                    raise WireError(
                        "settings", getattr(error, "reason", "is larger than the memory")
                    )
        return None

    def replace(self, data) -> None:
        """Keep `data`, and the file as it was as `path.bad`: some of it was no good."""
        try:
            with open(self._path, "rb") as file, open(self._path + ".bad", "wb") as bad:
                bad.write(file.read())
            self.save(data)
        except OSError as error:
            log.error("store", "%s cannot be replaced (%s)" % (self._path, error))

    def save(self, data) -> None:
        """Replace the file by `data`; OSError leaves the old one as it was."""
        replace_file(self._path, data)

    def _set_aside(self) -> None:
        try:
            os.rename(self._path, self._path + ".bad")
        except OSError as error:
            log.error("store", "%s cannot be renamed (%s)" % (self._path, error))
