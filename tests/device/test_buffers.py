"""Buffers made once: views by offset, copies by bytes, frames that two directions share."""

from audio.buffers import Frames, Tails, copy
from audio.capture import Capture
from audio.playback import Playback
from fakes.device.audio_device import FakeMicrophone, FakeSpeaker, HandClock


def test_frames_are_allocated_again_only_when_larger_ones_are_needed():
    frames = Frames()
    first = frames.take(4, 100)
    assert [len(each) for each in first] == [100] * 4
    assert frames.take(3, 90) is first
    assert [len(each) for each in frames.take(3, 101)] == [101] * 3


def test_the_samples_of_a_frame_have_one_buffer_while_their_size_is_the_same():
    frames = Frames()
    samples = frames.samples(1280)
    assert len(samples.buffer) == 1280
    assert frames.samples(1280) is samples
    # A speaker of another rate has one of its own, and the first goes on being good.
    assert len(frames.samples(1920).buffer) == 1920 and len(samples.buffer) == 1280


def test_a_view_of_an_offset_is_made_once():
    tails = Tails(bytearray(b"abcd"))
    assert bytes(tails.at(2)) == b"cd"
    assert tails.at(2) is tails.at(2)


def test_bytes_are_copied_to_the_start_of_the_target():
    target = bytearray(3)
    copy(b"abcd", 1, 2, target)
    assert target == b"bc\x00"


def test_a_packet_longer_than_the_codecs_is_refused_in_a_shared_buffer():
    frames = Frames()
    Capture(FakeMicrophone(), lambda buffer, size: True, frames=frames)
    playback = Playback(FakeSpeaker(HandClock()), frames=frames)
    playback.begin(0)
    # A packet of one byte more would be decoded beyond the end of the samples.
    for payload, refused in ((324, 0), (325, 1), (332, 2)):
        playback.accept(b"\x01\x01\x00\x00\x00\x00\x00\x00" + bytes(payload))
        assert playback.refused == refused
