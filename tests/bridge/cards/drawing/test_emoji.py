"""Emoji in colour: the bytes a panel is sent, their colours, and what has none."""

import numpy as np
import pytest
from voxcard.cards.drawing import emoji
from voxcard.cards.drawing.emoji import emoji_picture

WHITE = (255, 255, 255)


def colours(data, px):
    """The pixels of a picture as (red, green, blue) of 0 to 255."""
    palette = np.frombuffer(data[:32], ">u2").astype(int)
    rgb = np.stack((palette >> 11, palette >> 5 & 63, palette & 31), axis=1)
    rgb = rgb * 255 // np.array((31, 63, 31))
    stride = (px + 1) // 2
    halves = np.frombuffer(data[32:], np.uint8).reshape(px, stride)
    indices = np.stack((halves >> 4, halves & 15), axis=2).reshape(px, 2 * stride)
    return rgb[indices[:, :px]]


@pytest.mark.parametrize("px", [16, 20, 21, 28, 64])
def test_a_picture_is_a_palette_and_half_a_byte_a_pixel(px):
    data = emoji_picture("🎁", px)
    assert len(data) == 32 + px * ((px + 1) // 2)
    assert data[:2] == bytes(2)  # the first colour is the paper's


def test_an_emoji_has_its_colours_and_the_paper_around_it():
    for paper in ((0, 0, 0), WHITE):
        pixels = colours(emoji_picture("❤️", 24, paper), 24)
        red, green, blue = pixels[12, 12]
        assert red > 200 and green < 100 and blue < 100
        for corner in ((0, 0), (0, 23), (23, 0), (23, 23)):
            assert tuple(pixels[corner]) == paper


def test_the_flag_of_romania_is_blue_yellow_and_red():
    pixels = colours(emoji_picture("🇷🇴", 28), 28)
    left, middle, right = (pixels[14, x].tolist() for x in (5, 14, 23))
    assert left[2] > left[0] and left[2] > left[1]
    assert middle[0] > 200 and middle[1] > 150 and middle[2] < 100
    assert right[0] > 150 and right[1] < 100


def test_what_is_several_characters_is_one_picture_of_its_own():
    pictures = {emoji_picture(text, 20) for text in ("👩", "💻", "👩‍💻", "👩🏽‍💻", "👍", "👍🏽")}
    assert len(pictures) == 6 and None not in pictures
    assert emoji_picture("☀️", 20) == emoji_picture("☀", 20)


def test_text_and_several_emoji_have_no_picture():
    for text in ("", "a", "1", "🎁🎁", "🎁 ", "雨", "\ue000", "\U0010ffff", "x" * 1000):
        assert emoji_picture(text, 20) is None, text


def test_without_the_font_there_is_no_picture(monkeypatch):
    monkeypatch.setattr(emoji, "font_file", lambda: None)
    emoji._font.cache_clear()
    try:
        assert emoji_picture("🎁", 20) is None
    finally:
        emoji._font.cache_clear()
