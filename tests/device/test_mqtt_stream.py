"""Opening a stream to a broker, and what is no certificate."""

from mqtt.stream import connect, no_delay, tls_context

PEM = b"""-----BEGIN CERTIFICATE-----
%s
-----END CERTIFICATE-----
"""


def refused(ca):
    try:
        tls_context(ca)
    except ValueError:
        return True
    return False


def test_bytes_that_are_no_certificate_are_a_value_error():
    for ca in (b"", b"certificate", PEM % b"AAAA", PEM % b"?", PEM % b"", b"\x30\x03abc"):
        assert refused(ca), ca


async def test_a_port_nobody_listens_on_fails_at_the_connection_or_the_first_write():
    stream = None
    try:
        stream = await connect("127.0.0.1", 1)
        stream.write(b"x")
    except OSError as error:
        assert error.errno in (111, 104, 32)
    else:
        raise AssertionError("somebody listens on port 1")
    finally:
        if stream is not None:
            stream.close()


def test_a_stream_without_socket_options_is_left_as_it_is():
    no_delay(object())
