"""The microphone of a turn: lost, repeated and foreign frames."""

import asyncio

import pytest
from fakes.bridge import run_virtual
from voxcard.session.uplink import QUEUE_FRAMES, Microphone
from voxwire import audio as wire
from voxwire.errors import WireError


def frame(seq, value=1):
    return wire.encode(wire.AudioFrame(0, seq & 0xFFFF, 0, bytes((value, 0)) * 4))


def heard(microphone):
    async def listen():
        microphone.close()
        return b"".join([piece async for piece in microphone])

    return run_virtual(listen())


def test_lost_frames_leave_the_frame_before_and_silence_of_their_length():
    for lost, silence in ((1, 0), (2, 1), (25, 24), (100, 24)):
        microphone = Microphone(0xFFFF, 0.0)
        microphone.add(frame(0xFFFF, 1), 0.0)
        microphone.add(frame(lost, 2), 1.5)
        assert (microphone.received, microphone.lost, microphone.last_s) == (2, lost, 1.5)
        assert heard(microphone) == b"\1\0" * 8 + bytes(8 * silence) + b"\2\0" * 4


def test_the_first_frame_that_is_lost_leaves_silence():
    microphone = Microphone(0, 0.0)
    microphone.add(frame(1), 0.0)
    assert heard(microphone) == bytes(8) + b"\1\0" * 4


def test_repeated_late_and_foreign_frames_are_dropped():
    microphone = Microphone(10, 0.0)
    for seq in (10, 10, 9, 12, 11, 40000, 13):
        microphone.add(frame(seq), 0.0)
    assert (microphone.received, microphone.lost, microphone.dropped) == (3, 1, 4)


def test_a_jump_of_100_frames_is_loss_and_one_of_more_is_another_turn():
    microphone = Microphone(10, 0.0)
    microphone.add(frame(10 + 101), 0.0)
    assert (microphone.received, microphone.lost, microphone.dropped) == (0, 0, 1)
    microphone.add(frame(10 + 100), 0.0)
    assert (microphone.received, microphone.lost, microphone.dropped) == (1, 100, 1)
    assert len(heard(microphone)) == 8 * (25 + 1)


def test_what_has_not_come_is_counted_as_far_as_it_is_near():
    microphone = Microphone(0xFFFF, 0.0)
    counts = {0xFFFE: 0, 0xFFFF: 0, 0: 1, 41: 42, 99: 100, 100: 0, 40000: 0}
    assert {seq: microphone.missing(seq) for seq in counts} == counts


def test_an_assistant_that_does_not_listen_costs_the_oldest_frames():
    microphone = Microphone(0, 0.0)
    for seq in range(QUEUE_FRAMES + 3):
        microphone.add(frame(seq, seq & 0x7F), 0.0)
    assert microphone.dropped == 3
    assert heard(microphone)[:2] == b"\3\0"


def test_a_recording_is_all_that_was_heard_and_is_kept_only_when_asked_for():
    microphone, silent = Microphone(0, 0.0, keep=True), Microphone(0, 0.0)
    for seq in (0, 2):
        microphone.add(frame(seq), 0.0)
        silent.add(frame(seq), 0.0)
    assert heard(microphone) == microphone.recording() == b"\1\0" * 12
    assert silent.recording() == b""


def test_garbage_is_refused_and_costs_nothing():
    microphone = Microphone(0, 0.0)
    with pytest.raises(WireError):
        microphone.add(b"\1\0\0", 0.0)
    with pytest.raises(ValueError, match="codec 2"):
        microphone.add(wire.encode(wire.AudioFrame(2, 0, 0, b"x")), 0.0)
    assert microphone.received == 0


def test_a_reader_waits_for_frames_and_ends_with_the_microphone():
    async def conversation():
        microphone = Microphone(0, 0.0)
        pieces = []

        async def read():
            async for piece in microphone:
                pieces.append(len(piece))

        reader = asyncio.create_task(read())
        await asyncio.sleep(0)
        microphone.add(frame(0), 0.0)
        await asyncio.sleep(0)
        assert pieces == [8]
        microphone.close()
        microphone.add(frame(1), 0.0)
        await reader
        assert pieces == [8]

    run_virtual(conversation())
