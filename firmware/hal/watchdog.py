"""Restarts a board whose program hangs; once started it cannot be stopped, only made patient."""

from machine import WDT

# Longer than any wait of the port itself: a name under .local (5 s), a TLS handshake (4 s on an
# ESP32), a sector of flash that is erased.
TIMEOUT_MS = 30000
PATIENT_MS = 3600000

_watchdog = []


def feed() -> None:
    """The program lives; the first call starts the watchdog."""
    if not _watchdog:
        _watchdog.append(WDT(timeout=TIMEOUT_MS))
    _watchdog[0].feed()


def release() -> None:
    """A person has the prompt: leave the board alone for an hour. The next feed ends that."""
    if _watchdog:
        WDT(timeout=PATIENT_MS).feed()
        del _watchdog[0]
