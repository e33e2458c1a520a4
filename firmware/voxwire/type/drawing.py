"""A page that the bridge laid out: texts, boxes and pictures at their places on the panel.

On the wire items are arrays: text `[x, y, face, ink, text]` with `y` on the baseline and `face`
an index of the hello's `screen.faces` (a sixth value is the role of the paper under it);
`["f", x, y, w, h, ink, radius]` a filled box with round corners; `["s", x, y, w, h, blob, index,
ink]` a picture of `blob` in 4 levels of an ink; `["p", x, y, w, h, blob]` an image. A choice is
`[id, label, x, y, w, h, face]`: its box and the face of its label, whose lines are parted by
newlines. A page with a code has `n`, `d`, `s`, `z` as a QR page does, and `x`, `y` of its light
square. Inks are roles of the theme (voxwire.type.roles). Lengths are px.
"""

from collections import namedtuple

from voxwire.errors import WireError
from voxwire.type.roles import PAPER, ROLES
from voxwire.value import STRING, check, integer

FACES_MAX = 32

DrawnPage = namedtuple("DrawnPage", ("title", "lines", "ms", "items", "options", "code"))
Text = namedtuple("Text", ("x", "y", "face", "ink", "text", "paper"))
Box = namedtuple("Box", ("x", "y", "width", "height", "ink", "radius"))
Smooth = namedtuple("Smooth", ("x", "y", "width", "height", "blob", "index", "ink"))
Photo = namedtuple("Photo", ("x", "y", "width", "height", "blob"))
Choice = namedtuple("Choice", ("id", "label", "x", "y", "width", "height", "face"))
Code = namedtuple("Code", ("x", "y", "modules", "rows", "scale", "quiet"))

_PLACE, _LENGTH, _SIDE, _ROLE = (
    integer(-512, 2048),
    integer(0, 2048),
    integer(1, 1024),
    integer(0, ROLES - 1),
)
_FACE, _BLOB, _INDEX = integer(0, FACES_MAX - 1), integer(1, 65535), integer(0, 65535)
# What follows the letter of an item.
_BOX = (_PLACE, _PLACE, _LENGTH, _LENGTH, _ROLE, _LENGTH)
_SMOOTH = (_PLACE, _PLACE, _LENGTH, _LENGTH, _BLOB, _INDEX, _ROLE)
_PHOTO = (_PLACE, _PLACE, _SIDE, _SIDE, _BLOB)
_KINDS = {"f": (Box, _BOX), "s": (Smooth, _SMOOTH), "p": (Photo, _PHOTO)}
_TEXT = (_PLACE, _PLACE, _FACE, _ROLE, STRING, _ROLE)
_CHOICE = (_PLACE, _PLACE, _LENGTH, _LENGTH, _FACE)


def read_items(data, part: str):
    """The items of a page; WireError names the first that is none."""
    return tuple([_read_item(each, "%s.%d" % (part, at)) for at, each in enumerate(data)])


def _read_item(data, part: str):
    if not isinstance(data, list) or not data:
        raise WireError(part, "is no item")
    if not isinstance(data[0], str):
        return Text(*_checked(data if len(data) == 6 else data + [PAPER], _TEXT, part))
    kind = _KINDS.get(data[0])
    if kind is None:
        raise WireError(part, "is no item")
    return kind[0](*_checked(data[1:], kind[1], part))


def read_choices(data, read_words, part: str):
    """The choices of a page; `read_words(data, part)` reads a label."""
    choices = []
    for at, each in enumerate(data):
        here = "%s.%d" % (part, at)
        if not isinstance(each, list) or len(each) != 7:
            raise WireError(here, "is no choice")
        label = read_words(each[1], here)
        choices.append(
            Choice(check(each[0], STRING, here), label, *_checked(each[2:], _CHOICE, here))
        )
    return tuple(choices)


def _checked(values, schemas, part: str):
    if len(values) != len(schemas):
        raise WireError(part, "has not %d values" % len(schemas))
    return [check(value, schema, part) for value, schema in zip(values, schemas)]
