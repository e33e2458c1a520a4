"""A client of no standing on a home's broker: says what it likes, on any topic."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from together.home import Person
from voxcard.link.mqtt import Address, MqttClient


class Stranger:
    """Publishes as if it were a device or a bridge; `heard` holds what it is subscribed to."""

    def __init__(self, port: int, *listens: str) -> None:
        self.heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self.up, self.gone = asyncio.Event(), asyncio.Event()
        self._client = MqttClient(
            Address(host="127.0.0.1", port=port),
            subscriptions=[(topic, 1) for topic in (*listens, "stranger/none")],
            on_message=lambda topic, payload, retained: self.heard.put_nowait((topic, payload)),
            on_link=lambda up: (self.up if up else self.gone).set(),
        )
        self.run = self._client.run

    def say(self, topic: str, payload: bytes | dict, qos: int = 1) -> None:
        if isinstance(payload, dict):
            payload = json.dumps(payload).encode()
        assert self._client.publish(topic, payload, qos=qos)


@contextlib.asynccontextmanager
async def stranger(person: Person, *listens: str) -> AsyncIterator[Stranger]:
    """One on the broker of this person's home."""
    made = Stranger(person.home.broker.port, *listens)
    task = asyncio.create_task(made.run())
    try:
        await made.up.wait()
        yield made
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
