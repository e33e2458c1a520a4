"""Microphone and speaker from the `audio` of a board's file."""

import log
from machine import PWM, Pin

from hal.parts.pins import switch_of
from hal.sound.i2s import I2sMicrophone, I2sSpeaker, Turn

_INPUTS = ("i2s_std", "codec")
_OUTPUTS = ("i2s_amp", "codec")
_WHY = "This board's %s (%s) cannot be used by MicroPython's I2S."
_STRETCHED_HZ = 15625  # hal.sound.stretch
RATES_HZ = (16000, 24000)  # of the wire between device and bridge


def audio_of(audio: dict, registers, table):
    """(microphone, speaker, duplex); what cannot be driven says so when it is started.

    `table(name)` is the table of a codec (hal.sound.codec).
    """
    heard, said = audio["in"], audio["out"]
    full = _is_full(audio)
    turn = Turn()
    _start_clock(audio)
    codecs = {}
    microphone = _part("microphone", heard, _INPUTS, "NoMicrophone", lambda: _microphone(
        heard, turn, _codec(heard, registers, table, codecs)
    ))  # fmt: skip
    speaker = _part("speaker", said, _OUTPUTS, "NoSpeaker", lambda: _speaker(
        said, Turn() if full else turn, _codec(said, registers, table, codecs), registers
    ))  # fmt: skip
    return microphone, speaker, "full" if full else "half"


def _is_full(audio) -> bool:
    """Two units with pins of their own: neither stops the other."""
    heard, said = audio["in"], audio["out"]
    return audio["duplex"] != "half" and heard.get("i2s_id") != said.get("i2s_id")


def _part(name, stream, kinds, absent, build):
    if stream["kind"] not in kinds:
        return _absent(absent, _WHY % (name, stream["kind"]))
    try:
        return build()
    except (OSError, ValueError, KeyError, ImportError) as error:
        text = "The %s cannot be used (%s: %s): check its wiring and the board's file."
        reason = text % (name, type(error).__name__, error)
        log.error("board", reason)
        return _absent(absent, reason)


def _absent(name, reason):
    from hal.sound import no_sound

    return getattr(no_sound, name)(reason)


def _start_clock(audio):
    """The master clock by PWM, for codecs that take none from the I2S; it runs on."""
    streams = (audio["in"], audio["out"])
    clocked = [each for each in streams if each.get("codec", {}).get("clock") == "mclk_pwm"]
    if clocked:
        hz = audio["mclk"].get("ratio", 256) * clocked[0]["rates"][0]
        PWM(Pin(audio["mclk"]["gpio"]), freq=hz, duty_u16=32768)


def _codec(stream, registers, table, codecs):
    """The codec of a stream: one object a chip, whichever way its samples go."""
    codec = stream.get("codec")
    if codec is None:
        return None
    from hal.sound.codec import Codec  # boards without one do not read it

    place = (codec["bus"], codec["addr"])
    if place not in codecs:
        codecs[place] = Codec(registers, *place, table(codec["init"]))
    return codecs[place]


def _pins(stream):
    return stream["sck"], stream["ws"], stream["sd"]


def _microphone(stream, turn, codec):
    # A codec's 16 bits are the upper ones of its slot; a bare microphone's 24 are quiet.
    shift = stream.get("gain_shift", 16)
    right = stream.get("channel") == "right"
    wire_hz = stream["rates"][0]
    microphone = I2sMicrophone(
        stream["i2s_id"], _pins(stream), turn, wire_hz=wire_hz, shift=shift, right=right,
        codec=codec,
    )  # fmt: skip
    if wire_hz != _STRETCHED_HZ:
        return microphone
    from hal.sound.stretch import Stretched  # for clocks by PWM alone, which few boards have

    return Stretched(microphone)


def _speaker(stream, turn, codec, registers):
    rates_hz = tuple([rate for rate in stream["rates"] if rate in RATES_HZ])
    return I2sSpeaker(
        stream["i2s_id"], _pins(stream), turn, rates_hz=rates_hz,
        amplifier=switch_of(stream.get("amp_enable"), registers), codec=codec,
    )  # fmt: skip
