"""The cards of the gallery: of every dialect, in several scripts, in one file each."""

import unicodedata
from collections import Counter

from voxcard.cards.model import ImageBlock
from voxcard.cards.read import card_file

from tools.pictures import gallery, page_counts
from tools.pictures.panels import PANELS
from tools.pictures.sheet import BYTES_MAX

CARDS = {
    file.stem: card_file.read(file.read_text(encoding="utf-8")).cards for file in gallery.cards()
}
# The first word of letters' names.
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARABIC", "CJK", "HANGUL", "DEVANAGARI")


def test_there_are_24_and_two_at_least_of_each_dialect():
    dialects = Counter(card.dialect for cards in CARDS.values() for card in cards[:1])
    assert sum(dialects.values()) == 24
    assert set(dialects) == {"assistant_platform", "codai", "a2ui", "sidetalk", "mcp_chat_cards",
                             "companion", "mcp_result"}  # fmt: skip
    assert min(dialects.values()) >= 2


def test_their_texts_are_of_seven_scripts():
    texts = "".join(card.twin.text + card.title for cards in CARDS.values() for card in cards)
    names = Counter(
        unicodedata.name(letter, "").replace("-", " ").partition(" ")[0] for letter in texts
    )
    assert all(names[script] > 20 for script in SCRIPTS), names


def test_nothing_of_them_is_fetched():
    blocks = [block for cards in CARDS.values() for card in cards for block in card.blocks]
    images = [card.image for cards in CARDS.values() for card in cards]
    images += [block.image for block in blocks if isinstance(block, ImageBlock)]
    given = [image for image in images if image]
    assert given and all(image.data and not image.url for image in given)


def test_pages_were_counted_for_each_on_every_panel():
    stored = page_counts.stored()
    assert {f"gallery/{name}" for name in CARDS} <= set(stored)
    assert all(set(row) == set(PANELS) for row in stored.values())


def test_a_sheet_is_light_enough_for_a_page_of_many():
    sizes = {path.stem: path.stat().st_size for path in gallery.TARGET.glob("*.png")}
    assert len(sizes) == 24
    assert [name for name, size in sizes.items() if size > BYTES_MAX] == []


def test_one_page_more_is_let_pass_and_two_are_not():
    before = {"a": {"240x240": [1, 2]}, "b": {"240x240": [1]}}
    now = {"a": {"240x240": [2, 4]}, "b": {"240x240": [1]}}
    assert list(page_counts.too_many(now, before)) == [("a", "240x240", 2, 4)]
