"""Blobs on the device: sending with answers and reconnects, receiving within a limit."""

import asyncio
import binascii
import hashlib

from fakes.device.mqtt_broker import Clock, until
from fakes.device.mqtt_client import FakeClient
from link.blob_inbox import Inbox
from link.blob_sender import PAYLOAD_BYTES, BlobError, Bytes, Sender
from voxwire import blob
from voxwire.message import FROM_BRIDGE, make

PHOTO = bytes(index * 7 & 0xFF for index in range(9000))
SENT = PHOTO[:2500]  # three chunks of the device
PICTURE = Bytes(SENT)


def digest(data):
    return binascii.hexlify(hashlib.sha256(data).digest()).decode()


class Sending:
    """A sender, and a bridge that puts the chunks together."""

    def __init__(self, picture=PICTURE):
        self.client, self.clock = FakeClient(), Clock()
        self.client.connected = True
        self.sender = Sender(self.client, b"voxcard/cam/blob/up", self.clock, self.clock.sleep_ms)
        self.data = bytearray()
        self.receiver = blob.Receiver(lambda head: self.data.extend, hashlib.sha256(), 20000)
        self.task = asyncio.create_task(self.sender.send("photo", "call 4", picture, 5))

    def chunks(self):
        """(flags, id, index) of what came since the last call; the receiver takes it."""
        chunks = []
        for _, payload, qos, retain in self.client.published:
            assert (qos, retain) == (1, False)
            chunk = blob.decode(payload)
            chunks.append((chunk.flags, chunk.id, chunk.index))
            self.receiver.add(chunk)
        self.client.published.clear()
        return chunks

    def answer(self, index, error=None):
        self.sender.answered(make(FROM_BRIDGE, "blob", id=5, next=index, error=error))

    async def failure(self):
        try:
            await self.task
        except BlobError as error:
            return str(error)
        raise AssertionError("was sent")


async def test_a_blob_goes_in_chunks_and_is_sent_when_the_bridge_has_it_whole():
    sending = Sending()
    await until(lambda: len(sending.client.published) == 3)
    assert sending.chunks() == [(1, 5, 0), (0, 5, 1), (2, 5, 2)]
    assert sending.data == SENT
    assert sending.receiver.head == blob.Head("photo", 2500, digest(SENT), "call 4")
    assert not sending.task.done()
    sending.answer(3)
    assert await sending.task == 5


def written(data, payload_max):
    """`data` cut by write_chunk and put together again."""
    head = blob.Head("photo", len(data), digest(data), "n")
    got, view = bytearray(), memoryview(bytearray(blob.CHUNK_BYTES_MAX))
    receiver = blob.Receiver(lambda head: got.extend, hashlib.sha256(), 20000)
    for index in range(blob.count(head, payload_max)):
        size = blob.write_chunk(view, 9, head, Bytes(data).read, index, payload_max)
        if payload_max == blob.PAYLOAD_MAX:
            expected = blob.encode(blob.chunk_at(9, head, data, index))
            assert bytes(view[:size]) == expected
        receiver.add(blob.decode(view[:size]))
    return got


def test_every_length_arrives_as_it_was():
    for length in (0, 1, 3900, 3961, 3962, 3963, 4096, 8056, 8057, 8058, 8059, 8192):
        assert written(PHOTO[:length], blob.PAYLOAD_MAX) == PHOTO[:length]
    for length in (0, 1, 889, 890, 891, 892, 1024, 1913, 1914, 1915, 1916, 2048):
        assert written(PHOTO[:length], PAYLOAD_BYTES) == PHOTO[:length]


class Lens:
    """A picture outside the heap; `largest` is the most that was asked for at once."""

    def __init__(self, size):
        self.size, self.largest = size, 0

    def __len__(self):
        return self.size

    def read(self, at, view):
        self.largest = max(self.largest, len(view))
        for index in range(len(view)):
            view[index] = (at + index) * 7 & 0xFF


async def test_a_picture_is_read_a_chunk_at_a_time():
    lens = Lens(9000)
    sending = Sending(lens)
    await until(lambda: len(sending.client.published) == 9)
    sending.chunks()
    assert sending.data == PHOTO
    assert lens.largest == PAYLOAD_BYTES + blob.HEADER_BYTES
    sending.answer(9)
    assert await sending.task == 5


