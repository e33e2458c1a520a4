"""Keeps the settings in one file that a power cut cannot spoil."""

import json
import os

import log

# On boards os.sync empties the file system's buffers; the unix port has none.
_sync = getattr(os, "sync", None)


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
        """The stored JSON value, or None when there is none that can be read."""
        try:
            with open(self._path) as file:
                return json.load(file)
        except OSError:
            return None  # a new device, or one whose file was set aside
        except (ValueError, RuntimeError, MemoryError) as error:
            log.error("store", "%s is damaged (%s): kept as .bad" % (self._path, error))
            self._set_aside()
            return None

    def save(self, data) -> None:
        """Replace the file by `data`; OSError leaves the old one as it was."""
        new = self._path + ".new"
        try:
            with open(new, "w") as file:
                json.dump(data, file)
        except OSError:
            _remove(new)  # half a file on a full flash is room for nothing
            raise
        if _sync is not None:
            _sync()
        # One step on littlefs and on a PC: a cut leaves the old file or the new one.
        os.rename(new, self._path)
        if _sync is not None:
            _sync()

    def _set_aside(self) -> None:
        try:
            os.rename(self._path, self._path + ".bad")
        except OSError as error:
            log.error("store", "%s cannot be renamed (%s)" % (self._path, error))
