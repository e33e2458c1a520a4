"""Why there is no connection to the broker, as a sentence for the person who can change it."""

import errno

from voxwire.errors import WireError

# mbedtls' codes are far below the errno numbers.
_TLS_BELOW = -1000


class RefusedError(Exception):
    """The broker answered CONNECT with a refusal; the sentence is the argument."""


def was_reset(why) -> bool:
    """Whether the other side ended the connection."""
    return isinstance(why, OSError) and why.errno == errno.ECONNRESET


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
