"""The Wi-Fi of a board's own, by which a phone sets it up; made when that is needed."""

import network

from hal import credentials

# Allowed everywhere; where the strongest network is there, the phone keeps its connection
# when the board joins that network: it has one radio.
_CHANNELS = 11
_STATIONS = 4


class AccessPoint:
    """hal.board.AccessPoint over the port's second interface."""

    address, ports = "192.168.4.1", (80, 53)  # the address is the port's own

    def __init__(self):
        self.ssid, self.password = credentials.setup_ssid(), credentials.setup_password()
        self._wlan = network.WLAN(network.WLAN.IF_AP)
        self._channel = 1

    def scan(self):
        """[(name, dBm, whether it is open)], the strongest first; blocks for two seconds.

        The station must not be joining at the time: then there are none.
        """
        found = {}
        try:
            station = network.WLAN(network.WLAN.IF_STA)
            station.active(True)
            rows = station.scan()
        except OSError:
            return []
        strongest = -1000
        for ssid, _, channel, rssi, security, _ in rows:
            if rssi > strongest and channel <= _CHANNELS:
                strongest, self._channel = rssi, channel
            try:
                name = str(ssid, "utf-8")
            except UnicodeError:
                continue
            if name and rssi > found.get(name, (-1000,))[0]:
                found[name] = (rssi, security == 0)
        names = sorted(found, key=lambda name: -found[name][0])
        return [(name,) + found[name] for name in names]

    def open(self):
        """Let phones in; OSError where the radio refuses."""
        try:
            self._configure()  # so it is never open to all
        except OSError:
            pass  # before it is active it may refuse
        self._wlan.active(True)
        self._configure()

    def _configure(self):
        self._wlan.config(
            ssid=self.ssid, security=network.AUTH_WPA2_PSK, key=self.password,
            channel=self._channel, max_clients=_STATIONS,
        )  # fmt: skip

    def close(self):
        """Send everybody away."""
        self._wlan.active(False)

    def stations(self) -> int:
        """How many phones are there."""
        return len(self._wlan.status("stations"))

    def keep(self, known):
        """Store the credentials of another network for the next start."""
        credentials.save(known.ssid, known.password, known.country, known.address)
