"""Keeps a board in its Wi-Fi: one attempt at a time, each end with a sentence, never giving up.

The driver's own retries are off: they go on for ever without a word, and a `connect` beside them
is refused ("Wifi Internal State Error"). Hidden networks are joined like others: no scan comes
before, which would not name them.
"""

import asyncio
import time
from collections import namedtuple

import log
from voxwire.ticks import elapsed_ms

ATTEMPT_MS = 20000  # a router with many clients takes 10 s for an address
STALE_MS = 5000  # for so long the driver may still say why the attempt before it failed
PAUSE_MS, PAUSE_MAX_MS = 1000, 30000
RESTART_TIMES = 8  # attempts in vain after which the radio is switched off and on
POLL_MS = 100
LOST_MS = 90000  # without a network: somebody should set it up

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


Credentials = namedtuple("Credentials", ("ssid", "password", "country", "address"))


def signal_of(rssi: int) -> str:
    """A received strength in dBm, in a word."""
    return "strong" if rssi > -60 else "medium" if rssi > -72 else "weak"


class Wifi:
    """hal.board.Network; `step` is called several times a second and does all the work.

    `wlan` is network.WLAN(IF_STA), `constants` the module network, `credentials` those that are
    stored (hal.credentials) or None, and `on_joined()` is called before `connect` comes back.
    """

    def __init__(self, wlan, constants, credentials, on_joined, ticks_ms=time.ticks_ms,
                 sleep_ms=asyncio.sleep_ms):  # fmt: skip
        self._wlan, self._constants, self._on_joined = wlan, constants, on_joined
        self._ticks_ms, self._sleep_ms = ticks_ms, sleep_ms
        self._reasons = {}
        for name, sentence in REASONS:
            if hasattr(constants, name):
                self._reasons[getattr(constants, name)] = sentence
        self._lost_ms = ticks_ms()
        self._state = IDLE
        self.use(credentials)

    def use(self, credentials):
        """Join with these from now on, not with those before; None: with none."""
        if self._state != IDLE:
            self._leave()
        self.credentials = credentials
        self._failures = 0
        self.problem = "" if credentials else _NO_NETWORK
        self._enter(IDLE, 0)
        if credentials:
            self._set_up()

    def _set_up(self):
        country, address = self.credentials.country, self.credentials.address
        if country:
            self._constants.country(country)
        self._wlan.active(True)
        self.save_power(False)
        self._wlan.config(reconnects=0)
        if address:
            self._wlan.ifconfig(address)

    def save_power(self, on):
        """Sleep between beacons, or never: that delays packets by up to a second."""
        self._wlan.config(pm=self._wlan.PM_PERFORMANCE if on else self._wlan.PM_NONE)

    @property
    def lost(self):
        """Whether it needs a person: there is no network to join, or none since LOST_MS."""
        if self._state == JOINED:
            return False
        return not self.credentials or elapsed_ms(self._ticks_ms(), self._lost_ms) >= LOST_MS

    async def connect(self):
        """Come back when joined; OSError with a sentence after the next attempt in vain."""
        failures = self._failures
        while self._state != JOINED:
            if not self.credentials or (self.problem and self._failures != failures):
                raise OSError(self.problem)
            await self._sleep_ms(POLL_MS)

    def status(self) -> dict:
        values = {"type": "wifi"}
        if self._state == JOINED:
            values["ssid"] = self.credentials.ssid
            try:
                values["signal"] = signal_of(self._wlan.status("rssi"))
            except OSError:
                pass  # lost this very moment
        return values

    def step(self):
        """One look at the radio."""
        if not self.credentials:
            return
        passed_ms = elapsed_ms(self._ticks_ms(), self._since_ms)
        if self._state == JOINED:
            if not self._wlan.isconnected():
                log.warning("wifi", "%s is lost" % self.credentials.ssid)
                self._lost_ms = self._ticks_ms()
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
            self._wlan.connect(self.credentials.ssid, self.credentials.password or None)
        except OSError as error:
            self._failed(error)

    def _joined(self):
        self._enter(JOINED, 0)
        self._failures = 0
        self.problem = ""
        log.info(
            "wifi", "joined %s, address %s" % (self.credentials.ssid, self._wlan.ifconfig()[0])
        )
        self._on_joined()

    def _failed(self, why):
        self._failures += 1
        sentence = self._reasons.get(why, "The Wi-Fi %%s cannot be joined (%s)." % why)
        self.problem = sentence % self.credentials.ssid
        log.warning("wifi", self.problem)
        self._leave()
        pause_ms = min(PAUSE_MS << min(self._failures - 1, 5), PAUSE_MAX_MS)
        self._enter(IDLE, pause_ms)

    def _leave(self):
        # The driver refuses the next connect until it was told to leave this one.
        try:
            self._wlan.disconnect()
            if self._failures and self._failures % RESTART_TIMES == 0:
                self._wlan.active(False)
                self._wlan.active(True)
        except OSError as error:
            log.warning("wifi", "cannot be left (%s)" % error)
