"""Blobs between one device and the bridge."""

import asyncio
import hashlib

import pytest
from fakes.bridge import run_virtual
from voxcard.link.blob_room import BlobRoom
from voxcard.link.blobs import KEPT_MAX, KEPT_S, BlobFailed, Blobs
from voxwire import blob
from voxwire.errors import WireError

PHOTO = bytes(range(256)) * 40


def chunks(data, blob_id=7, kind="photo", sha256=None):
    head = blob.Head(kind, len(data), sha256 or hashlib.sha256(data).hexdigest(), "p")
    return [
        blob.encode(blob.chunk_at(blob_id, head, data, index)) for index in range(blob.count(head))
    ]


def pair():
    sent, states = [], []

    def send_chunk(data):
        sent.append(data)
        return True

    return Blobs(send_chunk, lambda *state: states.append(state)), sent, states


def test_a_photo_comes_whole_and_is_acknowledged():
    async def conversation():
        blobs, _, states = pair()
        waiting = asyncio.create_task(blobs.wait(7))
        await asyncio.sleep(0)
        for chunk in chunks(PHOTO):
            blobs.receive(chunk)
        photo = await waiting
        assert (photo.kind, photo.name, photo.data) == ("photo", "p", PHOTO)
        assert states == [(7, 3, None)]
        assert (await blobs.wait(7)).data == PHOTO

    run_virtual(conversation())


def test_a_gap_is_asked_for_once_and_repeats_change_nothing():
    blobs, _, states = pair()
    first, second, third = chunks(PHOTO)
    assert blobs.receive(first) is None
    assert blobs.receive(third) is None and blobs.receive(third) is None
    assert states == [(7, 1, None)]
    blobs.receive(first)
    blobs.receive(second)
    assert blobs.receive(third).data == PHOTO
    assert blobs.receive(first) is None
    assert states == [(7, 1, None), (7, 3, None), (7, 3, None)]


def test_a_new_photo_may_have_the_id_of_an_old_one():
    blobs, _, _ = pair()
    for data in (PHOTO, PHOTO[:-1] + b"x"):
        *_, whole = (blobs.receive(chunk) for chunk in chunks(data))
        assert whole.data == data


def test_after_a_reconnect_the_rest_is_asked_for():
    blobs, _, states = pair()
    blobs.receive(chunks(PHOTO)[0])
    blobs.resume()
    assert states == [(7, 1, None)]


def test_a_damaged_photo_is_refused_and_whoever_waits_is_told():
    async def conversation():
        blobs, _, states = pair()
        waiting = asyncio.create_task(blobs.wait(7))
        await asyncio.sleep(0)
        first, second, third = chunks(PHOTO, sha256="0" * 64)
        blobs.receive(first)
        blobs.receive(second)
        with pytest.raises(WireError, match="does not match"):
            blobs.receive(third)
        with pytest.raises(BlobFailed, match="The picture is damaged"):
            await waiting
        assert states[-1][:2] == (7, 0)

    run_virtual(conversation())


def test_a_photo_that_never_comes_ends_in_a_sentence():
    async def conversation():
        with pytest.raises(BlobFailed, match="did not arrive within 20 s"):
            await pair()[0].wait(1)

    run_virtual(conversation())


@pytest.mark.parametrize("garbage", [b"", b"\1\1\0\1\0\0", b"\2" * 20, b"\1\1\0\1\0\0\0\2{}"])
def test_garbage_is_one_typed_error(garbage):
    with pytest.raises(WireError):
        pair()[0].receive(garbage)


def test_a_blob_goes_down_and_is_done_when_the_device_has_it_whole():
    async def conversation():
        blobs, sent, _ = pair()
        sending = asyncio.create_task(blobs.send("glyphs", PHOTO))
        await asyncio.sleep(0)
        assert [blob.decode(data).index for data in sent] == [0, 1, 2]
        blobs.state(1, 1, None)  # chunk 1 was lost
        assert [blob.decode(data).index for data in sent] == [0, 1, 2, 1, 2]
        blobs.state(1, 3, None)
        assert await sending == 1
        blobs.state(1, 3, None)

    run_virtual(conversation())


def test_a_device_that_does_not_take_a_blob_does_not_hold_the_turn():
    async def conversation():
        blobs, _, _ = pair()
        with pytest.raises(BlobFailed, match="did not take a picture in time"):
            await blobs.send("glyphs", b"x")
        assert asyncio.get_running_loop().time() < 3
        sending = asyncio.create_task(blobs.send("image", b"y", blob_id=9))
        await asyncio.sleep(0)
        blobs.state(9, 0, "no room")
        with pytest.raises(BlobFailed, match="refused a picture: no room"):
            await sending

    run_virtual(conversation())


def test_ids_never_are_zero():
    blobs, _, _ = pair()
    blobs._last_id = 0xFFFE
    assert [blobs.next_id(), blobs.next_id()] == [0xFFFF, 1]


class Upwards:
    """Devices whose blobs share a room, and a clock that is set."""

    def __init__(self, limit_bytes):
        self.now_s = 0.0
        self.room = BlobRoom(limit_bytes)
        self.refused = []

    def device(self):
        return Blobs(
            lambda data: True,
            lambda *state: self.refused.append(state) if state[2] else None,
            room=self.room,
            now_s=lambda: self.now_s,
        )


def send(blobs, data, blob_id):
    for chunk in chunks(data, blob_id):
        blobs.receive(chunk)


