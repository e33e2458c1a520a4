"""The firmware's Improv at a socket, with a fake radio; runs under MicroPython, argument: PORT.

A line for each Wi-Fi that is kept goes to standard output.
"""

import asyncio
import json
import socket
import sys

from fakes.device.setup import FakeNetwork, FakePoint
from provisioning import line_watch

ABOUT = ("Voxcard", "0.1.0", "diy-s3-oled", "Hall")
AIR = {"home": "correct horse", "cafe": ""}


class Point(FakePoint):
    def keep(self, credentials):
        print(json.dumps([credentials.ssid, credentials.password]))


class Board:
    def __init__(self, line):
        self.line, self.network, self._point = line, FakeNetwork(None, AIR), Point()

    def access_point(self):
        return self._point


def main(port):
    line = socket.socket()
    line.connect(socket.getaddrinfo("127.0.0.1", port)[0][-1])
    asyncio.run(line_watch.watch(Board(line), ABOUT))


if __name__ == "__main__":
    main(int(sys.argv[1]))
