"""The invitation to a phone on every board's screen, drawn by the firmware, read by a decoder."""

from pathlib import Path

import pytest
import zxingcpp
from PIL import Image, ImageDraw
from provisioning import screens as setup_screens
from voxcard.cards.fit.fit import Fitted
from voxcard.cards.preview import preview, screens
from voxwire import card as wire
from voxwire.capability import Screen

ROOT = Path(__file__).parents[3]
SSID = "Voxcard-0a0b0c"
# The password decides which modules are dark: the set-up makes any of these letters.
PASSWORDS = ("abcdefghjk", "2345678923", "zzzzzzzzzz", "m9k2tq7xwh")


def screen_of(board: str) -> Screen:
    return screens.named(f"board:{board}", ROOT / "boards", ROOT / "firmware" / "fonts")


# One board of each kind of screen; what the others show is the same.
PANELS = {screen_of(board): board for board in sorted(screens.with_screens(ROOT / "boards"))}


def shot(screen: Screen, password: str, theme: str) -> preview.Shot:
    card = setup_screens.invitation(screen, SSID, password, "192.168.4.1")
    return preview.Shot(fitted=Fitted(card=card, blobs=()), screen=screen, theme=theme)


def seen(image: Image.Image, shape: str) -> Image.Image:
    """The panel as a camera sees it: in a dark frame, a round one through a round window."""
    window = Image.new("L", image.size, 255 if shape == "rect" else 0)
    ImageDraw.Draw(window).ellipse((0, 0, image.width - 1, image.height - 1), 255)
    framed = Image.new("L", (image.width + 40, image.height + 40), 8)
    framed.paste(image.convert("L"), (20, 20), window)
    return framed


@pytest.fixture(scope="module")
def drawn():
    asked = [
        (board, password, shot(screen, password, theme))
        for screen, board in PANELS.items()
        for password in PASSWORDS
        for theme in ("dark", "light")
    ]
    pictures = preview.draw([each for *_, each in asked])
    return [(*named, pages) for named, pages in zip(asked, pictures, strict=True)]


def test_a_phone_reads_the_code_on_every_boards_screen(drawn):
    wrong = []
    for board, password, each, pages in drawn:
        codes = zxingcpp.read_barcodes(seen(pages[0], each.screen.shape))
        if [code.text for code in codes] != [f"WIFI:T:WPA;S:{SSID};P:{password};;"]:
            wrong.append((board, password, each.theme, [code.text for code in codes]))
    assert len(drawn) >= 8 * len(PASSWORDS)
    assert wrong == []


def test_the_code_is_large_on_every_screen():
    for screen in PANELS:
        scale, _ = setup_screens.scale_of(screen, 10)
        assert scale >= 2 or min(screen.width, screen.height) < 64, screen
        assert scale * 29 >= 0.45 * min(screen.width, screen.height), screen


def test_the_password_stands_beside_the_code_or_on_the_next_page_whole(drawn):
    for board, password, each, _ in drawn:
        pages = ["".join(line.text for line in page.lines) for page in each.fitted.card.pages]
        assert any(password in page for page in pages), (board, pages)


def test_a_decoder_reads_any_password():
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    for start in range(len(letters)):
        password = (letters[start:] + letters)[:10]
        text = setup_screens.wifi_text(SSID, password)
        rows = setup_screens.qr_code.rows(text)
        image = Image.frombytes("1", (32, 29), bytes(255 ^ byte for byte in rows))
        page = Image.new("L", (37, 37), 255)
        page.paste(image.crop((0, 0, 29, 29)).convert("L"), (4, 4))
        (code,) = zxingcpp.read_barcodes(page.resize((148, 148), 0))
        assert code.text == text
    assert wire.row_bytes(29) == 4
