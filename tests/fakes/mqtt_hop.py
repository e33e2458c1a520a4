"""A hop between a device and its broker that can lose, repeat, reorder and cut what passes."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

CONNECT, PUBLISH, PUBACK = 1, 3, 4


class Packet(NamedTuple):
    """One MQTT packet: `topic` and `qos` are those of a PUBLISH, `data` is all its bytes."""

    kind: int
    qos: int
    topic: str
    data: bytes


Change = Callable[[Packet], Sequence[Packet]]


def as_it_is(packet: Packet) -> Sequence[Packet]:
    return (packet,)


class MqttHop:
    """Listens on `port`, passes on to the broker; `up` and `down` say what of each packet.

    `up` is from the device to the broker. `delay_s` each packet waits, `bytes_per_s` pass at most
    (0: any), `swallows`: nothing passes while every connection stays open, `refuses`: no new
    connection gets through. All may be set at any time.
    """

    def __init__(self, broker_port: int) -> None:
        self.up: Change = as_it_is
        self.down: Change = as_it_is
        self.delay_s = 0.0
        self.bytes_per_s = 0
        self.swallows = self.refuses = False
        self._broker_port = broker_port
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "MqttHop":
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """End every connection, as a router that is switched off and on."""
        for writer in self._writers:
            writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.close()
            return
        try:
            there = await asyncio.open_connection("127.0.0.1", self._broker_port)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, there[1]}
        await asyncio.gather(
            self._copy(reader, there[1], lambda packet: self.up(packet)),
            self._copy(there[0], writer, lambda packet: self.down(packet)),
        )
        self._writers -= {writer, there[1]}

    async def _copy(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, change: Change
    ) -> None:
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        arriving = asyncio.create_task(self._arrive(on_the_way, writer))
        now_s = asyncio.get_running_loop().time
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while not arriving.done():
                for packet in change(await _read(reader)):
                    if self.bytes_per_s:
                        await asyncio.sleep(len(packet.data) / self.bytes_per_s)
                    on_the_way.put_nowait((now_s() + self.delay_s, packet.data))
        arriving.cancel()
        writer.close()

    async def _arrive(
        self, on_the_way: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter
    ) -> None:
        """Write what is on the way when its time has come; a late line holds many packets."""
        with contextlib.suppress(OSError):
            while True:
                due_s, data = await on_the_way.get()
                await asyncio.sleep(max(0.0, due_s - asyncio.get_running_loop().time()))
                if not self.swallows:
                    writer.write(data)
                    await writer.drain()


async def _read(reader: asyncio.StreamReader) -> Packet:
    data = await reader.readexactly(1)
    length = shift = 0
    while True:
        byte = await reader.readexactly(1)
        data += byte
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            break
    body = await reader.readexactly(length)
    topic = ""
    if data[0] >> 4 == PUBLISH:
        topic = body[2 : 2 + int.from_bytes(body[:2], "big")].decode()
    return Packet(data[0] >> 4, data[0] >> 1 & 3, topic, data + body)


class Unruly:
    """A Change for the QoS 0 frames of a topic: counts what it does to them.

    Of every 10 frames the third is lost, the sixth comes twice, the eighth and ninth change
    places (an eighth that is the last of all is lost as well).
    """

    def __init__(self, channel: str) -> None:
        self.repeated = self.swapped = 0
        self._dropped = self._seen = 0
        self._channel = channel
        self._held: Packet | None = None

    @property
    def lost(self) -> int:
        """Frames that never arrived."""
        return self._dropped + (self._held is not None)

    def __call__(self, packet: Packet) -> Sequence[Packet]:
        if not packet.topic.endswith(self._channel):
            return (packet,)
        self._seen += 1
        place = self._seen % 10
        if place == 3:
            self._dropped += 1
            return ()
        if place == 6:
            self.repeated += 1
            return (packet, packet)
        if place == 8:
            self._held = packet
            return ()
        if place == 9 and self._held is not None:
            held, self._held = self._held, None
            self.swapped += 1
            return (packet, held)
        return (packet,)


class Twice:
    """The two Changes of a link on which every QoS 1 message comes twice, as QoS 1 allows."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self._acknowledged: set[bytes] = set()

    def up(self, packet: Packet) -> Sequence[Packet]:
        if packet.kind == PUBACK:
            # The broker sent it once, and wants to hear of it once.
            again = packet.data in self._acknowledged
            self._acknowledged ^= {packet.data}
            return () if again else (packet,)
        return self._again(packet)

    def down(self, packet: Packet) -> Sequence[Packet]:
        return self._again(packet)

    def _again(self, packet: Packet) -> Sequence[Packet]:
        if packet.kind != PUBLISH or packet.qos != 1:
            return (packet,)
        self.repeated.append(packet.topic)
        again = packet._replace(data=bytes((packet.data[0] | 8,)) + packet.data[1:])
        return (packet, again)
