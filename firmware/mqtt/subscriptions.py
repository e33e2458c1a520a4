"""The topics a client subscribes to, and the handlers of their messages."""

import log

from mqtt import packet


class Subscriptions:
    """Finds the handler of a message by its exact topic."""

    def __init__(self) -> None:
        self._entries = []  # (topic, qos, handler, retained)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, topic: bytes, qos: int, handler, retained: str) -> None:
        """See Client.subscribe."""
        self._entries.append((topic, qos, handler, retained))

    def packet(self, packet_id: int) -> bytes:
        """The SUBSCRIBE for all of them."""
        return packet.subscribe(packet_id, [entry[:2] for entry in self._entries])

    def check(self, codes) -> None:
        """Log each topic that a SUBACK's return codes refuse."""
        for code, entry in zip(codes, self._entries):
            if code == packet.SUBSCRIPTION_REFUSED:
                text = "The broker refuses this device the topic %s: check its access list."
                log.error("mqtt", text % entry[0].decode())

    def deliver(self, reader) -> None:
        """Give the PUBLISH in `reader` (packet.Reader) to its handler."""
        topic = reader.topic()
        if reader.oversized:
            text = "skipped %d bytes on %s: more than the %d of the buffer"
            name = repr(bytes(topic))[2:-1]
            log.warning("mqtt", text % (reader.oversized, name, len(reader.buffer)))
            return
        for entry in self._entries:
            if entry[0] == topic:
                if not reader.retained or entry[3] == "deliver":
                    entry[2](reader.payload())
                elif entry[3] == "warn" and reader.payload():
                    _warn_retained(entry[0].decode())
                return


def _warn_retained(topic: str) -> None:
    text = "%s has a retained message, which is dropped. Clear it: mosquitto_pub -r -n -t %s"
    log.warning("mqtt", text % (topic, topic))
