"""Why there is no connection to the broker, as a sentence for the person who can change it."""

import errno

from voxwire.errors import WireError

from mqtt import packet
from mqtt.timing import GREETING, SUBSCRIBING

# Two devices of one id take the connection from each other, each after its pause.
TAKEN_MS = 60000  # a connection that the broker ended before may have been taken
TAKEN_TIMES = 3  # so many of them in a row are no chance

# mbedtls' codes are far below the errno numbers.
_TLS_BELOW = -1000


class Reasons:
    """Puts the ends of a client's connections into sentences; `user` None or "": without one.

    `taken` is how many connections in a row may have been taken by another device.
    """

    def __init__(self, client_id: str, host: str, port: int, user: "str | None", tls: bool,
                 taken: int = 0):  # fmt: skip
        self._client_id, self._user = client_id, user
        self.host, self.port, self._tls = host, port, tls
        self.taken = taken

    def sentence(self, why: BaseException, phase: int, lived_ms: int) -> str:
        """Why a connection ended that came as far as `phase` (module timing)."""
        reset = isinstance(why, OSError) and why.errno == errno.ECONNRESET
        soon = phase >= SUBSCRIBING and reset and lived_ms < TAKEN_MS
        self.taken = self.taken + 1 if soon else 0
        if self.taken >= TAKEN_TIMES:
            # Most often it had a newer one.
            text = "Another device may use the id %s: the broker ends every connection soon."
            return text % self._client_id + " Give one of them another id."
        if isinstance(why, packet.RefusedError):
            return packet.refusal(why.args[0], self._client_id, self._user)
        if isinstance(why, OSError) and why.errno == errno.ETIMEDOUT:
            any_more = "" if phase <= SUBSCRIBING else " any more"
            return "The broker at %s does not answer%s: check it." % (self.host, any_more)
        return self._hung_up() if reset and phase == GREETING else self._failed(why)

    def _hung_up(self) -> str:
        # Some brokers (rumqttd) end the connection where others answer with a code.
        text = "The broker at %s:%d hung up on user %r:"
        text += " check the user name, the password and the port."
        return text % (self.host, self.port, self._user or "(none)")

    def _failed(self, why: BaseException) -> str:
        host = self.host
        if "/" in host or host.count(":") == 1:
            return "The host %s must be a name or an address alone: set it again." % host
        where = "%s:%d" % (host, self.port)
        if isinstance(why, WireError):
            return "What %s sends is not MQTT (%s): check host and port." % (where, why)
        code = why.errno if isinstance(why, OSError) else None
        # A certificate that is refused by its form is a ValueError.
        if self._tls and (code is None or code < _TLS_BELOW):
            text = "TLS with %s failed (%s): check the broker's certificate and this clock."
            return text % (where, why.args[-1] if why.args else why)
        name = str(why) if code is None else errno.errorcode.get(code, str(code))
        return "No connection to the broker at %s (%s): check that it runs." % (where, name)
