"""Keeps a board in its Wi-Fi: one attempt at a time, each end with a sentence, never giving up.

The driver's own retries are off: they go on for ever without a word, and a `connect` beside them
is refused ("Wifi Internal State Error"). Hidden networks are joined like others: no scan comes
before, which would not name them.
"""

import asyncio
import time

import log
from voxwire.ticks import elapsed_ms

ATTEMPT_MS = 20000  # a router with many clients takes 10 s for an address
STALE_MS = 5000  # for so long the driver may still say why the attempt before it failed
PAUSE_MS, PAUSE_MAX_MS = 1000, 30000
RESTART_TIMES = 8  # attempts in vain after which the radio is switched off and on
POLL_MS = 100

IDLE, JOINING, JOINED = 0, 1, 2

_NO_NETWORK = "No Wi-Fi is set: deploy the device with one, or set it up."
# Names of the port's constants on WLAN or module network, and what they mean to a person.
REASONS = (
    ("STAT_WRONG_PASSWORD", "The Wi-Fi %s refuses the password: set it again."),
    ("STAT_HANDSHAKE_TIMEOUT", "The Wi-Fi %s refuses the password: set it again."),
    ("STAT_NO_AP_FOUND", "The Wi-Fi %s is not here: check its name, and that it has 2.4 GHz."),
    ("STAT_NO_AP_FOUND_IN_AUTHMODE_THRESHOLD", "The Wi-Fi %s is open or too old: use WPA2."),
    ("STAT_NO_AP_FOUND_W_COMPATIBLE_SECURITY", "The Wi-Fi %s needs WPA3 alone: allow WPA2."),
    ("STAT_CONNECT_FAIL", "The Wi-Fi %s takes no more devices now."),
)


def signal_of(rssi: int) -> str:
    """A received strength in dBm, in a word."""
    return "strong" if rssi > -60 else "medium" if rssi > -72 else "weak"


class Wifi:
    """hal.board.Network; `step` is called several times a second and does all the work.

    `wlan` is network.WLAN(IF_STA), `constants` the module network, `credentials` those of
    hal.credentials or None, and `on_joined()` is called before `connect` comes back.
    """

    def __init__(self, wlan, constants, credentials, on_joined, ticks_ms=time.ticks_ms,
                 sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._wlan, self._credentials, self._on_joined = wlan, credentials, on_joined
        self._ticks_ms, self._sleep_ms = ticks_ms, sleep_ms
        self._reasons = {}
        for name, sentence in REASONS:
            if hasattr(constants, name):
                self._reasons[getattr(constants, name)] = sentence
        self._state = IDLE
        self._since_ms = ticks_ms()
        self._pause_ms = 0
        self._failures = 0
        self.problem = "" if credentials else _NO_NETWORK
        if credentials:
            self._set_up(constants)

    def _set_up(self, constants):
        country, address = self._credentials.country, self._credentials.address
        if country:
            constants.country(country)
        self._wlan.active(True)
        # Power saving delays packets by up to a second: sound would stutter.
        self._wlan.config(pm=self._wlan.PM_NONE)
        self._wlan.config(reconnects=0)
        if address:
            self._wlan.ifconfig(address)

    async def connect(self):
        """Come back when joined; OSError with a sentence after an attempt in vain."""
        while self._state != JOINED:
            if self.problem:
                problem = self.problem
                if self._credentials:
                    self.problem = ""
                raise OSError(problem)
            await self._sleep_ms(POLL_MS)

    def status(self) -> dict:
        values = {"type": "wifi"}
        if self._state == JOINED:
            values["ssid"] = self._credentials.ssid
            try:
                values["signal"] = signal_of(self._wlan.status("rssi"))
            except OSError:
                pass  # lost this very moment
        return values

    def step(self):
        """One look at the radio."""
        if not self._credentials:
            return
        passed_ms = elapsed_ms(self._ticks_ms(), self._since_ms)
        if self._state == JOINED:
            if not self._wlan.isconnected():
                log.warning("wifi", "%s is lost" % self._credentials.ssid)
                self._enter(IDLE, 0)
        elif self._state == IDLE:
            if passed_ms >= self._pause_ms:
                self._join()
        elif self._wlan.isconnected():
            self._joined()
        elif passed_ms >= STALE_MS:
            status = self._wlan.status()
            if passed_ms >= ATTEMPT_MS or status in self._reasons:
                self._failed(status)

    def _enter(self, state, pause_ms):
        self._state, self._pause_ms = state, pause_ms
        self._since_ms = self._ticks_ms()

    def _join(self):
        self._enter(JOINING, 0)
        try:
            self._wlan.connect(self._credentials.ssid, self._credentials.password or None)
        except OSError as error:
            self._failed(error)

    def _joined(self):
        self._enter(JOINED, 0)
        self._failures = 0
        self.problem = ""
        log.info(
            "wifi", "joined %s, address %s" % (self._credentials.ssid, self._wlan.ifconfig()[0])
        )
        self._on_joined()

    def _failed(self, why):
        self._failures += 1
        sentence = self._reasons.get(why, "The Wi-Fi %%s cannot be joined (%s)." % why)
        self.problem = sentence % self._credentials.ssid
        log.warning("wifi", self.problem)
        self._leave()
        pause_ms = min(PAUSE_MS << min(self._failures - 1, 5), PAUSE_MAX_MS)
        self._enter(IDLE, pause_ms)

    def _leave(self):
        # The driver refuses the next connect until it was told to leave this one.
        try:
            self._wlan.disconnect()
            if self._failures % RESTART_TIMES == 0:
                self._wlan.active(False)
                self._wlan.active(True)
        except OSError as error:
            log.warning("wifi", "cannot be left (%s)" % error)
