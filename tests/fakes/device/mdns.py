"""A home that answers questions of mDNS, at an address of this computer."""

import asyncio
import socket

from fakes.device.setup import HERE, free_ports


class Responder:
    """Answers each question with `packets`, from the `from_question`th on."""

    def __init__(self, packets, from_question=1, group=None):
        self.packets, self._from = packets, from_question
        self.questions = []
        self.group = group or (HERE, free_ports()[1])

    async def __aenter__(self):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(socket.getaddrinfo(*self.group)[0][-1])
        self._socket.setblocking(False)
        self._task = asyncio.create_task(self._answer())
        return self

    async def __aexit__(self, *_):
        self._task.cancel()
        await asyncio.sleep_ms(0)
        self._socket.close()

    async def _answer(self):
        while True:
            await asyncio.sleep_ms(5)
            try:
                question, peer = self._socket.recvfrom(1500)
            except OSError:
                continue
            self.questions.append(question)
            if len(self.questions) >= self._from:
                for packet in self.packets:
                    self._socket.sendto(packet, peer)