async def test_the_next_chunk_waits_until_the_broker_has_the_one_before():
    sending = Sending()
    sending.client.holding = True
    await until(lambda: sending.client.published)
    for _ in range(20):
        await asyncio.sleep_ms(0)
    assert sending.chunks() == [(1, 5, 0)]
    sending.client.holding = False
    await until(lambda: len(sending.client.published) == 2)
    sending.answer(3)
    await sending.task


async def test_the_bridge_may_ask_again_from_a_chunk():
    sending = Sending()
    await until(lambda: len(sending.client.published) == 3)
    sending.client.published.clear()
    sending.answer(1)
    await until(lambda: len(sending.client.published) == 2)
    assert sending.chunks() == [(0, 5, 1), (2, 5, 2)]
    sending.answer(3)
    await sending.task


async def test_a_refused_blob_says_why():
    sending = Sending()
    await until(lambda: sending.client.published)
    sending.answer(0, "blob.size: is 2500, the limit is 1000")
    assert await sending.failure() == (
        "The bridge refused the photo: blob.size: is 2500, the limit is 1000."
    )


async def test_without_an_answer_the_last_chunk_is_repeated_and_then_it_is_given_up():
    sending = Sending()
    assert await sending.failure() == "The bridge did not take the photo: try again."
    assert [index for _, _, index in sending.chunks()] == [0, 1, 2, 2, 2, 2]


async def test_a_lost_connection_is_waited_for_but_not_for_ever():
    sending = Sending()
    await until(lambda: len(sending.client.published) == 3)
    sending.client.connected = False
    assert await sending.failure() == "The photo did not reach the bridge in time: try again."


async def test_two_blobs_are_sent_one_after_the_other():
    sending = Sending(Bytes(b"first"))
    second = asyncio.create_task(sending.sender.send("snapshot", "", Bytes(b"second"), 6))
    await until(lambda: sending.client.published)
    for _ in range(5):
        await asyncio.sleep_ms(0)
    assert [flags for flags, _, _ in sending.chunks()] == [3]
    sending.answer(1)
    await sending.task
    await until(lambda: sending.client.published)
    sending.sender.answered(make(FROM_BRIDGE, "blob", id=6, next=1))
    assert await second == 6


async def test_a_cancelled_blob_leaves_the_sender_ready():
    sending = Sending()
    await until(lambda: sending.client.published)
    sending.task.cancel()
    await asyncio.sleep_ms(0)
    sending.client.published.clear()
    again = asyncio.create_task(sending.sender.send("photo", "", Bytes(b"x"), 7))
    await until(lambda: sending.client.published)
    sending.sender.answered(make(FROM_BRIDGE, "blob", id=7, next=1))
    assert await again == 7


class Receiving:
    def __init__(self, limit=16384):
        self.answers, self.got = [], []
        self.inbox = Inbox(limit, lambda *answer: self.answers.append(answer))
        self.inbox.handlers["glyphs"] = lambda blob_id, data, name: self.got.append(
            (blob_id, data)
        )

    def take(self, chunk):
        self.inbox.take(memoryview(blob.encode(chunk)))


def cut(data, blob_id=3, kind="glyphs", sha256=None):
    head = blob.Head(kind, len(data), sha256 or digest(data), "card 1")
    return [blob.chunk_at(blob_id, head, data, index) for index in range(blob.count(head))]


def test_a_whole_blob_reaches_its_handler_and_is_answered():
    receiving = Receiving()
    for chunk in cut(PHOTO):
        receiving.take(chunk)
    assert receiving.got == [(3, bytearray(PHOTO))]
    assert receiving.answers == [(3, 3, None)]


def test_repeated_chunks_change_nothing_and_a_repeated_last_one_is_answered_again():
    receiving = Receiving()
    for chunk in cut(PHOTO):
        receiving.take(chunk)
        receiving.take(chunk)
    assert len(receiving.got) == 1
    assert receiving.answers == [(3, 3, None), (3, 3, None)]


def test_a_gap_is_asked_for_once():
    receiving = Receiving()
    first, second, third = cut(PHOTO)
    receiving.take(first)
    receiving.take(third)
    receiving.take(third)
    assert receiving.answers == [(3, 1, None)]
    receiving.take(second)
    receiving.take(third)
    assert receiving.got == [(3, bytearray(PHOTO))]
    assert receiving.answers == [(3, 1, None), (3, 3, None)]


