"""What the bridge's hello settles about the sound of a session."""

from collections import namedtuple

from voxwire import audio
from voxwire.errors import WireError
from voxwire.fields import read

# `rate_hz` is the speaker's; the microphone's is its own.
Params = namedtuple("Params", ("format", "rate_hz", "frame_ms"))

_PART = "hello.audio_params"
# The formats are those that the firmware can code and decode.
_FIELDS = (
    "format:ima-adpcm|pcm16 sample_rate:integer=16000 channels:integer=1 frame_duration:integer=40"
)


def parse(data, formats, rates_hz) -> Params:
    """The parameters in `audio_params` of a hello; WireError naming the first wrong one.

    `formats` and `rates_hz` (the speaker's) are what this device has room for.
    """
    form, rate_hz, channels, frame_ms = read(_FIELDS, data, _PART)
    for name, value, allowed in (
        ("format", form, formats),
        ("sample_rate", rate_hz, rates_hz),
        ("channels", channels, (1,)),
        ("frame_duration", frame_ms, audio.FRAME_MS),
    ):
        if value not in allowed:
            raise WireError(
                "%s.%s" % (_PART, name),
                "is %s, this device can %s" % (value, " or ".join(str(each) for each in allowed)),
            )
    return Params(form, rate_hz, frame_ms)
