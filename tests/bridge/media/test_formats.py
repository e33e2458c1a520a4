"""What a file is taken for by its first bytes, and WAV headers."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.media.formats import HEAD_BYTES, format_of, tag_bytes
from voxcard.media.wav import WavHeader, wav_header

ID3 = b"ID3\x04\x00\x00\x00\x00\x01\x02"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"RIFF\x00\x00\x00\x00WAVE", "wav"),
        (b"RF64\xff\xff\xff\xffWAVE", "wav"),
        (b"OggS\x00\x02\x00\x00\x00\x00\x00\x00", "ogg"),
        (b"fLaC\x00\x00\x00\x22\x10\x00\x10\x00", "flac"),
        (b"\x00\x00\x00\x1cftypisom", "mov"),
        (ID3 + b"\x00\x00", "mp3"),
        (b"\xff\xfb\x90\x64" + bytes(8), "mp3"),  # MPEG-1 layer III
        (b"\xff\xf3\x40\xc4" + bytes(8), "mp3"),  # MPEG-2 layer III
        (b"\xff\xf1\x50\x80" + bytes(8), "aac"),
        (b"\xff\xf9\x50\x80" + bytes(8), "aac"),
        (b"\xff\xeb\x90\x64" + bytes(8), None),  # a version that there is not
        (b"\xff\xe1\x50\x80" + bytes(8), None),
        (b"#EXTM3U\n#EXT-X", None),  # a playlist would open what it names
        (b"ffconcat version", None),
        (b"RIFF\x00\x00\x00\x00AVI ", None),
        (b"<html><body>", None),
        (b"\xff", None),
        (b"", None),
    ],
)
def test_only_what_is_known_is_opened(head, name):
    assert format_of(head) == name


def test_the_length_of_a_tag_is_counted_in_seven_bits():
    assert tag_bytes(ID3) == 10 + (1 << 7 | 2)
    assert tag_bytes(b"ID3") == tag_bytes(b"fLaC" + bytes(8)) == 0


@given(st.binary(max_size=64))
def test_any_bytes_have_a_format_or_none(head):
    assert format_of(head) in ("wav", "ogg", "flac", "mov", "mp3", "aac", None)
    assert tag_bytes(head) >= 0
    wav_header(head)


def wav(*chunks):
    body = b"".join(kind + struct.pack("<I", len(data)) + data for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def fmt(tag=1, channels=1, rate_hz=22050, bits=16, more=b""):
    frame = channels * bits // 8
    return b"fmt ", struct.pack(
        "<HHIIHH", tag, channels, rate_hz, rate_hz * frame, frame, bits
    ) + more


def test_the_samples_of_a_wav_file_stand_after_its_chunks():
    assert wav_header(wav(fmt(), (b"data", b"abcd"))) == WavHeader(
        rate_hz=22050, channels=1, data_at=44
    )
    many = wav((b"LIST", b"x" * 10), fmt(channels=2, more=b"\x00\x00"), (b"data", b""))
    assert wav_header(many) == WavHeader(rate_hz=22050, channels=2, data_at=44 + 18 + 2)


def test_a_file_whose_length_is_not_known_yet_is_one():
    streamed = wav(fmt(), (b"data", b""))[:-4] + b"\xff\xff\xff\xff"
    assert wav_header(streamed).data_at == 44


@pytest.mark.parametrize(
    "head",
    [
        wav(fmt(tag=3, bits=32), (b"data", b"")),
        wav(fmt(bits=8), (b"data", b"")),
        wav(fmt(channels=6), (b"data", b"")),
        wav((b"data", b"abcd")),
        wav((b"fmt ", b"short"), (b"data", b"")),
        wav(fmt()),
        wav(fmt(), (b"data", b""))[:30],
    ],
)
def test_other_wav_files_are_left_to_the_decoder(head):
    assert wav_header(head) is None


def test_a_head_is_enough_to_tell():
    assert len(b"RIFF....WAVE") == HEAD_BYTES
