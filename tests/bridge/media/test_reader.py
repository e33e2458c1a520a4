"""Sound files as speech: every kind, while they come, broken, too long, without the extra."""

import asyncio
import builtins
import threading

import numpy as np
import pytest
from fakes.sound.files import KINDS, TONE_HZ, sound_file
from voxcard.assistants import Media
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.fetching.addresses import FetchFailed
from voxcard.media import decoder
from voxcard.media.fetch import BYTES_MAX
from voxcard.media.reader import MediaReader


class Source:
    """A fetcher that gives `pieces`; an error among them is raised, an event waited for."""

    def __init__(self, *pieces):
        self.pieces = pieces
        self.ended = False

    async def fetch(self, url):
        try:
            for piece in self.pieces:
                if isinstance(piece, asyncio.Event):
                    await piece.wait()
                elif isinstance(piece, Exception):
                    raise piece
                else:
                    yield piece
        finally:
            self.ended = True


def play(media, source=None):
    """(every piece of its sound, why there was no more or None)."""

    async def conversation():
        pieces = []
        try:
            async for piece in MediaReader(source).read(media):
                pieces.append(piece)
        except VoxcardError as error:
            return pieces, error
        return pieces, None

    return asyncio.run(conversation())


def sound(pieces):
    """(its length in ms, its loudest frequency)."""
    rates = {piece.rate_hz for piece in pieces}
    pcm = np.frombuffer(b"".join(piece.pcm for piece in pieces), dtype="<i2")
    (rate_hz,) = rates
    spectrum = np.abs(np.fft.rfft(pcm))
    return len(pcm) * 1000 // rate_hz, np.argmax(spectrum) * rate_hz / len(pcm)


@pytest.mark.parametrize("layout", ["mono", "stereo"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_every_kind_is_heard_whole(kind, layout):
    pieces, error = play(Media(data=sound_file(kind, layout=layout)))
    length_ms, tone_hz = sound(pieces)
    assert error is None
    assert 1000 <= length_ms < 1060 and abs(tone_hz - TONE_HZ) < 2
    assert pieces[0].rate_hz == KINDS[kind][2]
    # The first piece is short: it is what a person waits for.
    assert len(pieces[0].pcm) < 120 * pieces[0].rate_hz * 2 // 1000


@pytest.mark.parametrize("kind", ["wav", "mp3", "aac", "flac"])
def test_it_is_heard_while_it_is_fetched(kind):
    data = sound_file(kind, ms=4000)
    half = len(data) // 2

    async def conversation():
        rest = asyncio.Event()
        reader = MediaReader(Source(data[:half], rest, data[half:]))
        pieces = []
        async for piece in reader.read(Media(url="http://home/a")):
            pieces.append(piece)
            rest.set()  # only what was heard lets the rest come
        return pieces

    pieces = asyncio.run(asyncio.wait_for(conversation(), 10))
    assert sound(pieces)[0] >= 4000


def test_a_tag_with_a_picture_stands_before_the_sound():
    tag = b"ID3\x04\x00\x00\x00\x00\x40\x00" + bytes(64 << 7)
    for kind in ("mp3", "aac", "flac"):
        pieces, error = play(Media(data=tag + sound_file(kind)))
        assert error is None and sound(pieces)[0] >= 1000, kind


@pytest.mark.parametrize(
    "data",
    [
        b"#EXTM3U\nhttp://169.254.169.254/secret\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"<html>Not found</html>",
        b"RIFF",
        b"\x00",
    ],
)
def test_what_is_no_sound_file_is_not_opened(data):
    pieces, error = play(Media(data=data))
    assert pieces == []
    assert str(error) == ("That is no sound file. WAV, MP3, Ogg, FLAC, AAC and MP4 are played.")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "wav"])
def test_a_file_that_is_broken_is_one_sentence(kind):
    data = sound_file(kind)
    for broken in (data[:12], data[:60], data[:40] + bytes(len(data))):
        pieces, error = play(Media(data=broken))
        assert error is None or str(error) in (
            "The sound file is broken.",
            "The sound file has no sound in it.",
            "That is no sound file. WAV, MP3, Ogg, FLAC, AAC and MP4 are played.",
        ), (kind, len(broken))
        assert len(pieces) < 10


def test_garbage_in_the_middle_loses_that_and_no_more():
    data = bytearray(sound_file("mp3", ms=4000))
    data[6000:6400] = bytes(range(200)) * 2
    pieces, error = play(Media(data=bytes(data)))
    assert error is None and sound(pieces)[0] > 3500


def test_a_cut_file_gives_what_there_is():
    data = sound_file("wav")
    pieces, error = play(Media(data=data[: len(data) // 2]))
    assert error is None and 480 <= sound(pieces)[0] <= 500


def test_a_fetch_that_fails_in_the_middle_plays_what_came_and_says_why():
    data = sound_file("mp3", ms=4000)
    source = Source(data[: len(data) // 2], FetchFailed("home does not answer.", "Look there."))
    pieces, error = play(Media(url="http://home/a"), source)
    assert 1800 <= sound(pieces)[0] <= 2100
    assert str(error) == "home does not answer. Look there."


def test_a_fetch_that_fails_at_once_says_why():
    pieces, error = play(Media(url="http://home/a"), Source(FetchFailed("home is away.", "")))
    assert (pieces, str(error)) == ([], "home is away.")


def test_a_sound_that_is_too_long_is_cut_off(monkeypatch):
    monkeypatch.setattr(decoder, "SOUND_MAX_S", 60)
    data = sound_file("flac", ms=61_000)
    pieces, error = play(Media(data=data))
    assert str(error) == "The sound is longer than 1 minutes."
    assert 59_000 <= sound(pieces)[0] <= 60_000


def test_nothing_and_too_much_are_refused():
    assert "named none" in str(play(Media())[1])
    assert "larger than 16 MB" in str(play(Media(data=bytes(BYTES_MAX + 1)))[1])


def test_without_the_extra_one_sentence_says_how_to_get_it(monkeypatch):
    real = builtins.__import__

    def absent(name, *more):
        if name == "av":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", absent)
    pieces, error = play(Media(data=sound_file("mp3")))
    assert pieces == [] and isinstance(error, MissingExtra)
    assert str(error).startswith("What plays sound files (PyAV) is not installed. Run: ")
    assert "media" in str(error)
    # What needs no decoder is played all the same.
    assert sound(play(Media(data=sound_file("wav")))[0])[0] == 1000


def test_one_that_is_not_wanted_any_more_lets_go_of_its_fetch_and_its_thread():
    async def conversation():
        source = Source(sound_file("mp3", ms=4000)[:8000], asyncio.Event())
        sound = MediaReader(source).read(Media(url="http://home/a"))
        await anext(sound)
        waiting = asyncio.create_task(_drain(sound))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await sound.aclose()
        assert source.ended
        assert asyncio.all_tasks() == {asyncio.current_task()}

    async def _drain(sound):
        async for _ in sound:
            pass

    before = set(threading.enumerate())
    asyncio.run(conversation())
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()
