"""For any speech and any delays: nothing is lost, and the device's buffer never overflows."""

from hypothesis import given
from hypothesis import strategies as st
from voxcard.session.pacing import Cutter, Mark, Pace, heard_text


@given(st.lists(st.binary(max_size=50)), st.integers(1, 16))
def test_the_frames_are_the_speech_and_nothing_but_silence_after_it(pieces, size):
    cutter = Cutter(size)
    frames = [frame for piece in pieces for frame in cutter.cut(piece)]
    frames += [last] if (last := cutter.last()) else []
    said = b"".join(pieces)
    assert all(len(frame) == size for frame in frames)
    assert b"".join(frames).startswith(said)
    assert set(b"".join(frames)[len(said) :]) <= {0} and len(frames) == -(-len(said) // size)


@given(
    st.sampled_from((20, 40, 60)),
    st.integers(60, 10000),
    st.lists(st.floats(0, 500), min_size=1, max_size=200),
)
def test_a_device_never_holds_more_than_its_buffer(frame_ms, buffer_ms, delays):
    pace, now, held, played_to = Pace(frame_ms=frame_ms, buffer_ms=buffer_ms), 0.0, 0.0, 0.0
    for delay in delays:
        now += delay + pace.wait_ms(now + delay)
        held = max(0.0, held - (now - played_to))  # the device played since
        played_to = now
        held += frame_ms
        pace = pace.sent(now)
        assert held <= max(frame_ms, buffer_ms) + 1e-6


@given(st.lists(st.text(min_size=1), max_size=5), st.integers(0, 100), st.integers(0, 100))
def test_heard_text_never_shrinks_while_audio_is_played(texts, sent, heard):
    marks = tuple(Mark(text=text, first=index * 10) for index, text in enumerate(texts))
    assert len(heard_text(marks, sent, heard)) <= len(heard_text(marks, sent, heard + 1000))
