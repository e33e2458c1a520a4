"""What goes out on a connection: one packet at a time, in one write if the socket takes it.

Nothing is queued here: a packet that the socket takes in part must be finished (`push`) before
the next one begins. Acknowledgements wait in a small buffer of their own.
"""

from mqtt import packet

CONTROL_BYTES = 64


class Writer:
    """The tx buffer of one connection; knows no clock and no task.

    `push` writes what is pending as far as the stream takes it; OSError or ValueError when the
    stream fails. `begin` and `raw` are legal after `push` returned True.
    """

    def __init__(self, tx_bytes: int, inflight) -> None:
        self._tx = bytearray(tx_bytes)
        self._view = memoryview(self._tx)
        self._control = bytearray(CONTROL_BYTES)
        self._inflight = inflight
        self.writes = 0  # counts, so that the shell can see that something went out
        self.attach(None)

    def attach(self, stream) -> None:
        """Start on a new stream (None: without one); what was pending is forgotten."""
        self._stream = stream
        self._at = self._end = self._control_end = 0
        self._rest: "memoryview | None" = None  # the part of a packet that is not in tx
        self._again: "list[int]" = []  # slots of the table that are sent again

    def fits(self, topic: bytes, length: int) -> bool:
        """Whether a PUBLISH goes out in one write, its payload free after `begin`."""
        return len(topic) + length + 9 <= len(self._tx)

    def begin(self, topic: bytes, payload, length: int, flags: int, packet_id: int) -> None:
        """Write a PUBLISH of the first `length` bytes of `payload`.

        A payload over the tx buffer is written from where it lies, in a second write.
        """
        tx = self._tx
        at = packet.put_publish(tx, topic, length, flags, packet_id)
        end = at + length
        if end <= len(tx):
            tx[at:end] = payload if len(payload) == length else memoryview(payload)[:length]
        else:
            view = memoryview(payload)
            end = len(tx)
            tx[at:end] = view[: end - at]
            self._rest = view[end - at : length]
        self._at, self._end = 0, end
        self.push()

    def raw(self, data: bytes) -> None:
        """Write a packet that is already encoded."""
        self._rest = memoryview(data)
        self.push()

    def puback(self, packet_id: int) -> None:
        """Acknowledge a message when the packet that is being written is out."""
        self._control_end = packet.put_puback(self._control, self._control_end, packet_id)

    def pingreq(self) -> None:
        """Ping when the packet that is being written is out."""
        self._put(packet.PINGREQ)

    def disconnect(self) -> None:
        """Say goodbye when the packet that is being written is out."""
        self._put(packet.DISCONNECT)

    def full(self) -> bool:
        """Whether the acknowledgements must go out before more is read."""
        return self._control_end > CONTROL_BYTES - 2 * packet.PUBACK_BYTES

    def send_again(self) -> None:
        """Queue everything in flight, with DUP [3.3.1.1], oldest first."""
        self._again = self._inflight.slots()

    def push(self) -> bool:
        """True when nothing is pending any more."""
        while True:
            if self._at < self._end:
                count = self._write(self._view[self._at : self._end])
                self._at += count
            elif self._rest is not None:
                count = self._write(self._rest)
                self._rest = self._rest[count:] if count < len(self._rest) else None
            elif self._next():
                continue
            else:
                return True
            if not count:
                return False

    def _next(self) -> bool:
        end = self._control_end
        if end:
            self._view[:end] = memoryview(self._control)[:end]
            self._at, self._end, self._control_end = 0, end, 0
            return True
        if not self._again:
            return False
        slot = self._again.pop(0)
        table = self._inflight
        if table.ids[slot]:  # else it was acknowledged meanwhile
            payload = table.payloads[slot]
            flags = table.flags[slot] | packet.DUP
            self.begin(table.topics[slot], payload, len(payload), flags, table.ids[slot])
        return True

    def _put(self, data: bytes) -> None:
        end = self._control_end + len(data)
        self._control[self._control_end : end] = data
        self._control_end = end

    def _write(self, view) -> int:
        count = self._stream.write(view) if self._stream is not None else 0
        if not count:  # None: the socket is full
            return 0
        self.writes += 1
        return count
