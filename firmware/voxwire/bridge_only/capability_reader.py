"""Reads the hello of a device. A module of its own, because no device needs it."""

from voxwire import audio
from voxwire.capability import (
    HELLO_FIELDS,
    SCREEN_FIELDS,
    SOUND_FIELDS,
    Capability,
    Screen,
    Sound,
)
from voxwire.errors import WireError
from voxwire.fields import read
from voxwire.message import load
from voxwire.topics import check_id
from voxwire.type.drawing import FACES_MAX
from voxwire.type.scale import KNOWN
from voxwire.value import check, choice, integer

_CELL_WIDTH, _CELL_HEIGHT = integer(4, 64), integer(6, 64)


def _strings(values, part: str):
    for value in values or ():
        if not isinstance(value, str):
            raise WireError(part, "must hold text only")
    return tuple(values or ())


def _ranges(values):
    ranges = []
    for pair in values if values is not None else ([32, 126],):
        if not isinstance(pair, list) or len(pair) != 2:
            raise WireError("hello.screen.glyphs", "must hold pairs of code points")
        first = check(pair[0], integer(0, 0x10FFFF), "hello.screen.glyphs")
        last = check(pair[1], integer(first, 0x10FFFF), "hello.screen.glyphs")
        ranges.append((first, last))
    return tuple(ranges)


def _faces(names, part: str):
    """Names of faces; those of a newer firmware than ours cannot be measured: then none."""
    faces = _strings(names, part)[:FACES_MAX]
    return faces if all(name in KNOWN for name in faces) else ()


def _screen(data):
    part = "hello.screen"
    values = read(SCREEN_FIELDS, data, part)
    cell, glyphs, blocks, faces = values[5:9]
    if len(cell) != 2:
        raise WireError(part + ".cell", "must be [width, height]")
    width = check(cell[0], _CELL_WIDTH, part + ".cell")
    height = check(cell[1], _CELL_HEIGHT, part + ".cell")
    values[5] = (width, height)
    values[6] = _ranges(glyphs)
    values[7] = _strings(blocks, part + ".blocks") or ("text",)
    values[8] = _faces(faces, part + ".faces")
    return Screen(*values)


def _sound(data):
    part = "hello.sound"
    formats, rate_hz, frame_ms, down, buffer_ms, duplex = read(SOUND_FIELDS, data, part)
    names = tuple(name for name in _strings(formats, part + ".formats") if name in audio.FORMATS)
    if not names:
        raise WireError(part + ".formats", "has none of " + ", ".join(sorted(audio.FORMATS)))
    legal = choice(audio.RATES_HZ)
    rates = tuple(check(rate, legal, part + ".down_rates_hz") for rate in down or (16000,))
    return Sound(names, rate_hz, frame_ms, rates, buffer_ms, duplex)


def decode(payload) -> Capability:
    """The capability in a hello's payload; WireError naming the first wrong field."""
    values = read(HELLO_FIELDS, load(payload, "hello"), "hello")
    hello = Capability(*values)
    modes = _strings(hello.modes, "hello.modes")
    return Capability(
        check_id(hello.id),
        hello.name,
        hello.firmware,
        hello.board,
        _sound(hello.sound),
        None if hello.screen is None else _screen(hello.screen),
        _strings(hello.buttons, "hello.buttons"),
        hello.camera,
        tuple(mode for mode in modes if mode in ("auto", "manual", "realtime")) or ("auto",),
        hello.locale,
        hello.cards,
        hello.version,
        hello.boot,
        hello.update,
    )
