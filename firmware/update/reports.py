"""What the bridge is told of updates, once for each, when there is a session."""

import log

_WAITING_MAX = 4  # that wait for a session


class Reports:
    """Posts over `link`; `journal` keeps what came of the last update, and that it was told."""

    def __init__(self, journal, link):
        self._journal, self._link = journal, link
        self._waiting = []  # (serial, state, reason)

    def __len__(self):
        return len(self._waiting)

    def end(self, serial: int, state: str, reason: str) -> None:
        """What came of an update: kept, and told."""
        log.info("update", "%d: %s %s" % (serial, state, reason))
        try:
            self._journal.end(serial, state, reason)
        except OSError as error:
            log.error("update", "the outcome cannot be kept (%s)" % error)
        self.add(serial, state, reason)

    def repeat(self) -> None:
        """Tell what came of the last one."""
        last = self._journal.last
        self.add(last["serial"], last["state"], last["reason"])

    def add(self, serial: int, state: str, reason: str) -> None:
        """Tell this; of too many, the oldest are left out."""
        report = (serial, state, reason)
        if report not in self._waiting:
            self._waiting.append(report)
            del self._waiting[:-_WAITING_MAX]

    def flush(self) -> None:
        """Post what waits, where there is a session."""
        while self._waiting and self._link.session_id is not None:
            serial, state, reason = self._waiting[0]
            if not self._link.post("update", serial=serial, state=state, reason=reason or None):
                break
            del self._waiting[0]
            last = self._journal.last
            if (serial, state) == (last["serial"], last["state"]):
                self._told()

    def _told(self) -> None:
        try:
            self._journal.told()
        except OSError as error:
            log.warning("update", "it is told once more (%s)" % error)