def test_a_blob_without_its_beginning_is_asked_for_from_the_start():
    receiving = Receiving()
    receiving.take(cut(PHOTO)[1])
    assert receiving.answers == [(3, 0, None)]


def test_after_a_reconnect_it_asks_for_the_rest():
    receiving = Receiving()
    first, second, third = cut(PHOTO)
    receiving.take(first)
    receiving.take(second)
    receiving.inbox.ask_again()
    assert receiving.answers == [(3, 2, None)]
    receiving.take(third)
    assert len(receiving.got) == 1


def test_another_blob_under_an_old_id_is_a_new_blob():
    receiving = Receiving()
    receiving.take(cut(PHOTO)[0])
    (other,) = cut(b"short")
    receiving.take(other)
    assert receiving.got == [(3, bytearray(b"short"))]
    (third,) = cut(b"third")
    receiving.take(third)
    assert receiving.got[1] == (3, bytearray(b"third"))


def test_what_is_too_large_damaged_or_of_no_use_is_refused():
    receiving = Receiving(limit=8000)
    receiving.take(cut(PHOTO)[0])
    receiving.take(cut(b"abc", 4, sha256="0" * 64)[0])
    receiving.take(cut(b"abc", 5, kind="photo")[0])
    assert receiving.answers == [
        (3, 0, "blob.size: is 9000, the limit is 8000"),
        (4, 0, "blob.sha256: does not match: it was damaged on the way"),
        (5, 0, "blob.head.kind: photo is of no use here"),
    ]
    assert receiving.got == []


def test_no_more_than_two_blobs_are_put_together_at_a_time():
    receiving = Receiving()
    for blob_id in (1, 2, 3):
        receiving.take(cut(PHOTO, blob_id)[0])
    receiving.take(cut(PHOTO, 1)[1])
    assert receiving.answers == [(1, 0, None)]


def test_garbage_is_no_blob():
    receiving = Receiving()
    for garbage in (b"", b"\x01", b"\x02\x01\x00\x03\x00\x00", bytes(5000)):
        receiving.inbox.take(memoryview(garbage))
    assert receiving.answers == []
    receiving.inbox.take(memoryview(b"\x01\x01\x00\x03\x00\x00\x00\x03abc"))
    assert receiving.answers == [(3, 0, "blob.head: is not JSON")]


def streaming(bytes_max=20000):
    """Receiving, and (id, bytes that have come) of what its handler of large ones heard."""
    receiving, heard = Receiving(limit=8000), []

    def handler(blob_id, data, count):
        assert bytes(data[:count]) == LARGE[:count] and bytes(data[count:]) == bytes(
            len(data) - count
        )
        heard.append((blob_id, count))

    receiving.inbox.large["glyphs"] = (bytes_max, handler)
    return receiving, heard


LARGE = bytes([number % 251 for number in range(20000)])


def test_a_large_blob_is_heard_of_while_it_comes_and_the_next_chunks_are_asked_for():
    receiving, heard = streaming()
    chunks = cut(LARGE)
    first = len(chunks[0].payload) - len(blob.write_head(blob.read_head(chunks[0].payload)[0]))
    for chunk in chunks:
        receiving.take(chunk)
    assert len(chunks) == 5
    assert heard == [(3, first + 4096), (3, first + 3 * 4096)]
    assert receiving.answers == [(3, 2, None), (3, 4, None), (3, 5, None)]
    assert receiving.got == [(3, bytearray(LARGE))]


def test_repeats_of_a_large_blob_are_not_counted_and_after_a_gap_it_gets_on():
    receiving, heard = streaming()
    chunks = cut(LARGE)
    for index in (0, 0, 1, 1, 3, 2, 3, 4):
        receiving.take(chunks[index])
    assert receiving.answers == [(3, 2, None), (3, 2, None), (3, 4, None), (3, 5, None)]
    assert len(heard) == 2 and len(receiving.got) == 1


def test_a_large_blob_has_a_limit_too():
    receiving, heard = streaming(bytes_max=19999)
    receiving.take(cut(LARGE)[0])
    assert receiving.answers == [(3, 0, "blob.size: is 20000, the limit is 19999")]
    assert heard == []
