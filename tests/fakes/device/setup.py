"""A board's network and access point as provisioning sees them, and a phone with real sockets."""

import asyncio
import random
import socket
import time
from asyncio import core

HERE = "127.0.0.1"
LIMIT_MS = 5000


def free_ports():
    """(HTTP, DNS) that nobody else has taken, as far as a look can tell."""
    base = 20000 + (time.ticks_us() + random.getrandbits(14)) % 20000
    return base, base + 1


class FakeNetwork:
    """wifi.Wifi as it is used; `air` is {ssid: password}; it joins while `joins` is set."""

    def __init__(self, credentials=None, air=None):
        self.credentials, self.air = credentials, {} if air is None else air
        self.used = []
        self.lost = True
        self.joins = asyncio.Event()
        self.joins.set()

    def use(self, credentials):
        self.used.append(credentials)
        self.credentials = credentials

    def _is_joined(self):
        known = self.credentials
        return known is not None and self.air.get(known.ssid) == known.password

    async def connect(self):
        await asyncio.sleep_ms(5)
        await self.joins.wait()
        if not self._is_joined():
            known = self.credentials
            if known is not None and known.ssid in self.air:
                raise OSError(f"The Wi-Fi {known.ssid} refuses the password: set it again.")
            raise OSError("The Wi-Fi is not here: check its name, and that it has 2.4 GHz.")
        self.lost = False

    def status(self):
        return {"type": "wifi", "ssid": self.credentials.ssid} if self._is_joined() else {}


class FakePoint:
    """hal.board.AccessPoint at this computer's own address."""

    ssid, password, address = "Voxcard-0a0b0c", "abcdefghjk", HERE

    def __init__(self, networks=(("home", -50, False), ("cafe", -80, True))):
        self.networks = list(networks)
        self.ports = free_ports()
        self.is_open = False
        self.phones = 1
        self.kept = []
        self.scans = 0

    def scan(self):
        self.scans += 1
        return list(self.networks)

    def open(self):
        self.is_open = True

    def close(self):
        self.is_open = False

    def stations(self):
        return self.phones

    def keep(self, credentials):
        self.kept.append(credentials)


async def received(sock):
    """What comes until the other side ends the connection."""
    data = b""
    while True:
        yield core._io_queue.queue_read(sock)
        try:
            part = sock.recv(2000)
        except OSError as error:
            if error.errno == 104:
                return data
            raise
        if not part:
            return data
        data += part


async def raw(port, data, host=HERE):
    """The whole answer to bytes."""
    sock = socket.socket()
    try:
        sock.connect(socket.getaddrinfo(host, port)[0][-1])
        sock.setblocking(False)
        if data:
            sock.send(data)
        return await asyncio.wait_for_ms(received(sock), LIMIT_MS)
    finally:
        sock.close()


def site(port):
    return f"{HERE}:{port}"


async def get(port, path="/", host=None, method="GET"):
    """(status, headers as one text, body) of a page."""
    text = f"{method} {path} HTTP/1.1\r\nHost: {host or site(port)}\r\n\r\n"
    return parts(await raw(port, text.encode()))


async def post(port, fields, host=None, origin=""):
    body = "&".join([f"{name}={quoted(fields[name])}" for name in fields])
    text = f"POST / HTTP/1.1\r\nHost: {host or site(port)}\r\nContent-Length: {len(body)}\r\n"
    if origin:
        text += f"Origin: {origin}\r\n"
    return parts(await raw(port, (text + "\r\n" + body).encode()))


def quoted(text):
    return "".join([f"%{byte:02X}" for byte in text.encode()])


def parts(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    head = str(head, "ascii")
    return int(head.split(" ")[1]), head, str(body, "utf-8")


def token(body):
    """The token of a page's form."""
    begin = body.index("name=token value=") + len("name=token value=")
    return body[begin : body.index(">", begin)]
