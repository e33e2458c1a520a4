"""MQTT packets: garbage gives packets or the one error, and whole is the same as in pieces."""

from hypothesis import given
from hypothesis import strategies as st
from mqtt import packet
from mqtt.inflight import Inflight
from mqtt.writer import Writer
from voxwire.errors import WireError

TOPICS = st.binary(min_size=1, max_size=20)
MESSAGES = st.lists(st.tuples(TOPICS, st.binary(max_size=150), st.integers(0, 65535)), max_size=8)
STEPS = st.lists(st.integers(1, 70), min_size=1, max_size=20)


def read(data: bytes, steps: list[int], size: int = 64) -> tuple[list[tuple], str]:
    """What a reader finds in `data` read in pieces of `steps`, and the error that ended it."""
    reader, found, turn = packet.Reader(size), [], 0
    while data:
        room = reader.room()
        assert len(room) > 0
        count = min(steps[turn % len(steps)], len(room), len(data))
        turn += 1
        room[:count] = data[:count]
        reader.filled(count)
        data = data[count:]
        try:
            while reader.next():
                payload = None if reader.oversized else bytes(reader.payload())
                if reader.kind != packet.PUBLISH:
                    payload = bytes(reader.body())
                found.append((reader.kind, reader.oversized, payload))
        except WireError as error:
            return found, str(error)
    return found, ""


@given(st.binary(max_size=400), STEPS)
def test_garbage_is_the_same_whole_and_in_pieces(data: bytes, steps: list[int]) -> None:
    assert read(data, steps) == read(data, [64])


@given(st.binary(max_size=60), STEPS)
def test_a_broken_publish_is_the_same_whole_and_in_pieces(tail: bytes, steps: list[int]) -> None:
    data = b"\x32\x09\x00\x03a/b\x00\x01hi" + b"\x30" + tail
    found, problem = read(data, steps)
    assert found[0] == (packet.PUBLISH, 0, b"hi")
    assert (found, problem) == read(data, [64])


class Socket:
    """Takes what `steps` says at each write; 0 is a full socket."""

    def __init__(self, steps: list[int]) -> None:
        self.data = b""
        self._steps = steps
        self._turn = 0

    def write(self, view: memoryview) -> int | None:
        count = min(len(view), self._steps[self._turn % len(self._steps)])
        self._turn += 1
        self.data += bytes(view[:count])
        return count or None


@given(MESSAGES, STEPS, STEPS)
def test_what_is_written_is_what_is_read(
    messages: list[tuple[bytes, bytes, int]], takes: list[int], steps: list[int]
) -> None:
    socket = Socket([0, *takes])
    writer = Writer(40, Inflight(2, 100))
    writer.attach(socket)
    for topic, payload, packet_id in messages:
        flags = packet.QOS1 if packet_id else 0
        writer.begin(topic, payload, len(payload), flags, packet_id)
        while not writer.push():
            pass
    found, problem = read(socket.data, steps, 256)
    assert problem == ""
    assert [each[2] for each in found] == [payload for _, payload, _ in messages]
