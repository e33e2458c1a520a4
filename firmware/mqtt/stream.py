"""Opens the TCP or TLS stream to a broker without blocking the loop."""

import binascii
import errno
import socket
from asyncio import core

try:
    import tls as tls_module  # what `ssl` wraps; not every build has that
except ImportError:
    tls_module = None

_BEGIN = b"-----BEGIN CERTIFICATE-----"


def tls_context(ca: bytes):
    """A TLS client context that trusts the certificates in `ca` (PEM, or one in DER) alone.

    Raises ValueError for bytes that are no certificate, and on a board without TLS. The clock must
    be right: the certificate's dates are checked.
    """
    if tls_module is None:
        raise ValueError("this MicroPython is built without TLS")
    context = tls_module.SSLContext(tls_module.PROTOCOL_TLS_CLIENT)
    context.verify_mode = tls_module.CERT_REQUIRED
    # Not every build of mbedtls reads PEM.
    for certificate in _from_pem(ca) if _BEGIN in ca else (ca,):
        context.load_verify_locations(certificate)
    return context


def _from_pem(ca: bytes):
    for part in ca.split(_BEGIN)[1:]:
        body = part.split(b"-----")[0]
        yield binascii.a2b_base64(body.replace(b"\n", b"").replace(b"\r", b""))


async def connect(host: str, port: int, tls=None):
    """A non-blocking stream (readinto, write, close); OSError or ValueError when it fails.

    Has no limit of its own. Only the name look-up blocks: the platform has no other.
    """
    address = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)[0]
    raw = socket.socket(address[0], address[1], address[2])
    stream = raw
    try:
        raw.setblocking(False)
        no_delay(raw)
        try:
            raw.connect(address[-1])
        except OSError as error:
            if error.errno != errno.EINPROGRESS:
                raise
        yield core._io_queue.queue_write(raw)
        if tls is not None:
            stream = tls.wrap_socket(raw, server_hostname=host, do_handshake_on_connect=False)
            stream.setblocking(False)
    except BaseException:
        raw.close()
        raise
    return stream


def no_delay(stream) -> None:
    """TCP_NODELAY: without it a frame may wait 40 ms for the acknowledgement of the one before."""
    try:
        stream.setsockopt(6, 1, 1)  # the unix port has no names for these numbers
    except (OSError, AttributeError):
        pass
