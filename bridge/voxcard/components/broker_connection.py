"""The bridge's connection to the home's broker, whose address is known when that has started."""

from collections.abc import Callable

from voxcard.home_broker import HomeBroker
from voxcard.link.mqtt import Address, MqttClient


class BrokerConnection:
    """Publishes from the start on: refused (False) as long as there is no connection.

    `make_client(address)` makes the client once the broker is there.
    """

    def __init__(self, broker: HomeBroker, make_client: Callable[[Address], MqttClient]) -> None:
        self._broker = broker
        self._make_client = make_client
        self._client: MqttClient | None = None

    async def start(self) -> None:
        """Start the broker, if it is ours; VoxcardError when it does not come up."""
        self._client = self._make_client(await self._broker.start())

    async def run(self) -> None:
        """Keep the connection; ends by cancellation only."""
        assert self._client is not None
        await self._client.run()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        """Send a control message; False when there is no connection or no room for it."""
        return self._client is not None and self._client.publish(topic, payload, retain=retain)

    def frame(self, topic: str, payload: bytes) -> bool:
        """Send an audio frame; see MqttClient.frame."""
        return self._client is not None and self._client.frame(topic, payload)
