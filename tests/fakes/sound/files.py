"""Sound files of every kind that is played, made by the codecs that are there."""

import functools
import io

import av
import numpy as np

# kind -> (container, codec, rate)
KINDS = {
    "wav": ("wav", "pcm_s16le", 22050),
    "wav of floats": ("wav", "pcm_f32le", 16000),
    "mp3": ("mp3", "libmp3lame", 22050),
    "ogg": ("ogg", "libopus", 48000),
    "flac": ("flac", "flac", 44100),
    "aac": ("adts", "aac", 44100),
    "mp4": ("mp4", "aac", 44100),
}
TONE_HZ = 440


@functools.cache
def sound_file(kind: str, ms: int = 1000, layout: str = "mono") -> bytes:
    """A tone of `ms` as a file of that kind."""
    container, codec, rate_hz = KINDS[kind]
    file = io.BytesIO()
    channels = 2 if layout == "stereo" else 1
    samples = np.sin(np.arange(rate_hz * ms // 1000) * 2 * np.pi * TONE_HZ / rate_hz) * 12000
    pcm = np.repeat(samples.astype(np.int16), channels).reshape(1, -1)
    frame = av.AudioFrame.from_ndarray(pcm, format="s16", layout=layout)
    frame.sample_rate = rate_hz
    with av.open(file, "w", format=container) as out:
        stream = out.add_stream(codec, rate=rate_hz, layout=layout)
        coder = stream.codec_context
        resampler = av.AudioResampler(
            format=coder.format.name, layout=layout, rate=rate_hz,
            frame_size=coder.frame_size or 1152,
        )  # fmt: skip
        for piece in (*resampler.resample(frame), *resampler.resample(None)):
            piece.pts = None
            out.mux(stream.encode(piece))
        out.mux(stream.encode(None))
    return file.getvalue()
