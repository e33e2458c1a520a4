"""What a device says of itself in its hello: sound, screen, buttons (design section 3.1)."""

from collections import namedtuple

from voxwire import audio
from voxwire.errors import WireError
from voxwire.fields import read, write
from voxwire.message import dump, load
from voxwire.topics import check_id

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
    ),
)

_SCREEN = (
    "width:integer height:integer depth:integer=1 shape:rect|round=rect pitch_um:integer=0"
    " cell:list glyphs:list? blocks:list?"
)
_SOUND = (
    "formats:list rate_hz:integer=16000 frame_ms:integer=40 down_rates_hz:list?"
    " buffer_ms:integer=400 duplex:full|half=half"
)
_HELLO = (
    "id:string name:string= firmware:string= board:string= sound:object screen:object?"
    " buttons:list? camera:boolean=false modes:list? locale:string=en cards:full|text|off=full"
    " version:integer"
)


def _strings(values, part: str):
    for value in values or ():
        if not isinstance(value, str):
            raise WireError(part, "must hold text only")
    return tuple(values or ())


def _whole(value, low: int, high: int, part: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise WireError(part, "must be a whole number from %d to %d" % (low, high))
    return value


def _one_of(value, allowed, part: str) -> int:
    if value not in allowed:
        raise WireError(part, "must be one of " + ", ".join(str(each) for each in allowed))
    return value  # type: ignore[no-any-return]


def _ranges(values):
    ranges = []
    for pair in values if values is not None else ([32, 126],):
        if not isinstance(pair, list) or len(pair) != 2:
            raise WireError("hello.screen.glyphs", "must hold pairs of code points")
        first = _whole(pair[0], 0, 0x10FFFF, "hello.screen.glyphs")
        ranges.append((first, _whole(pair[1], first, 0x10FFFF, "hello.screen.glyphs")))
    return tuple(ranges)


def _screen(data):
    part = "hello.screen"
    width, height, depth, shape, pitch, cell, glyphs, blocks = read(_SCREEN, data, part)
    if len(cell) != 2:
        raise WireError(part + ".cell", "must be [width, height]")
    return Screen(
        _whole(width, 32, 1024, part + ".width"),
        _whole(height, 16, 1024, part + ".height"),
        _one_of(depth, (1, 16), part + ".depth"),
        shape,
        _whole(pitch, 0, 2000, part + ".pitch_um"),
        (
            _whole(cell[0], 4, 64, part + ".cell"),
            _whole(cell[1], 6, 64, part + ".cell"),
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
    rates = tuple(
        _one_of(rate, audio.RATES_HZ, part + ".down_rates_hz") for rate in down or (16000,)
    )
    return Sound(
        names,
        _one_of(rate_hz, (16000,), part + ".rate_hz"),
        _one_of(frame_ms, audio.FRAME_MS, part + ".frame_ms"),
        rates,
        _whole(buffer_ms, 60, 10000, part + ".buffer_ms"),
        duplex,
    )


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
