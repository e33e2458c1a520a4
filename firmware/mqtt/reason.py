"""Why there is no connection to the broker, as a sentence for the person who can change it."""

import errno

from voxwire.errors import WireError

# Two devices of one id take the connection from each other, each after its pause.
TAKEN_MS = 60000  # a connection that the broker ended before may have been taken
TAKEN_TIMES = 3  # so many of them in a row are no chance

# mbedtls' codes are far below the errno numbers.
_TLS_BELOW = -1000


class RefusedError(Exception):
    """The broker answered CONNECT with a refusal; the sentence is the argument."""


def was_reset(why) -> bool:
    """Whether the other side ended the connection."""
    return isinstance(why, OSError) and why.errno == errno.ECONNRESET


def taken(client_id: str) -> str:
    """The broker has ended TAKEN_TIMES connections soon: most often it had a newer one."""
    text = "Another device may use the id %s: the broker ends every connection soon."
    return text % client_id + " Give one of them another id."


def hung_up(host: str, port: int, user: "str | None") -> str:
    """Some brokers (rumqttd) end the connection where others answer with a code."""
    text = (
        "The broker at %s:%d hung up on user %r: check the user name, the password and the port."
    )
    return text % (host, port, user or "(none)")


def sentence(why, host: str, port: int, tls: bool) -> str:
    """`why` is what ended a connection: an exception, or a sentence already."""
    if isinstance(why, str):
        return why
    if isinstance(why, RefusedError):
        return why.args[0]
    if "/" in host or host.count(":") == 1:
        return "The host %s must be a name or an address alone: set it again." % host
    where = "%s:%d" % (host, port)
    if isinstance(why, WireError):
        return "What %s sends is not MQTT (%s): check host and port." % (where, why)
    code = why.errno if isinstance(why, OSError) else None
    # A certificate that is refused by its form is a ValueError.
    if tls and (code is None or code < _TLS_BELOW):
        text = "TLS with %s failed (%s): check the broker's certificate and this clock."
        return text % (where, why.args[-1] if why.args else why)
    name = errno.errorcode.get(code, str(why if code is None else code))
    return "No connection to the broker at %s (%s): check that it runs." % (where, name)
