"""Sound between the wire and the assistant: frames to pcm16, pcm16 to frames, resampling."""

import io
import struct
import warnings
import wave
from typing import Literal

import numpy as np
import soxr
from voxwire import audio as wire

from voxcard.errors import VoxcardError

with warnings.catch_warnings():
    # Standard library up to 3.12, the audioop-lts wheel after it; both under this name.
    warnings.simplefilter("ignore", DeprecationWarning)
    import audioop

_ADPCM = struct.Struct(">hBB")
SAMPLE_BYTES = 2
WAV_HZ_MIN, WAV_HZ_MAX = 4_000, 192_000  # of a recording that is read
# What this bridge can send and hear, preferred first: a quarter of the bytes for the radio.
FORMATS = ("ima-adpcm", "pcm16")


def to_pcm(codec: int, payload: bytes | memoryview) -> bytes:
    """pcm16 of a checked frame's payload; ValueError for a codec this bridge does not know."""
    if codec == wire.PCM16:
        return bytes(payload)
    if codec == wire.IMA_ADPCM:
        predictor, index, _ = _ADPCM.unpack_from(payload)
        state = (predictor, index)
        pcm: bytes = audioop.adpcm2lin(payload[_ADPCM.size :], SAMPLE_BYTES, state)[0]
        return pcm
    raise ValueError(f"codec {codec} is not spoken here")


class FrameWriter:
    """Makes the frames of one speech: numbered from `base`, each of `frame_ms`."""

    def __init__(self, format_name: str, *, base: int, frame_ms: int) -> None:
        self._codec = wire.FORMATS[format_name]
        self._base = base
        self._frame_ms = frame_ms
        self._state: tuple[int, int] = (0, 0)
        self.count = 0

    def write(self, pcm: bytes) -> bytes:
        """The bytes of the next frame."""
        payload = pcm if self._codec == wire.PCM16 else self._adpcm(pcm)
        buffer = bytearray(wire.HEADER_BYTES)
        wire.write_header(
            buffer, self._codec, self._base + self.count, self.count * self._frame_ms
        )
        self.count += 1
        return bytes(buffer) + payload

    def _adpcm(self, pcm: bytes) -> bytes:
        # Opening with the coder's state lets a device decode each frame alone.
        opening = _ADPCM.pack(*self._state, 0)
        packed, self._state = audioop.lin2adpcm(pcm, SAMPLE_BYTES, self._state)
        return opening + bytes(packed)


# soxr's QQ is not among them: it lets through whole what is too high for the lower rate.
_QUALITIES = {"quick": soxr.LQ, "medium": soxr.MQ, "high": soxr.HQ}
Quality = Literal["quick", "medium", "high"]


class Resampler:
    """pcm16 mono of any rate to `rate_hz`, piece by piece.

    The first sample comes out when so many ms went in: quality "quick" 22, "medium" and "high" 43
    (soxr 1.1, of 16 to 48 kHz to 16 or 24 kHz).
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._from_hz = rate_hz
        self._stream: soxr.ResampleStream | None = None

    def put(self, pcm: bytes, rate_hz: int, quality: Quality = "high") -> bytes:
        """What comes out for `pcm`; a change of rate ends the piece before it, and only a new
        piece has another `quality`."""
        before = b""
        if rate_hz != self._from_hz:
            before = self.end()
            self._from_hz = rate_hz
        if rate_hz == self._rate_hz:
            return before + pcm
        return before + self._run(pcm, rate_hz, quality)

    def end(self) -> bytes:
        """The samples the filter still holds."""
        if self._stream is None:
            return b""
        tail, self._stream = _resampled(self._stream, b"", last=True), None
        return tail

    def _run(self, pcm: bytes, rate_hz: int, quality: Quality) -> bytes:
        if self._stream is None:
            self._stream = soxr.ResampleStream(
                rate_hz, self._rate_hz, 1, dtype="int16", quality=_QUALITIES[quality]
            )
        return _resampled(self._stream, pcm, last=False)


def _resampled(stream: soxr.ResampleStream, pcm: bytes, *, last: bool) -> bytes:
    samples = np.frombuffer(pcm, dtype="<i2")
    out: bytes = stream.resample_chunk(samples, last=last).astype("<i2").tobytes()
    return out


def resample(pcm: bytes, from_hz: int, to_hz: int) -> bytes:
    """A whole pcm16 recording at another rate."""
    stream = Resampler(to_hz)
    return stream.put(pcm, from_hz) + stream.end()


def write_wav(pcm: bytes, rate_hz: int) -> bytes:
    """The bytes of a WAV file of pcm16 mono."""
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(SAMPLE_BYTES)
        wav.setframerate(rate_hz)
        wav.writeframes(pcm)
    return file.getvalue()


def read_wav(data: bytes, rate_hz: int) -> bytes:
    """pcm16 mono at `rate_hz` of a WAV file's bytes (16-bit PCM, mono or stereo, common rates).

    VoxcardError for anything else; a file that was cut off gives its whole samples.
    """
    remedy = "Save it as 16-bit PCM, mono or stereo."
    if not data:
        raise VoxcardError("That WAV file is empty.", remedy)
    try:
        with wave.open(io.BytesIO(data)) as wav:
            width, channels, from_hz = wav.getsampwidth(), wav.getnchannels(), wav.getframerate()
            # A header that says more than there is gives what there is.
            pcm = wav.readframes(min(wav.getnframes(), len(data)))
    except (wave.Error, EOFError, RuntimeError, ValueError, MemoryError) as error:
        reason = str(error) or "it ends too early"
        raise VoxcardError(f"That is not a WAV file ({reason}).", remedy) from error
    if width != SAMPLE_BYTES or channels not in (1, 2):
        raise VoxcardError(f"The WAV file has {width * 8} bits and {channels} channels.", remedy)
    if not WAV_HZ_MIN <= from_hz <= WAV_HZ_MAX:
        span = f"from {WAV_HZ_MIN} to {WAV_HZ_MAX} Hz"
        raise VoxcardError(f"The WAV file has {from_hz} samples a second.", f"Save it {span}.")
    pcm = pcm[: len(pcm) - len(pcm) % (SAMPLE_BYTES * channels)]
    return resample(to_mono(pcm, channels), from_hz, rate_hz)


def to_mono(pcm: bytes, channels: int) -> bytes:
    """Whole frames of pcm16 of one or two channels as one channel."""
    mono: bytes = audioop.tomono(pcm, SAMPLE_BYTES, 0.5, 0.5) if channels == 2 else pcm
    return mono
