"""Glyphs of a colour font: small fonts made here, and the pixels they must give."""

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables.otTables import PaintFormat
from voxcard.cards.drawing.colour_layers import ColourFont, soft_light

RED, GREEN, BLUE, HALF = range(4)
PALETTE = [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 0.5)]
# Names of colours by their pixel, as (red, green, blue, alpha) of 0 to 255.
LETTERS = {(0, 0, 0, 0): ".", (255, 0, 0, 255): "R", (0, 255, 0, 255): "G", (0, 0, 255, 255): "B",
           (128, 128, 128, 128): "h", (255, 128, 128, 255): "p"}  # fmt: skip


def outline(*boxes):
    """A glyph of boxes (left, bottom, right, top); one with left > right winds the other way."""
    pen = TTGlyphPen(None)
    for left, bottom, right, top in boxes:
        pen.moveTo((left, bottom))
        for corner in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


@pytest.fixture
def drawn(tmp_path):
    """`drawn(paint)` is a glyph of that paint, 800 units wide and high, on 8 px square."""

    def draw(paint):
        glyphs = {".notdef": outline(), "A": outline(), "whole": outline((0, 0, 800, 800)),
                  "left": outline((0, 0, 400, 800)),
                  "ring": outline((0, 0, 800, 800), (600, 200, 200, 600)),
                  "both": outline((0, 0, 500, 800), (300, 0, 800, 800))}  # fmt: skip
        builder = FontBuilder(800)
        builder.setupGlyphOrder(list(glyphs))
        builder.setupCharacterMap({65: "A"})
        builder.setupGlyf(glyphs)
        builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (800, 0)))
        builder.setupHorizontalHeader(ascent=800, descent=0)
        builder.setupPost()
        builder.setupCPAL([PALETTE])
        builder.setupCOLR({"A": paint}, version=1)
        path = tmp_path / "colour.ttf"
        builder.save(path)
        return ColourFont(path).pixels("A", 8)

    return draw


def solid(colour, alpha=1.0):
    return {"Format": PaintFormat.PaintSolid, "PaletteIndex": colour, "Alpha": alpha}


def shape(glyph, paint):
    return {"Format": PaintFormat.PaintGlyph, "Glyph": glyph, "Paint": paint}


def layers(*paints):
    return {"Format": PaintFormat.PaintColrLayers, "Layers": list(paints)}


def stops(*colours):
    last = len(colours) - 1
    return {"Extend": "pad", "ColorStop": [
        {"StopOffset": index / last, "PaletteIndex": colour, "Alpha": 1.0}
        for index, colour in enumerate(colours)
    ]}  # fmt: skip


def rows(pixels):
    bytes_of = np.round(pixels * 255 + 0.01).astype(int)
    return ["".join(LETTERS[tuple(pixel)] for pixel in row) for row in bytes_of.tolist()]


def test_an_outline_is_filled_and_a_hole_wound_the_other_way_is_not(drawn):
    assert rows(drawn(shape("ring", solid(RED)))) == [
        "RRRRRRRR", "RRRRRRRR", "RR....RR", "RR....RR",
        "RR....RR", "RR....RR", "RRRRRRRR", "RRRRRRRR",
    ]  # fmt: skip


def test_where_two_outlines_overlap_the_glyph_is_still_filled(drawn):
    assert rows(drawn(shape("both", solid(BLUE)))) == ["BBBBBBBB"] * 8


def test_layers_lie_upon_each_other_and_a_clear_one_shows_what_is_below(drawn):
    paint = layers(shape("whole", solid(RED)), shape("left", solid(HALF)))
    assert rows(drawn(paint)) == ["ppppRRRR"] * 8
    assert rows(drawn(shape("left", solid(HALF)))) == ["hhhh...."] * 8


def test_a_transformed_outline_lies_where_the_font_puts_it(drawn):
    scaled = {"Format": PaintFormat.PaintScale, "scaleX": 0.5, "scaleY": 0.5,
              "Paint": shape("whole", solid(GREEN))}  # fmt: skip
    moved = {"Format": PaintFormat.PaintTranslate, "dx": 400, "dy": 0, "Paint": scaled}
    # The y of a font grows upwards: its lower right quarter.
    assert rows(drawn(moved)) == ["........"] * 4 + ["....GGGG"] * 4


def test_a_linear_gradient_runs_at_a_right_angle_to_its_third_point(drawn):
    paint = {"Format": PaintFormat.PaintLinearGradient, "ColorLine": stops(RED, BLUE),
             "x0": 200, "y0": 0, "x1": 600, "y1": 0, "x2": 200, "y2": 100}  # fmt: skip
    pixels = drawn(shape("whole", paint))
    assert np.allclose(pixels, pixels[:1], atol=1e-6)
    # Colours go on as they end before the first stop and after the last.
    expected = [1, 1, 0.875, 0.625, 0.375, 0.125, 0, 0]
    assert np.allclose(pixels[0, :, 0], expected, atol=0.01)
    assert np.allclose(pixels[0, :, 2], 1 - pixels[0, :, 0], atol=1e-6)


def test_a_radial_gradient_grows_from_the_inner_circle_to_the_outer(drawn):
    paint = {"Format": PaintFormat.PaintRadialGradient, "ColorLine": stops(RED, BLUE),
             "x0": 400, "y0": 400, "r0": 0, "x1": 400, "y1": 400, "r1": 400}  # fmt: skip
    pixels = drawn(shape("whole", paint))
    assert np.allclose(pixels[0, 0], (0, 0, 1, 1))
    across = [round(float(value), 2) for value in pixels[3, 4:, 2]]
    assert across == sorted(across)
    assert across[0] < 0.25 and 0.85 < across[3] <= 1
    assert np.allclose(pixels, pixels[::-1], atol=1e-6)


def test_a_source_is_cut_to_its_backdrop(drawn):
    paint = {"Format": PaintFormat.PaintComposite, "CompositeMode": "src_in",
             "SourcePaint": shape("whole", solid(RED)),
             "BackdropPaint": shape("left", solid(BLUE))}  # fmt: skip
    assert rows(drawn(paint)) == ["RRRR...."] * 8


def test_soft_light_darkens_by_dark_and_brightens_by_bright():
    backdrop = np.array([[[0.5, 0.25, 0.16, 1.0]]])
    dark, bright = np.array([[[0, 0, 0, 1.0]]]), np.array([[[1, 1, 1, 1.0]]])
    grey = np.array([[[0.5, 0.5, 0.5, 1.0]]])
    assert np.allclose(soft_light(grey, backdrop), backdrop)
    assert np.allclose(soft_light(dark, backdrop)[0, 0], (0.25, 0.0625, 0.0256, 1))
    curve = ((16 * 0.16 - 12) * 0.16 + 4) * 0.16
    assert np.allclose(soft_light(bright, backdrop)[0, 0], (0.5**0.5, 0.5, curve, 1))
    nothing = np.zeros((1, 1, 4))
    assert np.allclose(soft_light(nothing, backdrop), backdrop)


def test_what_is_not_drawn_is_named(drawn):
    paint = {"Format": PaintFormat.PaintRotate, "angle": 90, "Paint": shape("left", solid(RED))}
    with pytest.raises(ValueError, match="PaintRotate is not drawn"):
        drawn(paint)
