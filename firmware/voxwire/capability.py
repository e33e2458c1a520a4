"""What a device says of itself in its hello: sound, screen, buttons (design section 3.1)."""

from collections import namedtuple

from voxwire.fields import write
from voxwire.message import dump

# Blocks of a cut-down card a device may declare (voxwire.card page kinds and line forms).
BLOCKS = ("text", "qr", "choices", "image", "glyphs", "strips", "big", "fields")

try:
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
            "faces",  # names of its faces of smoothed type (voxwire.type.scale), () for none
            "text_size",  # of voxwire.type.scale.SIZES
            "picture_bytes",  # of one picture it has memory for; 0: what a small heap has
        ),
        defaults=((), "normal", 0),
    )
except TypeError:  # MicroPython's has no defaults, and a device gives all
    Screen = namedtuple(  # type: ignore[no-redef]
        "Screen",
        "width height depth shape pitch_um cell glyphs blocks faces text_size picture_bytes",
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
        "update",  # the kind of release it takes (voxwire.release), None: none
    ),
)

# In the words of voxwire.fields.
SCREEN_FIELDS = (
    "width:32..1024 height:16..1024 depth:1|16=1 shape:rect|round=rect pitch_um:0..2000=0"
    " cell:array glyphs:array? blocks:array? faces:array? text_size:small|normal|large=normal"
    " picture_bytes:0..2097152=0"
)
SOUND_FIELDS = (
    "formats:array rate_hz:16000=16000 frame_ms:20|40|60=40 down_rates_hz:array?"
    " buffer_ms:60..10000=400 duplex:full|half=half"
)
HELLO_FIELDS = (
    "id:string name:string= firmware:string= board:string= sound:object screen:object?"
    " buttons:array? camera:boolean=false modes:array? locale:string=en cards:full|text|off=full"
    " version:integer boot:string? update:files|image?"
)


def encode(capability: Capability) -> bytes:
    """The hello payload of a capability."""
    sound, screen = capability.sound, capability.screen
    data: "dict[str, object]" = {"type": "hello"}
    data.update(write(HELLO_FIELDS, capability))
    data["sound"] = write(SOUND_FIELDS, sound)
    if screen is not None:
        # What few screens say is left out.
        few = (screen.faces or None, screen.text_size if screen.faces else None)
        values = tuple(screen[:8]) + few + (screen.picture_bytes or None,)
        data["screen"] = write(SCREEN_FIELDS, values)
    return dump(data, "hello")
