"""Decodes a sound file as it comes; blocks, so it runs in a thread."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from voxcard.assistants import Speech
from voxcard.audio import SAMPLE_BYTES, WAV_HZ_MAX, WAV_HZ_MIN, to_mono
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.media.formats import HEAD_BYTES, format_of, tag_bytes
from voxcard.media.spool import Spool
from voxcard.media.wav import HEADER_BYTES, WavHeader, wav_header

if TYPE_CHECKING:
    import av

SOUND_MAX_S = 300  # of one file; a device speaks no longer at a time
TAG_BYTES_MAX = 1 << 20  # pictures in a tag before the sound
BROKEN_MAX = 50  # packets that cannot be decoded
BUFFER_BYTES = 2048  # FFmpeg fills it before it looks
FIRST_MS, PIECE_MS = 40, 200  # of sound at a time
# What FFmpeg may read before it must know the stream, and at a time of a WAV file: else it waits
# for seconds of sound.
_OPTIONS = {"probesize": "4096", "analyzeduration": "100000", "max_size": "4096"}


class MediaFailed(VoxcardError):  # noqa: N818 - says what happened
    """A sound file could not be played, or not to its end."""


def decode(file: Spool) -> Iterator[Speech]:
    """The sound in `file`, mono, piece by piece; VoxcardError says why there is no more."""
    name = _format(file)
    wav = wav_header(file.head(HEADER_BYTES)) if name == "wav" else None
    if wav is not None:
        yield from _joined(_samples(file, wav))
    else:
        yield from _joined(_decoded(file, name))
    if file.error is not None:
        raise file.error


def _samples(file: Spool, wav: WavHeader) -> Iterator[tuple[int, bytes]]:
    """(rate, pcm16 mono) of a file that needs no decoder; its length is what comes."""
    file.read(wav.data_at)
    frame_bytes, rest = SAMPLE_BYTES * wav.channels, b""
    while piece := file.read(BUFFER_BYTES):
        pcm = rest + piece
        whole = len(pcm) - len(pcm) % frame_bytes
        rest = pcm[whole:]
        yield wav.rate_hz, to_mono(pcm[:whole], wav.channels)


def _decoded(file: Spool, name: str) -> Iterator[tuple[int, bytes]]:
    """(rate, pcm16 mono) of any other file."""
    av = _library()
    try:
        with av.open(
            file,
            format=name,
            options=_OPTIONS,
            io_open=_refuse,
            buffer_size=BUFFER_BYTES,
            metadata_errors="replace",
        ) as container:
            if not container.streams.audio:
                raise MediaFailed("The sound file has no sound in it.")
            for frame in _frames(av, container):
                yield frame.rate, bytes(frame.planes[0])[: frame.samples * SAMPLE_BYTES]
    except av.FFmpegError as error:
        raise file.error or MediaFailed("The sound file is broken.") from error


def _library() -> Any:
    try:
        import av
    except ImportError as error:
        raise MissingExtra("What plays sound files (PyAV)", "media") from error
    return av


def _format(file: Spool) -> str:
    head = file.head(HEAD_BYTES)
    tag = tag_bytes(head)
    if 0 < tag <= TAG_BYTES_MAX:  # FLAC and AAC may have one in front, too
        head = file.head(tag + HEAD_BYTES)[tag:] or head
    name = format_of(head)
    if name is None and file.error is not None:
        raise file.error
    if name is None:
        raise MediaFailed("That is no sound file.", "WAV, MP3, Ogg, FLAC, AAC and MP4 are played.")
    if name == "mov":  # what is where may stand at its end
        file.wait_whole()
    return name


def _refuse(url: str, flags: int, options: object) -> Any:
    raise PermissionError("a sound file opens no other")


def _joined(sound: Iterator[tuple[int, bytes]]) -> Iterator[Speech]:
    """The sound in pieces of some length, the first one short."""
    rate_hz, pcm, begun, sound_bytes = 0, bytearray(), False, 0
    for piece_hz, piece in sound:
        if not WAV_HZ_MIN <= piece_hz <= WAV_HZ_MAX:
            raise MediaFailed(f"The sound file has {piece_hz} samples a second.")
        if pcm and piece_hz != rate_hz:
            yield Speech(pcm=bytes(pcm), rate_hz=rate_hz)
            pcm.clear()
        rate_hz = piece_hz
        pcm += piece
        sound_bytes += len(piece)
        if sound_bytes > SOUND_MAX_S * rate_hz * SAMPLE_BYTES:
            raise MediaFailed(f"The sound is longer than {SOUND_MAX_S // 60} minutes.")
        wanted_ms = PIECE_MS if begun else FIRST_MS
        if len(pcm) >= wanted_ms * rate_hz * SAMPLE_BYTES // 1000:
            yield Speech(pcm=bytes(pcm), rate_hz=rate_hz)
            begun = True
            pcm.clear()
    if pcm:
        yield Speech(pcm=bytes(pcm), rate_hz=rate_hz)


def _frames(av: Any, container: "av.container.InputContainer") -> Iterator[Any]:
    """Frames of 16-bit mono at the file's own rate."""
    stream, broken, rate_hz = container.streams.audio[0], 0, 0
    stream.codec_context.thread_count = 1  # frames are not held back for other threads
    resampler = av.AudioResampler(format="s16", layout="mono")
    for packet in container.demux(stream):
        try:
            frames = packet.decode()
        except av.InvalidDataError as error:
            broken += 1
            if broken > BROKEN_MAX:
                raise MediaFailed("The sound file is broken.") from error
            continue
        for frame in frames:
            if frame.rate != rate_hz:
                rate_hz, resampler = frame.rate, av.AudioResampler(format="s16", layout="mono")
            frame.pts = None  # a jump in the clock of a stream is not sound
            yield from resampler.resample(frame)
