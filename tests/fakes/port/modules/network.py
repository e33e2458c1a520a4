"""The port's module network by ports/esp32/network_wlan.c: a station, an access point, the air."""

from fakes.port import clock

STAT_IDLE, STAT_CONNECTING, STAT_GOT_IP = 1000, 1001, 1010
STAT_WRONG_PASSWORD, STAT_NO_AP_FOUND, STAT_HANDSHAKE_TIMEOUT = 202, 201, 204
STAT_CONNECT_FAIL = 203
AUTH_OPEN, AUTH_WPA2_PSK = 0, 3
JOIN_MS = 2000
SCAN_MS = 2000  # it looks at 13 channels; nothing else runs meanwhile

_country = ["XX"]


def country(code=None):
    if code is None:
        return _country[0]
    assert len(code) == 2
    _country[0] = code
    return None


class WLAN:
    """One of the two interfaces. `air` is {ssid: password}; a hidden network is joined as others.

    The state of the station is the class's, that of the access point is AccessPoint's.
    """

    IF_STA, IF_AP = 0, 1
    PM_NONE, PM_PERFORMANCE, PM_POWERSAVE = 0, 1, 2
    air = {}
    strengths = {}  # {ssid: (channel, dBm)} where it is not channel 6 at -55
    settings = {}
    attempts = []  # (ssid, password)
    address = None
    _active = False
    _status = STAT_IDLE
    _due_us = None
    _target = None

    def __new__(cls, interface):
        return object.__new__(AccessPoint if interface == WLAN.IF_AP else WLAN)

    def __init__(self, interface):
        pass

    def active(self, on=None):
        if on is None:
            return WLAN._active
        if not on:
            WLAN._status, WLAN._due_us = STAT_IDLE, None
        WLAN._active = on
        return None

    def config(self, **settings):
        WLAN.settings.update(settings)

    def ifconfig(self, address=None):
        if address is None:
            return WLAN.address or ("192.168.1.23", "255.255.255.0", "192.168.1.1", "192.168.1.1")
        assert len(address) == 4
        WLAN.address = address
        return None

    def connect(self, ssid, password=None):
        if not WLAN._active:
            raise OSError("Wifi Not Started")
        if WLAN._due_us is not None:
            raise OSError("Wifi Internal State Error")  # it tries already
        WLAN.attempts.append((ssid, password))
        WLAN._target = (ssid, password)
        if WLAN._status not in (STAT_NO_AP_FOUND, STAT_WRONG_PASSWORD):
            WLAN._status = STAT_CONNECTING
        WLAN._due_us = clock.now_us() + JOIN_MS * 1000

    def disconnect(self):
        # Only an event of the driver's changes the reason that `status` gives, and without a
        # connection none comes: what it said of the last attempt it says until the next ends.
        WLAN._due_us = None
        if WLAN._status in (STAT_GOT_IP, STAT_CONNECTING):
            WLAN._status = STAT_IDLE

    def _settle(self):
        if WLAN._due_us is None or clock.now_us() < WLAN._due_us:
            return
        ssid, password = WLAN._target
        # In vain, the driver goes on by itself unless it was told not to.
        again_us = None if WLAN.settings.get("reconnects") == 0 else clock.now_us()
        if ssid not in WLAN.air:
            WLAN._status, WLAN._due_us = STAT_NO_AP_FOUND, again_us
        elif WLAN.air[ssid] != password:
            WLAN._status, WLAN._due_us = STAT_WRONG_PASSWORD, again_us
        else:
            WLAN._status, WLAN._due_us = STAT_GOT_IP, None

    def scan(self):
        if not WLAN._active:
            raise OSError("STA must be active")
        if WLAN._due_us is not None:
            raise OSError("Wifi Internal State Error")  # esp_wifi_scan_start while it joins
        clock.block(SCAN_MS * 1000)
        rows = []
        for ssid, password in WLAN.air.items():
            channel, rssi = WLAN.strengths.get(ssid, (6, -55))
            security = AUTH_WPA2_PSK if password else AUTH_OPEN
            name = ssid if isinstance(ssid, bytes) else ssid.encode()
            rows.append((name, bytes(6), channel, rssi, security, False))
        return rows

    def isconnected(self):
        self._settle()
        if WLAN._status == STAT_GOT_IP and WLAN._target[0] not in WLAN.air:
            WLAN._status = 200  # WIFI_REASON_BEACON_TIMEOUT
        return WLAN._status == STAT_GOT_IP

    def status(self, name=None):
        if name == "rssi":
            return -55
        self._settle()
        return WLAN._status


class AccessPoint:
    """The interface IF_AP: what it is set to, who is there."""

    settings = {}
    open_to_all = False  # whether it ever was active without a password
    phones = []
    _active = False

    def __init__(self, interface):
        pass

    def active(self, on=None):
        if on is None:
            return AccessPoint._active
        AccessPoint._active = on
        if not on:
            AccessPoint.phones.clear()
        elif AccessPoint.settings.get("security") != AUTH_WPA2_PSK:
            AccessPoint.open_to_all = True
        return None

    def config(self, **settings):
        key = settings.get("key", "12345678")
        assert 8 <= len(key) <= 63 and 1 <= settings.get("channel", 1) <= 13
        AccessPoint.settings.update(settings)

    def status(self, name):
        assert name == "stations"
        return [(phone,) for phone in AccessPoint.phones] if AccessPoint._active else []
