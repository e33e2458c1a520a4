"""Data in a text: a picture where a picture is meant, a word in its place, never its letters."""

from base64 import b64encode

import pytest
from voxcard.cards.text.markdown.data_uris import PICTURE_MAX, lifted, picture, without_files

HEAD = "data:image/png;base64,"
URI = HEAD + "iVBORw0K"


@pytest.mark.parametrize("before", ["](", "![Use](", "[](<", 'src="', "<img src='", "aaaaa]("])
def test_data_that_something_points_at_becomes_its_number(before):
    assert lifted(f"{before}{URI})") == (f"{before}data:,0)", (URI,))


def test_each_picture_has_a_number_of_its_own():
    text, uris = lifted(f"![a]({URI}) ![b]({URI}AAAA) {URI}")
    assert text == "![a](data:,0) ![b](data:,1) [picture]"
    assert uris == (URI, URI + "AAAA")
    assert [picture(f"data:,{number}", uris) for number in range(2)] == [
        b"\x89PNG\r\n",
        b"\x89PNG\r\n\x00\x00\x00",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"see {URI}", "see [picture]"),
        ("see data:application/pdf;base64,JVBERi0x", "see [file]"),
        ("see DATA:IMAGE/PNG;BASE64,iVBORw0K.", "see [picture]"),
        ("see data:;base64,JVBERi0xLjcK", "see [file]"),
        ("see data:,what-is-said-here-is-short", "see data:,what-is-said-here-is-short"),
        ("data:text/a,bcde", "[file]"),
        ("data:text/a,bcd", "data:text/a,bcd"),
        ("no data at all", "no data at all"),
    ],
)
def test_data_that_stands_alone_is_named_unless_it_is_short(text, words):
    assert lifted(text) == (words, ())


def test_only_the_first_mebibyte_of_a_text_is_read():
    assert len(lifted("a" * ((1 << 20) + 1))[0]) == 1 << 20


@pytest.mark.parametrize(
    "source",
    [
        "data:,3",  # the text has three
        "data:,0x",
        "https://i.example/1.png",
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:application/pdf;base64,JVBERi0x",
        "data:image/png,abcd",
        HEAD + "A",  # no base64
        "",
    ],
)
def test_what_is_no_picture_has_no_bytes(source):
    assert picture(source, (URI,) * 3) == b""


def test_a_picture_may_stand_in_its_source():
    assert picture(URI, ()) == b"\x89PNG\r\n"


def test_the_first_four_pictures_of_a_text_are_decoded():
    uris = (URI,) * 6
    decoded = [bool(picture(f"data:,{number}", uris)) for number in range(6)]
    assert decoded == [True] * 4 + [False] * 2


def test_a_picture_has_five_mebibytes_of_letters_at_most():
    assert PICTURE_MAX == 5 * 1024 * 1024
    letters = PICTURE_MAX // 3 * 4 + 2 - len(HEAD)
    letters -= letters % 4
    assert len(picture(HEAD + "A" * letters, ())) == letters // 4 * 3
    assert picture(HEAD + "A" * (letters + 4), ()) == b""


def coded(size):
    """Base64 of `size` letters, with capitals, small letters and digits."""
    return b64encode(bytes(range(256)) * 4).decode()[:size]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (coded(200), "[file]"),
        (coded(199) + ".", coded(199) + "."),
        (f"It is `{coded(300)}`.", "It is `[file]`."),
        (f"It is:\n{coded(254)}==\nSo.", "It is:\n[file]\nSo."),
        (f"x{'.' * 300}{coded(300)}", f"x{'.' * 300}{coded(300)}"),  # a part of something else
        ("a" * 300, "a" * 300),
        ("aB" * 150, "aB" * 150),
        ("a1" * 150, "a1" * 150),
        ("A1" * 150, "A1" * 150),
        ("\n".join([coded(76)] * 3 + [coded(8)]), "[file]"),
        ("\n".join([coded(60)] * 4), "[file]"),
        ("\n".join([coded(76)] * 2 + [coded(59)]), "\n".join([coded(76)] * 2 + [coded(59)])),
    ],
)
def test_base64_without_a_name_is_a_file(text, words):
    assert without_files(text) == words
