"""How large each script is written, for letters as high as those of a device's face."""

from typing import NamedTuple

from voxwire.type.scale import cap_px

from voxcard.cards.drawing.faces import CJK, Face, Size

# Of the em of most of the fonts, what capitals are high: letters of other scripts have been made
# to stand beside them.
_CAPITALS = 0.714
# Em of a font in heights of capitals where it is another: most of an Arabic line is as low as
# half a capital; letters that hang from a bar have more strokes in their height.
_EM_OF_CAPITALS = {
    "NotoSansArabic": 1.58,
    "NotoSansDevanagari": 1.48,
    "NotoSansBengali": 1.48,
    "NotoSansGurmukhi": 1.48,
    "NotoSansGujarati": 1.48,
    "NotoSansCJK": 1.36,
    "NotoEmoji": 1.25,
}
_WEIGHTS = {"t": 420, "b": 640, "d": 600}  # as tools.build.type_faces has them
_STROKE_OF_CJK = 0.02  # of the em, on each side, what makes its one weight a bold one


class Writing(NamedTuple):
    """A font's size, and the px by which its strokes are thickened on each side."""

    size: Size
    stroke: float = 0.0


def writing(font: Face, face: str) -> Writing:
    """How a font is written beside the face `face` (voxwire.type.scale)."""
    name = font.file.partition("[")[0].partition("-")[0]
    em = round(cap_px(face) * _EM_OF_CAPITALS.get(name, 1 / _CAPITALS), 2)
    if font.package == CJK:
        return Writing(Size(em), 0.0 if face[0] == "t" else em * _STROKE_OF_CJK)
    return Writing(Size(em, _WEIGHTS.get(face[0], 420)))
