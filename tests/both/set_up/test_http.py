"""Requests of real phones and of who means harm."""

from provisioning.portal.http import BODY_MAX, HttpError, form, head, request

IPHONE = (
    b"GET /hotspot-detect.html HTTP/1.0\r\nHost: captive.apple.com\r\nConnection: close\r\n"
    b"User-Agent: CaptiveNetworkSupport-443.40.2 wispr"
)
ANDROID = (
    b"GET /generate_204 HTTP/1.1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
    b"Host: connectivitycheck.gstatic.com\r\nConnection: Keep-Alive\r\nAccept-Encoding: gzip"
)
POST = (
    b"POST / HTTP/1.1\r\nhOsT:  192.168.4.1\r\nContent-Length: 11\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://192.168.4.1"
)


def status(read, data):
    try:
        read(data)
    except HttpError as error:
        return error.status
    raise AssertionError("it was taken")


def test_probes_of_phones_are_read():
    assert request(IPHONE)[:3] == ("GET", "/hotspot-detect.html", "captive.apple.com")
    assert request(ANDROID)[:3] == ("GET", "/generate_204", "connectivitycheck.gstatic.com")


def test_a_form_is_announced_with_its_length_and_its_origin():
    assert request(POST) == ("POST", "/", "192.168.4.1", "http://192.168.4.1", 11)


def test_a_query_is_no_part_of_the_path():
    assert request(b"GET /redirect?x=1 HTTP/1.1")[1] == "/redirect"


def test_what_is_no_request_is_refused():
    for data in (
        b"", b"GET", b"GET /", b"GET / SPDY/3", b"GET  / HTTP/1.1", b"\x16\x03\x01\x02\x00",
        b"GET /\xff HTTP/1.1", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b",
        b"POST / HTTP/1.1\r\nContent-Length: -1", b"POST / HTTP/1.1\r\nContent-Length: 1e3",
        b"POST / HTTP/1.1\r\nContent-Length: 12345678",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked",
        b"GET / HTTP/1.1\r\nHost: a b",
    ):  # fmt: skip
        assert status(request, data) == 400, data


def test_a_body_that_is_too_large_is_refused_before_it_comes():
    data = b"POST / HTTP/1.1\r\nContent-Length: %d" % (BODY_MAX + 1)
    assert status(request, data) == 413


def test_fields_are_decoded():
    assert form(b"ssid=Caf%C3%A9+%2B1&secret=a%26b%3Dc&empty=&flag") == {
        "ssid": "Café +1", "secret": "a&b=c", "empty": "", "flag": "",
    }  # fmt: skip
    assert form(b"") == {}


def test_broken_fields_are_refused():
    for body in (b"a=%", b"a=%4", b"a=%zz", b"a=%+1", b"a=% 1", b"a=%ff", b"%80=a"):
        assert status(form, body) == 400, body
    assert status(form, b"a=1&" * 30) == 413


def test_the_head_of_an_answer():
    assert head(302, ("Location: http://192.168.4.1/",)) == (
        b"HTTP/1.1 302 Found\r\nLocation: http://192.168.4.1/\r\nConnection: close\r\n"
        b"Cache-Control: no-store\r\n\r\n"
    )
