"""What an update remembers over restarts, in three files of the root, each replaced in one step.

/slot names the slot that is confirmed. /trial holds the one on trial: its slot, the starts it has
left, serial and digest; firmware/launcher.py counts them. /update.json holds the last offer that
was taken: its serial, its state, why, whether the bridge was told, and how far an image has come.
"""

import json
import os

import log
from store import replace_file

_PATH, _TRIAL, _SLOT = "/update.json", "/trial", "/slot"
_NEVER = {"serial": 0, "state": "", "reason": "", "told": True, "at": 0}


class Journal:
    """The files below `root`. OSError where one cannot be written: it is as it was then."""

    def __init__(self, root: str) -> None:
        self._root = root
        last = self._read(_PATH)
        self.last = last if _is_legal(last) else dict(_NEVER)

    def take(self, serial: int) -> None:
        """An offer is taken: it goes on after a restart."""
        self._write({"serial": serial, "state": "fetch"})

    def end(self, serial: int, state: str, reason: str, told: bool = False) -> None:
        """It has this outcome, of which the bridge is to be told."""
        self._write({"serial": serial, "state": state, "reason": reason, "told": told})

    def told(self) -> None:
        """The bridge knows the outcome."""
        if not self.last["told"]:
            self._write(dict(self.last, told=True))

    def reached(self, at: int) -> None:
        """So many bytes of the image are on the flash."""
        self._write(dict(self.last, at=at))

    def trial(self):
        """The release on trial: {slot, tries, serial, digest}; None without one."""
        values = self._read(_TRIAL)
        for name, kind in (("slot", str), ("tries", int), ("serial", int), ("digest", str)):
            if not isinstance(values.get(name), kind):
                return None
        return values

    def begin_trial(self, slot: str, tries: int, serial: int, digest: str) -> None:
        """This slot is started next, so many times."""
        values = {"slot": slot, "tries": tries, "serial": serial, "digest": digest}
        replace_file(self._root + _TRIAL, values)

    def end_trial(self) -> None:
        """What /slot names is started next."""
        try:
            os.remove(self._root + _TRIAL)
        except OSError as error:
            log.warning("update", "/trial cannot be removed (%s)" % error)

    def slot(self) -> str:
        """The confirmed slot, "" where none is named."""
        try:
            with open(self._root + _SLOT) as file:
                return file.read()
        except OSError:
            return ""

    def confirm(self, slot: str) -> None:
        """This slot is started from now on."""
        replace_file(self._root + _SLOT, slot, as_text=True)

    def _read(self, path: str) -> dict:
        try:
            with open(self._root + path) as file:
                values = json.load(file)
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}

    def _write(self, values: dict) -> None:
        last = dict(_NEVER)
        last.update(values)
        replace_file(self._root + _PATH, last)
        self.last = last


def _is_legal(values: dict) -> bool:
    """Whether it is what `Journal` writes."""
    for name in _NEVER:
        if type(values.get(name)) is not type(_NEVER[name]):
            return False
    return values["state"] in ("fetch", "refused", "confirmed", "fell_back")
