"""What a device says of itself in its hello: sound, screen, buttons (design section 3.1)."""

from collections import namedtuple

from voxwire import audio
from voxwire.errors import WireError
from voxwire.fields import read, write
from voxwire.message import dump, load
from voxwire.topics import check_id
from voxwire.value import check, choice, integer

# Blocks of a cut-down card a device may declare (voxwire.card page kinds and line forms).
BLOCKS = ("text", "qr", "choices", "image", "glyphs", "strips")

Screen = namedtuple(
    "Screen",
    (
        "width",  # px
        "height",  # px
        "depth",  # bits a pixel: 1 or 16
        "shape",  # rect, round
        "pitch_um",  # px pitch in micrometres, 0 unknown
        "cell",  # (width, height) of one text cell in px; wide characters take two cells
        "glyphs",  # ((first, last), ...) code points the device's font holds
        "blocks",  # what it can draw, of BLOCKS
    ),
)
Sound = namedtuple(
    "Sound", ("formats", "rate_hz", "frame_ms", "down_rates_hz", "buffer_ms", "duplex")
)
Capability = namedtuple(
    "Capability",
    (
        "id",
        "name",
        "firmware",
        "board",
        "sound",
        "screen",  # None without one
        "buttons",  # names
        "camera",
        "modes",  # listen modes it can do, preferred first
        "locale",
        "cards",  # full, text, off
        "version",
        "boot",  # another text at every start of the device, None: it does not say
    ),
)

_SCREEN = (
    "width:32..1024 height:16..1024 depth:1|16=1 shape:rect|round=rect pitch_um:0..2000=0"
    " cell:array glyphs:array? blocks:array?"
)
_SOUND = (
    "formats:array rate_hz:16000=16000 frame_ms:20|40|60=40 down_rates_hz:array?"
    " buffer_ms:60..10000=400 duplex:full|half=half"
)
_HELLO = (
    "id:string name:string= firmware:string= board:string= sound:object screen:object?"
    " buttons:array? camera:boolean=false modes:array? locale:string=en cards:full|text|off=full"
    " version:integer boot:string?"
)
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


def _screen(data):
    part = "hello.screen"
    width, height, depth, shape, pitch, cell, glyphs, blocks = read(_SCREEN, data, part)
    if len(cell) != 2:
        raise WireError(part + ".cell", "must be [width, height]")
    return Screen(
        width,
        height,
        depth,
        shape,
        pitch,
        (
            check(cell[0], _CELL_WIDTH, part + ".cell"),
            check(cell[1], _CELL_HEIGHT, part + ".cell"),
        ),
        _ranges(glyphs),
        _strings(blocks, part + ".blocks") or ("text",),
    )


def _sound(data):
    part = "hello.sound"
    formats, rate_hz, frame_ms, down, buffer_ms, duplex = read(_SOUND, data, part)
    names = tuple(name for name in _strings(formats, part + ".formats") if name in audio.FORMATS)
    if not names:
        raise WireError(part + ".formats", "has none of " + ", ".join(sorted(audio.FORMATS)))
    legal = choice(audio.RATES_HZ)
    rates = tuple(check(rate, legal, part + ".down_rates_hz") for rate in down or (16000,))
    return Sound(names, rate_hz, frame_ms, rates, buffer_ms, duplex)


def decode(payload) -> Capability:
    """The capability in a hello's payload; WireError naming the first wrong field."""
    values = read(_HELLO, load(payload, "hello"), "hello")
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
    )


def encode(capability: Capability) -> bytes:
    """The hello payload of a capability."""
    sound, screen = capability.sound, capability.screen
    data: "dict[str, object]" = {"type": "hello"}
    data.update(write(_HELLO, capability))
    data["sound"] = write(_SOUND, sound)
    if screen is not None:
        data["screen"] = write(_SCREEN, screen)
    return dump(data, "hello")
