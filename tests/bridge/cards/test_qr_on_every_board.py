"""A link is read off every board's screen: fitted, drawn by the firmware, decoded by another."""

import string
from itertools import count
from pathlib import Path

import pytest
import zxingcpp
from fakes.cards.pages import code_of, texts_of
from PIL import Image, ImageDraw
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Action, Card
from voxcard.cards.preview import preview, screens
from voxcard.cards.text.fixed_words import WORDS
from voxwire.capability import Screen

ROOT = Path(__file__).parents[3]
BOARDS = screens.with_screens(ROOT / "boards")
# Bytes of an address: the fullest code of versions 1 to 4, 5, 7, 9, and one that fits no panel.
LENGTHS = (17, 32, 53, 78, 106, 154, 230, 700)


def address(length: int) -> str:
    start = "https://a.ex/lamp" if length == 17 else "https://shop.example/"
    return (start + string.ascii_lowercase * 30)[:length]


def screen_of(board: str) -> Screen:
    return screens.named(f"board:{board}", ROOT / "boards", ROOT / "firmware" / "fonts")


# One board of each kind of screen; what the others show is the same.
PANELS = {screen_of(board): board for board in sorted(BOARDS, reverse=True)}


def shot(screen: Screen, length: int, theme: str) -> preview.Shot:
    """A card with a link of `length` bytes, fitted to a screen."""
    link = Action(id="a", label="Track", kind="link", url=address(length))
    card = Card(id="c", dialect="test", title="Order", actions=(link,))
    fitted = fit(card, screen, now=0, next_blob=count(1).__next__)
    return preview.Shot(fitted=fitted, screen=screen, theme=theme)


def seen(image: Image.Image, shape: str) -> Image.Image:
    """The panel as a camera sees it: in a dark frame, a round one through a round window."""
    window = Image.new("L", image.size, 255 if shape == "rect" else 0)
    ImageDraw.Draw(window).ellipse((0, 0, image.width - 1, image.height - 1), 255)
    framed = Image.new("L", (image.width + 40, image.height + 40), 8)
    framed.paste(image.convert("L"), (20, 20), window)
    return framed


@pytest.fixture(scope="module")
def drawn() -> list[tuple[str, int, preview.Shot, list[Image.Image]]]:
    asked = [
        (board, length, shot(screen, length, theme))
        for screen, board in PANELS.items()
        for length in LENGTHS
        for theme in ("dark", "light")
    ]
    pictures = preview.draw([each for *_, each in asked])
    return [(*named, pages) for named, pages in zip(asked, pictures, strict=True)]


def test_every_code_that_is_shown_is_read_back(drawn):
    wrong = []
    for board, length, each, pages in drawn:
        for page, image in zip(each.fitted.card.pages, pages, strict=True):
            read = [code.text for code in zxingcpp.read_barcodes(seen(image, each.screen.shape))]
            expected = [address(length)] if code_of(page) else []
            if read != expected:
                wrong.append((board, length, each.theme, read))
    assert wrong == []


def test_a_link_without_a_code_says_where_it_leads_and_what_to_do(drawn):
    without = 0
    for board, length, each, _ in drawn:
        pages = each.fitted.card.pages
        if not any(code_of(page) for page in pages):
            without += 1
            said = " ".join(text for page in pages for text in texts_of(page))
            assert "shop.example" in said.replace(" ", "") and WORDS["on_phone"] in said, (
                board,
                length,
            )
    assert without


def test_every_board_shows_the_shortest_link_and_most_show_a_usual_one(drawn):
    shown = {
        (board, length)
        for board, length, each, _ in drawn
        if any(code_of(page) for page in each.fitted.card.pages)
    }
    assert {board for board, length in shown if length == 17} == set(PANELS.values())
    assert {board for board, length in shown if length == 53} >= {"diy-esp32-oled", "esp32-s3-box"}
    assert not {board for board, length in shown if length == 700}


def test_a_module_is_never_smaller_than_a_phone_reads(drawn):
    for board, _, each, _ in drawn:
        for page in each.fitted.card.pages:
            if code_of(page) and each.screen.pitch_um:
                assert code_of(page).scale * each.screen.pitch_um >= 300, board
