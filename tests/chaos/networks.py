"""The device's link is bad for a while, in every way a network can be bad, then good again."""

import asyncio
import contextlib
import random
from collections.abc import Sequence

from fakes.mqtt_hop import PUBLISH, MqttHop, Packet, Twice, Unruly, as_it_is
from together.home import Person

from chaos.record import Record
from chaos.recovery import news, settled, whole

BAD_S = 4.0


async def networks(person: Person, hop: MqttHop, record: Record, name: str, seed: int) -> None:
    chance = random.Random(seed)
    card = await settled(person)

    def lossy(packet: Packet) -> Sequence[Packet]:
        lost = packet.kind == PUBLISH and packet.qos == 0 and chance.random() < 0.05
        return () if lost else (packet,)

    def garbled(packet: Packet) -> Sequence[Packet]:
        if packet.kind != PUBLISH or chance.random() > 0.2:
            return (packet,)
        data = bytearray(packet.data)
        for _ in range(3):
            data[chance.randrange(len(data) // 2, len(data))] ^= 1 << chance.randrange(8)
        return (packet._replace(data=bytes(data)),)

    def noise(packet: Packet) -> Sequence[Packet]:
        return (packet._replace(data=chance.randbytes(len(packet.data))),)

    async def bad(seconds: float = BAD_S) -> int:
        """Talk while it is bad; then it is good, and the home whole."""
        said = person.tell("say", text="Is anybody there? Dinner is ready for everybody.")
        await asyncio.sleep(seconds)
        hop.up = hop.down = as_it_is
        hop.delay_s, hop.bytes_per_s, hop.swallows, hop.refuses = 0.0, 0, False, False
        person.device.skip("state")
        hop.cut()
        with contextlib.suppress(TimeoutError):  # then `whole` says what is wrong
            await person.device.wait("state", 40, state="idle")
        lost = await whole(person, card)
        await said
        return lost

    async def frames_lost() -> int:
        hop.up = hop.down = lossy
        return await bad()

    async def unruly() -> int:
        hop.up, hop.down = Unruly("/mic"), Unruly("/spk")
        return await bad()

    async def twice() -> int:
        again = Twice()
        hop.up, hop.down = again.up, again.down
        return await bad()

    async def payloads_garbled() -> int:
        hop.up = hop.down = garbled
        return await bad()

    async def bytes_garbled() -> int:
        hop.up = hop.down = noise
        return await bad()

    async def late() -> int:
        hop.delay_s = 0.3
        return await bad()

    async def slow() -> int:
        hop.bytes_per_s = 5_000
        return await bad()

    async def half_open() -> int:
        hop.swallows = True
        return await bad(8.0)

    async def refused() -> int:
        hop.refuses = True
        hop.cut()
        return await bad()

    async def cut() -> int:
        for _ in range(10):
            hop.cut()
            await asyncio.sleep(0.3)
        return await bad(0.5)

    for kind, harm in (
        ("5 % of the frames lost", frames_lost),
        ("frames lost, repeated, swapped", unruly),
        ("messages twice", twice),
        ("payloads garbled", payloads_garbled),
        ("all bytes garbled", bytes_garbled),
        ("0.3 s late", late),
        ("5 kB/s", slow),
        ("half open for 8 s", half_open),
        ("refused for 4 s", refused),
        ("cut 10 times", cut),
    ):
        await record.harm(name, kind, harm, lambda: news(person))
