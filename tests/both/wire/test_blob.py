"""Blobs: cutting, putting together again, and everything that can go wrong between."""

import hashlib
import json

from voxwire import blob
from voxwire.errors import WireError


def hexdigest(data):
    return "".join("%02x" % byte for byte in hashlib.sha256(data).digest())


def head_of(data, size=None, sha256=None):
    return blob.Head(
        "photo", len(data) if size is None else size, sha256 or hexdigest(data), "cam"
    )


def chunks_of(data, head=None):
    head = head or head_of(data)
    return [blob.chunk_at(9, head, data, index) for index in range(blob.count(head))]


class Target:
    def __init__(self, limit=100000):
        self.data = bytearray()
        self.receiver = blob.Receiver(self.open, hashlib.sha256(), limit)

    def open(self, head):
        return self.data.extend

    def take(self, chunks):
        done = None
        for chunk in chunks:
            done = self.receiver.add(blob.decode(blob.encode(chunk))) or done
        return done


def refusal(chunks, limit=100000):
    try:
        Target(limit).take(chunks)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_the_bytes_of_a_small_blob():
    head = blob.Head("glyphs", 2, "0" * 64, "")
    opening = blob.write_head(head)
    assert blob.encode(blob.chunk_at(258, head, b"hi", 0)) == (
        b"\x01\x03\x01\x02\x00\x00" + opening + b"hi"
    )


def test_any_size_arrives_whole():
    for size in (0, 1, 3900, 4096, 4097, 8192, 20000):
        data = bytes(index * 7 & 255 for index in range(size))
        target = Target()
        assert target.take(chunks_of(data)) == head_of(data)
        assert bytes(target.data) == data


def test_a_repeated_chunk_is_ignored():
    data = bytes(9000)
    first, second, third = chunks_of(data)
    target = Target()
    assert target.take([first, first, second, first, second, third]) == head_of(data)
    assert len(target.data) == 9000


def test_a_gap_asks_again_from_the_missing_chunk():
    first, second, third = chunks_of(bytes(9000))
    target = Target()
    assert target.take([first, third]) is None
    assert target.receiver.gap and target.receiver.next == 1
    assert target.take([second]) is None
    assert not target.receiver.gap and target.receiver.next == 2
    assert target.take([third]) == head_of(bytes(9000))


def test_a_damaged_blob_is_refused():
    data = b"photo" * 100
    for sha256 in ("0" * 64, "f" * 64):
        assert refusal(chunks_of(data, head_of(data, sha256=sha256))) == (
            "blob.sha256: does not match: it was damaged on the way"
        )
    assert refusal(chunks_of(data, head_of(data, size=499))) == (
        "blob.size: is larger than its head says"
    )
    assert refusal(chunks_of(data, head_of(data, size=501))) == (
        "blob.size: is smaller than its head says"
    )


def test_a_blob_over_the_limit_is_refused_by_its_head():
    assert refusal(chunks_of(bytes(5000)), 4999) == "blob.size: is 5000, the limit is 4999"


def test_garbage_gives_the_one_typed_error():
    for data in (
        b"",
        b"\x01",
        b"\x02\x01\x00\x00\x00\x00",
        b"\x01\x00\x00\x01\x00\x00",
        bytes(5000),
    ):
        try:
            blob.decode(data)
        except WireError:
            continue
        raise AssertionError(data)
    for payload in (b"", b"\x00", b"\xff\xff{}", b"\x00\x02{]", b"\x00\x02[]", b"\x00\x02{}"):
        try:
            blob.read_head(payload)
        except WireError:
            continue
        raise AssertionError(payload)


def test_a_head_that_is_cut_off_anywhere_is_refused():
    opening = blob.write_head(head_of(b"photo"))
    assert blob.read_head(opening + b"rest") == (head_of(b"photo"), b"rest")
    for length in range(len(opening)):
        try:
            blob.read_head(opening[:length])
        except WireError as error:
            said = "is missing" if length < 2 else "is cut off"
            assert str(error) == "blob.head: " + said, length
        else:
            raise AssertionError(length)


def refusal_of(data):
    try:
        blob.decode(data)
    except WireError as error:
        return str(error)
    raise AssertionError(data)


def test_a_chunk_has_6_to_4102_bytes_and_is_the_first_one_at_index_0_alone():
    assert len(blob.decode(b"\x01\x01\x00\x07\x00\x00").payload) == 0
    assert len(blob.decode(b"\x01\x02\x00\x07\x00\x01" + bytes(4096)).payload) == 4096
    assert refusal_of(b"\x01\x01\x00\x07\x00") == "blob: is 5 bytes"
    assert refusal_of(b"\x01\x01\x00\x07\x00\x03") == "blob.flags: do not fit index 3"
    for data in (
        b"\x01\x02\x00\x07\x00\x01" + bytes(4097),
        b"\x00\x01\x00\x07\x00\x00",
        b"\x01\x01\x00\x07\x00\x01",
        b"\x01\x02\x00\x07\x00\x00",
    ):
        try:
            blob.decode(data)
        except WireError:
            continue
        raise AssertionError(data)


def test_a_device_writes_the_chunks_that_are_cut_elsewhere():
    for size in (0, 1, 100, 4000, 9000):
        data = bytes(index % 251 for index in range(size))
        head = head_of(data)
        for payload_max in (200, 1000, 4096):
            sent = bytearray()

            def read(at, view, data=data):
                view[:] = data[at : at + len(view)]

            total = blob.count(head, payload_max)
            for index in range(total):
                buffer = bytearray(6 + payload_max)
                length = blob.write_chunk(memoryview(buffer), 9, head, read, index, payload_max)
                chunk = blob.decode(bytes(buffer[:length]))
                assert (chunk.id, chunk.index) == (9, index)
                assert chunk.flags == (index == 0) * 1 + (index == total - 1) * 2
                assert length == 6 + payload_max or index == total - 1
                sent += chunk.payload
            assert bytes(sent) == blob.write_head(head) + data


def test_what_a_head_may_say():
    good = {"kind": "photo", "size": 0, "sha256": "0" * 64, "name": None}
    for change, said in (
        (
            {"kind": "film"},
            "blob.head.kind: is none of photo, snapshot, glyphs, strips, type, smooth, image,"
            " release",
        ),
        ({"size": -1}, "blob.head.size: must be a whole number"),
        ({"size": True}, "blob.head.size: must be a whole number"),
        ({"size": 1.5}, "blob.head.size: must be a whole number"),
        ({"sha256": "0" * 63}, "blob.head.sha256: must be 64 hex digits"),
        ({"sha256": 5}, "blob.head.sha256: must be 64 hex digits"),
    ):
        data = dict(good)
        data.update(change)
        text = json.dumps(data).encode()
        try:
            blob.read_head(bytes((0, len(text))) + text)
        except WireError as error:
            assert str(error) == said
        else:
            raise AssertionError(change)
    text = json.dumps(good).encode()
    assert blob.read_head(bytes((0, len(text))) + text) == (("photo", 0, "0" * 64, ""), b"")
