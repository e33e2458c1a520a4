"""The font files that ship are whole, small enough, and cover what the device promises."""

import subprocess
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest
from screen import font

ROOT = Path(__file__).parents[3]


def make_font(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tools.build.make_font", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_shipped_font_files_pass_their_own_check():
    done = make_font("--check")
    assert done.stdout == "6x12.font: 21068 bytes\n8x16.font: 27996 bytes\nfonts ok\n"
    assert done.returncode == 0


def test_without_a_source_making_fonts_says_which_packages_to_install():
    done = make_font()
    assert done.returncode == 2
    assert "apt-get install xfonts-terminus xfonts-base" in done.stderr


def pictures(cell: str) -> "dict[bytes, list[str]]":
    """The characters of a font file by their picture."""
    data = (ROOT / "firmware" / "fonts" / f"{cell}.font").read_bytes()
    head = font.read_head(data[: font.HEAD_BYTES])
    table = data[font.HEAD_BYTES : font.HEAD_BYTES + head.ranges * font.RANGE_BYTES]
    held = font.make(head, table)
    found = defaultdict(list)
    for first, last in font.ranges(held):
        for code in range(first, last + 1):
            at = font.locate(held, code)
            found[data[at : at + held.glyph_bytes]].append(chr(code))
    return found


# Letters whose languages do not meet, and a cell of 6 px cannot show apart.
ALIKE_6X12 = ("ÂÅ", "âå", "ÐĐ", "ÕŐ", "õő", "ĂǍ", "ăǎ", "ĔĚ", "ĕě", "ĞǦ", "ğǧ", "ĬǏ", "ĭǐ", "ŎǑ",
              "ŏǒ", "ŞȘ", "şș", "ŢȚ", "ŨŰ", "ũű", "ŬǓ", "ŭǔ")  # fmt: skip
ALIKE_8X16 = ("ÐĐ", "ĂǍ", "ăǎ", "ĔĚ", "ĕě", "ĞǦ", "ğǧ", "ĬǏ", "ĭǐ", "ŎǑ", "ŏǒ", "ŬǓ", "ŭǔ")


@pytest.mark.parametrize(("cell", "alike"), [("6x12", ALIKE_6X12), ("8x16", ALIKE_8X16)])
def test_letters_of_one_script_are_told_apart_on_the_device(cell, alike):
    for group in pictures(cell).values():
        for script in ("LATIN", "GREEK", "CYRILLIC"):
            letters = [char for char in group if unicodedata.name(char).startswith(script)]
            # A letter and the sign or palochka that has its shape are one letter to a reader.
            names = {"ӀІ", "ІӀ"}
            whole = "".join(letters)
            assert len(letters) < 2 or whole in alike or whole in names, whole


@pytest.mark.parametrize("cell", ["6x12", "8x16"])
def test_every_character_on_the_device_but_a_space_has_ink(cell):
    blank = next(chars for picture, chars in pictures(cell).items() if not any(picture))
    assert blank == [" ", "\xa0"]


def test_the_fonts_of_languages_are_what_their_words_need():
    command = [sys.executable, "-m", "tools.build.make_language_font", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
