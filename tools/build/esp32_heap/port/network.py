"""The port's module network: a Wi-Fi that is there, and one of the board's own."""

STAT_IDLE, STAT_CONNECTING, STAT_GOT_IP = 1000, 1001, 1010
STAT_WRONG_PASSWORD, STAT_NO_AP_FOUND, STAT_HANDSHAKE_TIMEOUT = 202, 201, 204
STAT_CONNECT_FAIL = 203
AUTH_WPA2_PSK = 3


def country(code):
    pass


class _Station:
    PM_NONE, PM_PERFORMANCE, PM_POWERSAVE = 0, 1, 2

    def active(self, on):
        pass

    def config(self, **_):
        pass

    def connect(self, ssid, password):
        pass

    def disconnect(self):
        pass

    def isconnected(self):
        return True

    def ifconfig(self):
        return ("127.0.0.1", "255.0.0.0", "127.0.0.1", "127.0.0.1")

    def scan(self):
        return []

    def status(self, name=None):
        if name == "stations":
            return []
        return -55 if name else STAT_GOT_IP


class WLAN(_Station):
    IF_STA, IF_AP = 0, 1

    def __new__(cls, interface):
        return _station


_station = object.__new__(_Station)
