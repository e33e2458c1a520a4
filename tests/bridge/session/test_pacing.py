"""Pacing: how far ahead of the device's playing frames may be, and how speech is cut."""

from voxcard.session.pacing import Cutter, Mark, Pace, heard_text


def send_all(pace, frames, now_ms=0.0):
    """When each frame leaves."""
    left = []
    for _ in range(frames):
        now_ms += pace.wait_ms(now_ms)
        pace = pace.sent(now_ms)
        left.append(now_ms)
    return left


def test_the_buffer_is_filled_at_once_but_for_one_frame_then_a_frame_leaves_each_frame_time():
    assert send_all(Pace(frame_ms=40, buffer_ms=200), 7) == [0, 0, 0, 0, 40, 80, 120]


def test_a_buffer_of_one_frame_still_lets_frames_through():
    assert send_all(Pace(frame_ms=60, buffer_ms=60), 3) == [0, 60, 120]


def test_a_device_that_ran_dry_is_filled_anew():
    pace = Pace(frame_ms=40, buffer_ms=120).sent(0).sent(0)
    assert pace.wait_ms(1000) == 0
    pace = pace.sent(1000)
    assert (pace.began_ms, pace.sent_ms) == (1000, 40)
    assert pace.wait_ms(1000) == 0 and pace.sent(1000).wait_ms(1000) == 40


def test_speech_is_cut_into_whole_frames_and_the_last_one_is_filled_with_silence():
    cutter = Cutter(4)
    assert list(cutter.cut(b"abcdef")) == [b"abcd"]
    assert list(cutter.cut(b"ghi")) == [b"efgh"]
    assert cutter.last() == b"i\0\0\0"
    assert cutter.last() == b""


def test_what_was_heard_ends_in_the_middle_of_a_sentence():
    marks = (Mark(text="The volume is sixty.", first=0), Mark(text="Say more or less.", first=20))
    assert heard_text(marks, 40, 0) == ""
    assert heard_text(marks, 40, 10) == "The"
    assert heard_text(marks, 40, 11) == "The volume"
    assert heard_text(marks, 40, 20) == "The volume is sixty."
    assert heard_text(marks, 20, 20) == "The volume is sixty."
    assert heard_text(marks, 40, 30) == "The volume is sixty. Say more"
    assert heard_text(marks, 40, 40) == "The volume is sixty. Say more or less."


def test_long_words_and_numbers_take_longer_than_short_ones():
    marks = (Mark(text="I am at 35 percent, unfortunately.", first=0),)
    heard = [heard_text(marks, 100, frames) for frames in (20, 40, 60, 99, 100)]
    assert heard == [
        "I am at",
        "I am at 35",
        "I am at 35 percent,",
        "I am at 35 percent,",
        "I am at 35 percent, unfortunately.",
    ]
