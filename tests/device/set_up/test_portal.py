"""The portal by real sockets: probes of phones by their real texts, its page, whom it refuses."""

import asyncio
import socket
import time

from fakes.device.setup import HERE, FakePoint, free_ports, get, parts, post, raw, token
from provisioning.portal import server as portal
from provisioning.portal.page import Content

TOKEN = "00112233"

# As phones and computers send them.
PROBES = {
    "ios": b"GET /hotspot-detect.html HTTP/1.0\r\nHost: captive.apple.com\r\nConnection: close\r\n"
    b"User-Agent: CaptiveNetworkSupport-443.40.2 wispr\r\n\r\n",
    "android": b"GET /generate_204 HTTP/1.1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)"
    b" AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112.32 Safari/537.36\r\n"
    b"Host: connectivitycheck.gstatic.com\r\nConnection: Keep-Alive\r\n"
    b"Accept-Encoding: gzip\r\n\r\n",
    "windows": b"GET /connecttest.txt HTTP/1.1\r\nConnection: Close\r\n"
    b"User-Agent: Microsoft NCSI\r\nHost: www.msftconnecttest.com\r\n\r\n",
    "old windows": b"GET /ncsi.txt HTTP/1.1\r\nConnection: Close\r\nUser-Agent: Microsoft NCSI\r\n"
    b"Host: www.msftncsi.com\r\n\r\n",
    "firefox": b"GET /canonical.html HTTP/1.1\r\nHost: detectportal.firefox.com\r\n"
    b"Cache-Control: no-cache\r\n\r\n",
    "by address": b"GET /generate_204 HTTP/1.1\r\nHost: 192.168.4.1\r\n\r\n",
    "without a host": b"GET /success.txt HTTP/1.0\r\n\r\n",
}


class Guide:
    def __init__(self):
        self.sent = []
        self.times = 0

    def content(self):
        return Content("Kitchen", [("home", "strong", False)], {}, {}, TOKEN, "", "")

    def seen(self):
        self.times += 1

    def submit(self, fields):
        self.sent.append(fields)


class Served:
    """A portal that runs."""

    def __init__(self):
        self.guide = Guide()
        self.ports = free_ports()
        point = FakePoint()
        point.ports = self.ports
        self.portal = portal.Portal(self.guide, point, TOKEN, time.ticks_ms)

    async def __aenter__(self):
        tasks = self.portal.serve_page, self.portal.answer_names
        self._tasks = [asyncio.create_task(each()) for each in tasks]
        await asyncio.sleep_ms(20)
        return self

    async def __aexit__(self, *_):
        for task in self._tasks:
            task.cancel()
        await asyncio.sleep_ms(0)


async def test_every_probe_is_led_to_the_page():
    async with Served() as served:
        site = "%s:%d" % (HERE, served.ports[0])
        for name in PROBES:
            status, head, body = parts(await raw(served.ports[0], PROBES[name]))
            assert status == 302 and body == "", name
            assert "\r\nLocation: http://%s/\r\n" % site in head, name
        assert served.guide.times == 0


async def test_the_page_comes_whole_and_is_kept_nowhere():
    async with Served() as served:
        status, head, body = await get(served.ports[0])
        assert status == 200 and "Cache-Control: no-store" in head
        assert "Content-Security-Policy: default-src 'none'" in head
        assert body.startswith("<!doctype html>") and body.endswith("</html>")
        assert token(body) == TOKEN
        assert served.guide.times == 1
        status, _, body = await get(served.ports[0], method="HEAD")
        assert (status, body) == (200, "")


async def test_a_form_of_the_page_is_passed_on_and_leads_back_to_the_page():
    async with Served() as served:
        origin = "http://%s:%d" % (HERE, served.ports[0])
        status, head, _ = await post(
            served.ports[0], {"token": TOKEN, "ssid": "Küche", "secret": "a&b=c+"}, origin=origin
        )
        assert status == 303 and "Location: %s/" % origin in head
        assert served.guide.sent == [{"token": TOKEN, "ssid": "Küche", "secret": "a&b=c+"}]


async def test_forms_of_other_pages_are_refused():
    async with Served() as served:
        port = served.ports[0]
        # Another page knows no token; under a name that leads here, its own script could read one.
        assert (await post(port, {"ssid": "x"}))[0] == 403
        assert (await post(port, {"token": TOKEN}, host="captive.apple.com"))[0] == 403
        assert (await post(port, {"token": TOKEN}, origin="http://evil.example"))[0] == 403
        assert (await post(port, {"token": TOKEN}, origin="null"))[0] == 403
        assert served.guide.sent == []


async def test_the_page_is_shown_under_its_address_alone():
    async with Served() as served:
        assert (await get(served.ports[0], host="evil.example"))[0] == 302
        assert (await get(served.ports[0], "/favicon.ico"))[0] == 404
        assert served.guide.times == 0


async def test_what_is_too_large_or_no_http_is_refused():
    async with Served() as served:
        port = served.ports[0]
        assert parts(await raw(port, b"\x16\x03\x01\x00\xa5\r\n\r\n"))[0] == 400
        assert parts(await raw(port, b"PUT / HTTP/1.1\r\n\r\n"))[0] == 405
        assert parts(await raw(port, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 700))[0] == 431
        large = b"POST / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n"
        assert parts(await raw(port, large))[0] == 413
        assert (await get(port))[0] == 200


async def test_who_sends_nothing_is_left_and_does_not_keep_others_out():
    limit_ms, portal.CLIENT_MS = portal.CLIENT_MS, 300
    try:
        async with Served() as served:
            port = served.ports[0]
            address = socket.getaddrinfo(HERE, port)[0][-1]
            silent = [socket.socket() for _ in range(portal.CLIENTS + 2)]
            for each in silent:
                each.connect(address)
                await asyncio.sleep_ms(10)
            assert await raw(port, b"GET / HTTP/1.1\r\n\r\n") == b""  # one too many
            await asyncio.sleep_ms(600)
            assert (await get(port))[0] == 200
            for each in silent:
                each.close()
    finally:
        portal.CLIENT_MS = limit_ms


async def test_a_request_that_comes_byte_by_byte_is_answered():
    async with Served() as served:
        port = served.ports[0]
        sock = socket.socket()
        sock.connect(socket.getaddrinfo(HERE, port)[0][-1])
        for byte in b"GET / HTTP/1.1\r\nHost: %s:%d\r\n\r\n" % (HERE.encode(), port):
            sock.send(bytes((byte,)))
            await asyncio.sleep_ms(1)
        sock.setblocking(False)
        await asyncio.sleep_ms(100)
        assert sock.recv(15) == b"HTTP/1.1 200 OK"
        sock.close()


async def test_names_are_answered_and_nonsense_is_not():
    async with Served() as served:
        asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        asking.setblocking(False)
        address = socket.getaddrinfo(HERE, served.ports[1])[0][-1]
        question = b"\x12\x34\x01\x00\x00\x01" + bytes(6) + b"\x01a\x02de\x00\x00\x01\x00\x01"
        for nonsense in (b"", b"x", question[:-1], bytes(512)):
            asking.sendto(nonsense, address)
        asking.sendto(question, address)
        await asyncio.sleep_ms(100)
        answer = asking.recv(512)
        assert answer[:2] == b"\x12\x34" and answer[-4:] == bytes((127, 0, 0, 1))
        asking.close()
