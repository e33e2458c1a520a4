"""The portal of a board's own Wi-Fi: a name server and a web server of one page.

Every name leads here, so the page opens by itself: what a phone asks of the internet to find out
whether it is there is answered by a redirection. Only who asks for this address sees the page.
"""

import asyncio
import errno
import socket
from asyncio import core

import log
from provisioning.portal import captive_dns, http, page

CLIENTS = 4  # at a time; a phone opens two or three
CLIENT_MS = 8000  # for a whole request and its answer
_RECEIVE = 512  # bytes at a time
_HTTP = 80


class Portal:
    """`guide` has `content()` for the page, and `submit(fields)` for what a person sends.

    `point` is the hal.board.AccessPoint, `token` what the forms carry. `asked_ms` says when
    somebody asked for the page last.
    """

    def __init__(self, guide, point, token, ticks_ms):
        self._guide, self._token, self._ticks_ms = guide, token, ticks_ms
        self._address, self._ports = point.address, point.ports
        port = "" if point.ports[0] == _HTTP else ":%d" % point.ports[0]
        self._site = point.address + port  # as a browser names it
        self._clients = set()
        self.asked_ms = ticks_ms()

    # Names.

    async def answer_names(self):
        """Tell everybody that every name is here; never ends."""
        server = _bound(socket.SOCK_DGRAM, self._address, self._ports[1])
        address = bytes([int(part) for part in self._address.split(".")])
        try:
            while True:
                yield core._io_queue.queue_read(server)
                try:
                    request, peer = server.recvfrom(captive_dns.REQUEST_MAX)
                    answer = captive_dns.answer(request, address)
                    if answer:
                        server.sendto(answer, peer)
                except OSError as error:
                    log.debug("portal", "a name is not answered (%s)" % error)
        finally:
            server.close()

    # The page.

    async def serve_page(self):
        """Answer browsers; never ends."""
        server = _bound(socket.SOCK_STREAM, self._address, self._ports[0])
        server.listen(CLIENTS)
        try:
            while True:
                yield core._io_queue.queue_read(server)
                try:
                    client = server.accept()[0]
                except OSError as error:
                    log.debug("portal", "a browser is gone (%s)" % error)
                    continue
                if len(self._clients) >= CLIENTS:
                    client.close()
                else:
                    self._clients.add(asyncio.create_task(self._serve(client)))
        finally:
            server.close()

    async def _serve(self, client):
        try:
            client.setblocking(False)
            await asyncio.wait_for_ms(self._converse(client), CLIENT_MS)
        except (OSError, MemoryError, asyncio.TimeoutError) as error:
            log.debug("portal", "a browser is left (%s)" % error)
        finally:
            client.close()
            self._clients.discard(asyncio.current_task())

    async def _converse(self, client):
        try:
            request, body = await _receive(client)
            await self._answer(client, request, body)
        except http.HttpError as error:
            await _send(client, http.head(error.status, ("Content-Length: 0",)))

    async def _answer(self, client, request, body):
        method, path = request.method, request.path
        if method not in ("GET", "HEAD", "POST"):
            raise http.HttpError(405)
        if method == "POST":
            self._submit(request, body)
            await self._redirect(client, 303)
        elif request.host != self._site or path not in ("/", "/favicon.ico"):
            # A phone that looks for the internet, or who follows a name that leads here.
            await self._redirect(client, 302)
        elif path != "/":
            raise http.HttpError(404)
        else:
            await self._page(client, method)

    def _submit(self, request, body):
        """Pass the form on; HttpError unless it is our own page's, seen by this very address."""
        # Any page in the same browser may send a form here, under any name: every name leads here.
        if request.path != "/" or request.host != self._site:
            raise http.HttpError(403)
        if request.origin not in ("", "http://" + self._site):
            raise http.HttpError(403)
        fields = http.form(body)
        if fields.get("token") != self._token:
            raise http.HttpError(403)
        self.asked_ms = self._ticks_ms()
        self._guide.submit(fields)

    async def _redirect(self, client, status):
        headers = ("Location: http://%s/" % self._site, "Content-Length: 0")
        await _send(client, http.head(status, headers))

    async def _page(self, client, method):
        self.asked_ms = self._ticks_ms()
        headers = (
            "Content-Type: text/html; charset=utf-8", "X-Frame-Options: DENY",
            "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
        )  # fmt: skip
        await _send(client, http.head(200, headers))
        if method == "GET":
            for piece in page.pieces(self._guide.content()):
                await _send(client, piece)
            self._guide.seen()


def _bound(kind, address, port):
    server = socket.socket(socket.AF_INET, kind)
    server.setblocking(False)
    if kind == socket.SOCK_STREAM:  # what is left of the last time must not hinder
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(socket.getaddrinfo(address, port)[0][-1])
    return server


async def _receive(client):
    """(the request, its body); HttpError for one that is refused, OSError when it is cut."""
    data = b""
    end = -1
    while end < 0:
        if len(data) > http.HEAD_MAX:
            raise http.HttpError(431)
        data += await _part(client)
        end = data.find(b"\r\n\r\n")
    request = http.request(data[:end])
    data = data[end + 4 :]
    while len(data) < request.length:
        data += await _part(client)
    return request, data[: request.length]


async def _part(client):
    while True:
        yield core._io_queue.queue_read(client)
        try:
            part = client.recv(_RECEIVE)
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
            continue
        if not part:
            raise OSError(errno.ECONNRESET)
        return part


async def _send(client, data):
    """Send bytes or a text, without a copy of it."""
    data = memoryview(data)
    while len(data):
        yield core._io_queue.queue_write(client)
        try:
            data = data[client.send(data) :]
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