def test_what_nobody_fetches_is_forgotten_after_a_minute():
    up = Upwards(1_000_000)
    device = up.device()
    send(device, PHOTO, 1)
    up.now_s = KEPT_S
    device.sweep()
    assert up.room.used == len(PHOTO)
    up.now_s = KEPT_S + 1
    device.sweep()
    assert up.room.used == 0 and device._kept == {}


def test_what_is_never_finished_is_forgotten_a_minute_after_its_last_chunk():
    up = Upwards(1_000_000)
    device = up.device()
    first, second, _ = chunks(PHOTO)
    device.receive(first)
    up.now_s = 50.0
    device.receive(second)
    up.now_s = 100.0
    device.sweep()
    assert up.room.used > 8000
    up.now_s = 111.0
    device.sweep()
    assert up.room.used == 0 and device._incoming == {}


def test_a_device_keeps_so_many_and_the_oldest_goes_first():
    up = Upwards(10_000_000)
    device = up.device()
    for blob_id in range(1, KEPT_MAX + 3):
        send(device, PHOTO, blob_id)
    assert list(device._kept) == list(range(3, KEPT_MAX + 3))
    assert up.room.used == KEPT_MAX * len(PHOTO)


def test_four_unfinished_photos_come_side_by_side_and_a_fifth_takes_the_place_of_the_first():
    for count, whole in ((4, [1, 2, 3, 4]), (5, [2, 3, 4, 5])):
        blobs, _, _ = pair()
        pieces = {blob_id: chunks(PHOTO, blob_id) for blob_id in range(1, count + 1)}
        for first, *_ in pieces.values():
            blobs.receive(first)
        arrived = []
        for blob_id, (_, *rest) in pieces.items():
            outcomes = [blobs.receive(chunk) for chunk in rest]
            arrived += [blob_id] * (outcomes[-1] is not None)
        assert arrived == whole


def test_all_devices_together_hold_no_more_than_the_room_and_are_refused_beyond_it():
    up = Upwards(3 * len(PHOTO))
    devices = [up.device() for _ in range(4)]
    for device in devices[:3]:
        send(device, PHOTO, 1)
    with pytest.raises(WireError, match="finds no room"):
        send(devices[3], PHOTO, 1)
    assert up.room.used == 3 * len(PHOTO)
    assert up.refused == [(1, 0, "blob: finds no room in the bridge now")]
    devices[0].clear()
    send(devices[3], PHOTO, 2)
    assert up.room.used == 3 * len(PHOTO)


def test_repeats_and_damage_take_no_room():
    up = Upwards(1_000_000)
    device = up.device()
    first, second, third = chunks(PHOTO)
    for chunk in (first, first, third, third, second, second, first, third):
        device.receive(chunk)
    assert up.room.used == len(PHOTO)
    *whole, last = chunks(PHOTO, 3, sha256="0" * 64)
    for chunk in whole:
        device.receive(chunk)
    with pytest.raises(WireError, match="damaged"):
        device.receive(last)
    assert up.room.used == len(PHOTO)


def test_the_room_is_taken_and_given_back_to_the_last_byte():
    room = BlobRoom(10)
    assert room.take(3) and room.take(7) and room.used == 10
    assert not room.take(1) and room.used == 10
    room.give(7)
    assert not room.take(8) and room.take(7)


def test_a_device_may_ask_from_before_the_first_chunk_or_past_the_last():
    async def conversation():
        blobs, sent, _ = pair()
        sending = asyncio.create_task(blobs.send("glyphs", PHOTO, blob_id=5))
        await asyncio.sleep(0)
        blobs.state(5, -1, None)
        assert [blob.decode(data).index for data in sent] == [0, 1, 2] * 2
        blobs.state(4, 9, None)  # another one
        assert not sending.done()
        blobs.state(5, 9, None)
        assert await sending == 5

    run_virtual(conversation())


@pytest.mark.parametrize(("size", "seconds"), [(0, 2.0), (50_000, 3.0), (150_000, 5.0)])
def test_a_large_blob_has_the_time_that_a_slow_radio_takes(size, seconds):
    async def conversation():
        with pytest.raises(BlobFailed):
            await pair()[0].send("image", bytes(size))
        assert asyncio.get_running_loop().time() == pytest.approx(seconds)

    run_virtual(conversation())


def indices(sent):
    return [blob.decode(data).index for data in sent]


def test_a_large_blob_goes_a_few_chunks_at_a_time_as_the_device_asks():
    async def conversation():
        blobs, sent, _ = pair()
        sending = asyncio.create_task(blobs.send("image", bytes(20_000), blob_id=5, in_turns=True))
        await asyncio.sleep(0)
        assert indices(sent) == [0, 1]
        blobs.state(5, 2, None)
        assert indices(sent) == [0, 1, 2, 3]
        blobs.state(5, 3, None)  # after a reconnect: the fourth was lost
        assert indices(sent) == [0, 1, 2, 3, 3, 4]
        blobs.state(5, 5, None)
        assert await sending == 5

    run_virtual(conversation())


def test_a_large_blob_has_its_time_anew_whenever_it_gets_on():
    async def conversation():
        blobs, sent, _ = pair()
        sending = asyncio.create_task(blobs.send("image", bytes(20_000), blob_id=5, in_turns=True))
        for wanted in (2, 4):
            await asyncio.sleep(2)
            blobs.state(5, wanted, None)
        await asyncio.sleep(2)
        blobs.state(5, 4, None)  # asked for again: it does not get on
        with pytest.raises(BlobFailed, match="in time"):
            await sending
        assert asyncio.get_running_loop().time() == pytest.approx(4 + 2 + 8192 / 50_000)
        assert indices(sent) == [0, 1, 2, 3, 4, 4]

    run_virtual(conversation())
