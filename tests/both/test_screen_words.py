"""The fixed words of screens by language: every one is there, and can be drawn by the device."""

import sys

import languages as words
from screen import font, scenes
from screen.type import clock
from session import talk, voice_flow, wake

FIRMWARE = __file__.rsplit("tests", 1)[0] + "firmware/"
LANGUAGES = ("de", "fr", "es", "it", "nl", "ro", "ko")
HERE = (
    talk.MUTED, talk.NO_MICROPHONE, talk.TOO_LONG, voice_flow.NO_BRIDGE, wake.HINT,
    scenes.HINT_CONFIRM, scenes.HINT_CLOSE, scenes.HINT_STOP, "Please confirm", "Taking a photo",
    "Photo", "Microphone", "press: talk", "missed", "Timer", "Alarm", "Reminder", "No connection",
    "Press again: next page", "Hold: choose or close", "press: next", clock.WEEK, clock.SHORT_WEEK,
    clock.MONTHS, clock.HALVES, clock.DATE, "Text size", "Small", "Normal", "Large",
)  # fmt: skip


def table(language):
    words.use(language)
    pairs = words._pairs
    words.use("en")
    return pairs


def halves(pairs):
    """(the English texts, their counterparts); MicroPython takes no steps in slices."""
    places = range(0, len(pairs), 2)
    return [pairs[at] for at in places], [pairs[at + 1] for at in places]


def opened(name):
    with open(FIRMWARE + "fonts/" + name, "rb") as file:
        data = file.read()
    head = font.read_head(data)
    end = font.HEAD_BYTES + head.ranges * font.RANGE_BYTES
    return font.make(head, data[font.HEAD_BYTES : end])


def shown():
    """Every English text that a screen may show by itself."""
    states = [text for state in scenes.STATES.values() for text in (state[1], state[3])]
    return [text for text in states if text] + list(HERE)


def test_a_language_is_used_in_every_country_and_an_unknown_one_is_english():
    assert words.use("de_CH") == "de"
    assert words.say("Listening") == "Ich höre"
    assert words.say("my own text") == "my own text"
    assert words.use("pl-PL") == "en"
    assert words.say("Listening") == "Listening"
    for hostile in ("", "../app", "de.x", "__init__", "words", "en"):
        assert words.use(hostile) == "en"
    assert "languages.de" not in sys.modules


def test_every_language_has_every_word_of_every_screen():
    for language in LANGUAGES:
        pairs = table(language)
        english, other = halves(pairs)
        assert english == halves(table("de"))[0]
        assert len(set(english)) == len(english) == len(other)
        for text in shown():
            assert text in english, (language, text)
        for text in other:
            assert text and text.strip() == text, language


def test_weekdays_and_months_are_seven_and_twelve_in_every_language():
    for language in LANGUAGES:
        english, other = halves(table(language))
        for text, count in ((clock.WEEK, 7), (clock.SHORT_WEEK, 7), (clock.MONTHS, 12)):
            assert len(set(other[english.index(text)].split())) == count, (language, text)
        assert len(other[english.index(clock.HALVES)].split()) == 2
        for part in ("{w}", "{d}", "{m}"):
            assert part in other[english.index(clock.DATE)], language


def test_every_character_is_in_the_fonts_of_the_device():
    for cell in ("6x12", "8x16"):
        own, korean = opened(cell + ".font"), opened("ko_%s.font" % cell)
        assert (korean.width, korean.height) == (2 * own.width, own.height)
        for language in LANGUAGES:
            for code in {ord(char) for text in table(language) for char in text}:
                found = font.locate(own, code) >= 0
                if language == "ko":
                    found = found or font.locate(korean, code) >= 0
                assert found, (language, cell, hex(code))
