"""Why there is no connection to the broker, as a sentence for the person who can change it."""

import errno

from voxwire.errors import WireError

# How far a connection came: CONNECT was not out yet, it was out, the broker had accepted it.
OPENING, ASKED, ACCEPTED = 0, 1, 2

# Two devices of one id take the connection from each other, each after its pause.
TAKEN_MS = 60000  # a connection that the broker ended before may have been taken
TAKEN_TIMES = 3  # so many of them in a row are no chance

# mbedtls' codes are far below the errno numbers.
_TLS_BELOW = -1000

_HUNG_UP = "The broker at %s hung up on user %r: check the user name, the password and the port."
_TAKEN = (
    "Another device may use the id %s: the broker ends every connection soon."
    " Give one of them another id."
)


class RefusedError(Exception):
    """The broker answered CONNECT with a refusal; the sentence is the argument."""


class Reasons:
    """Why the connections of one client ended, one after the other."""

    def __init__(self, host: str, port: int, tls: bool, user: "str | None", client_id: str):
        self._where = "%s:%d" % (host, port)
        self._tls, self._user, self._client_id = tls, user, client_id
        self._taken = 0  # connections in a row that may have been taken

    def of(self, why, stage: int, lived_ms: int) -> str:
        """`why` is what ended a connection: an exception, or a sentence already.

        `lived_ms` counts from when the broker had accepted it.
        """
        reset = isinstance(why, OSError) and why.errno == errno.ECONNRESET
        if stage != ACCEPTED or not reset or lived_ms >= TAKEN_MS:
            self._taken = 0
        else:
            self._taken += 1
            if self._taken >= TAKEN_TIMES:
                return _TAKEN % self._client_id
        # Some brokers (rumqttd) end the connection where others answer with a code. Before
        # CONNECT is out a reset is a port that nobody listens on.
        if stage == ASKED and reset:
            return _HUNG_UP % (self._where, self._user or "(none)")
        return self._sentence(why)

    def _sentence(self, why) -> str:
        if isinstance(why, str):
            return why
        if isinstance(why, RefusedError):
            return why.args[0]
        if isinstance(why, WireError):
            return "What %s sends is not MQTT (%s): check host and port." % (self._where, why)
        code = why.errno if isinstance(why, OSError) else None
        # A certificate that is refused by its form is a ValueError.
        if self._tls and (code is None or code < _TLS_BELOW):
            text = "TLS with %s failed (%s): check the broker's certificate and this clock."
            return text % (self._where, why.args[-1] if why.args else why)
        name = errno.errorcode.get(code, str(why if code is None else code))
        return "No connection to the broker at %s (%s): check that it runs." % (self._where, name)
