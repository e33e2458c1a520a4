"""The sizes of type on a panel, from its pitch: which faces are caption, body, title and hero.

A face is named by its kind and the height of its capitals in px: `t20` text, `b20` semibold, `d65`
semibold figures; icons by their side: `i24`. Heights in minutes of arc at 40 cm (ISO 9241-303: 16'
at least, 20' to 22' preferred): 16' are 1.86 mm, 12' are 1.40 mm.
"""

from collections import namedtuple

# Names of faces: body and title are as high as each other, the headline is half as high again; an
# icon stands beside body text or beside a hero.
Scale = namedtuple("Scale", ("caption", "body", "title", "headline", "hero", "icon", "picture"))

# Of a screen, what sizes depend on.
Panel = namedtuple("Panel", ("width", "height", "shape", "pitch_um"))

BODY_UM, CAPTION_UM = 1860, 1396
SIZES = ("small", "normal", "large")
_PERCENT = {"small": 80, "normal": 100, "large": 125}
# Of the capitals' height: what 12 letters of English take in a line (0.55 em each, capitals are
# 0.73 em high), and from what a line of type is high.
_LINE_OF_12, _LINE_OF_LARGE = 9, 8
# Height of capitals -> of what stands beside it.
_HEADLINE, _HERO, _ICON = 145, 320, 150
_HERO_OF_SIDE = 27  # at most, of the shorter side

# The panel's usual pitch by (width, height), where a board does not know its own.
_USUAL_UM = {
    (128, 64): 170,
    (128, 32): 170,
    (80, 160): 135,
    (160, 80): 135,
    (128, 128): 119,
    (135, 240): 104,
    (240, 135): 104,
    (240, 240): 98,
    (240, 280): 104,
    (240, 320): 152,
    (320, 240): 152,
    (172, 320): 101,
    (170, 320): 133,
    (320, 170): 133,
    (160, 160): 119,
    (360, 360): 131,
}
_USUAL_ROUND_UM = {(240, 240): 135, (160, 160): 119, (360, 360): 131}
_UNKNOWN_UM = 130

# The heights there are files of (tools.build.type_faces): those at which hinting keeps capitals as
# high as they are asked for.
TEXT = (8, 9, 11, 12, 13, 15, 16, 18, 20, 23)
BOLD = (8, 9, 11, 12, 13, 15, 16, 18, 20, 23, 28)
FIGURES = (23, 28, 36, 44, 54, 65)
ICONS = (12, 16, 20, 24, 30, 40, 54, 72)
_HEIGHTS = (("t", TEXT), ("b", BOLD), ("d", FIGURES), ("i", ICONS))
KNOWN = tuple([kind + str(height) for kind, heights in _HEIGHTS for height in heights])


def pitch_um(screen) -> int:
    """The distance of two pixels in micrometres: the board's, or the usual one of such a panel."""
    if screen.pitch_um:
        return screen.pitch_um
    usual = _USUAL_ROUND_UM if screen.shape == "round" else _USUAL_UM
    return usual.get((screen.width, screen.height)) or _UNKNOWN_UM


def cap_px(face: str) -> int:
    """The height of a face's capitals in px."""
    return int(face[1:])


def scale(screen, text_size: str = "normal") -> Scale:
    """The faces for a screen (width, height, shape, pitch_um)."""
    pitch, percent = pitch_um(screen), _PERCENT[text_size]
    # A round panel's lines are shorter than it is wide.
    room = screen.width * 9 // 10 if screen.shape == "round" else screen.width
    widest = max(TEXT[0], room // (_LINE_OF_12 if percent <= 100 else _LINE_OF_LARGE))
    body = min(-(-BODY_UM * percent // (pitch * 100)), widest)
    caption = min(-(-CAPTION_UM * max(100, percent) // (pitch * 100)), body)
    body = _nearest(TEXT, body, widest)
    # One size of figures and pictures for all: they are large.
    usual = min(-(-BODY_UM // pitch), widest)
    hero = min(usual * _HERO // 100, min(screen.width, screen.height) * _HERO_OF_SIDE // 100)
    return Scale(
        "t%d" % _nearest(TEXT, caption, body),
        "t%d" % body,
        "b%d" % body,
        "b%d" % _nearest(BOLD, body * _HEADLINE // 100, widest * 3 // 2),
        "d%d" % _nearest(FIGURES, hero, hero),
        "i%d" % _nearest(ICONS, body * _ICON // 100, body * _ICON // 100),
        "i%d" % _nearest(ICONS, hero * 5 // 4, hero * 5 // 4),
    )


def faces(screen) -> "tuple[str, ...]":
    """Every face that a screen needs at any size a person may choose, in a fixed order."""
    names: "set[str]" = set()
    for size in SIZES:
        sizes = scale(screen, size)
        names.update(sizes)
    # A value of many figures has smaller ones.
    low, high = cap_px(sizes.headline), cap_px(sizes.hero)
    names.update(["d%d" % height for height in FIGURES if low <= height <= high])
    return tuple(sorted(names, key=lambda name: (name[0], cap_px(name))))


def _nearest(heights, wanted: int, most: int) -> int:
    """The lowest height from `wanted` on that is not above `most`; else the highest below."""
    for height in heights:
        if wanted <= height <= most:
            return height
    below = [height for height in heights if height <= min(wanted, most)]
    return below[-1] if below else heights[0]
