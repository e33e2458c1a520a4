"""What cards of every dialect say on two screens, aloud and as text: read, and found good.

tests/golden/pages/make.py writes the expected text anew.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from zlib import crc32

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Card, CardRefused
from voxcard.cards.read import card_file
from voxcard.cards.text.twins import messaging_text
from voxwire import card as wire
from voxwire.capability import BLOCKS, Screen

ROOT = Path(__file__).parents[3]
FILE = ROOT / "tests/golden/pages/pages.txt"
CASES = ROOT / "tests/golden/cards"
DIALECTS = ("a2ui", "assistant_platform", "codai", "companion", "mcp_chat_cards", "mcp_result",
            "sidetalk")  # fmt: skip
FONT = ((32, 0x52F), (0x1E00, 0x1EFF), (0x2022, 0x2026), (0x2587, 0x2587))
SCREENS = (
    screen_of(128, 64, 1, "rect", 230, (6, 8), FONT, BLOCKS),
    screen_of(240, 240, 16, "rect", 116, (8, 16), FONT, BLOCKS),
)
NOW = 1_796_040_000.0  # 2026-11-30 12:00 UTC
KINDS = {wire.TextPage: "text", wire.QrPage: "code", wire.ChoicePage: "choice",
         wire.ImagePage: "picture"}  # fmt: skip


def sources() -> Iterator[tuple[str, str, str]]:
    """(name, dialect or empty, text of the file) of each card."""
    for path in sorted((ROOT / "examples/cards").glob("*.json")):
        yield path.name, "", path.read_text(encoding="utf-8")
    # The same sixth of them, whatever cases are added.
    paths = sorted(path for path in CASES.rglob("*.json") if crc32(path.stem.encode()) % 6 == 0)
    for path in paths:
        case = json.loads(path.read_text(encoding="utf-8"))
        if case.get("dialect") in DIALECTS:
            yield f"{path.parent.name}/{path.stem}", case["dialect"], json.dumps(case["input"])


def sections() -> Iterator[str]:
    """The text of each card: what it says, then its pages on each screen."""
    for name, dialect, text in sources():
        yield "\n".join([f"== {name}", *said(text, dialect)])


def said(text: str, dialect: str) -> Iterator[str]:
    try:
        reading = card_file.read(text, dialect=dialect)
    except CardRefused as refused:
        yield f"refused: {refused}"
        return
    yield from (f"warning: {each.path}: {each.detail}" for each in reading.warnings)
    for card in reading.cards[:3]:
        yield from ("-- text", messaging_text(card), "-- aloud", card.twin.speak)
        for screen in SCREENS:
            yield from shown(card, screen)


def shown(card: Card, screen: Screen) -> Iterator[str]:
    made = fit(card, screen, now=NOW, next_blob=count(1).__next__)
    foot = made.card.foot
    yield f"-- {screen.width}x{screen.height} foot {foot!r}, {made.left_out} left out"
    for page in made.card.pages:
        yield f"- {KINDS[type(page)]} {page.title!r} {page.ms or ''}".rstrip()
        yield from (f"{line.style or ' '} {line.text}" for line in page.lines)
        if isinstance(page, wire.QrPage):
            yield f"  [{page.modules} modules of {page.scale} px]"
        if isinstance(page, wire.ChoicePage):
            yield from (f"  ({option.id}) {option.label}" for option in page.options)


def expected() -> dict[str, str]:
    """The sections of the file by the names of their cards."""
    text = FILE.read_text(encoding="utf-8").removesuffix("\n")
    parts = ("\n" + text).split("\n== ")[1:]
    return {part.partition("\n")[0]: f"== {part}" for part in parts}


@pytest.mark.parametrize("source", list(sources()), ids=lambda source: source[0])
def test_a_card_says_what_was_found_good(source):
    name, dialect, text = source
    found = "\n".join([f"== {name}", *said(text, dialect)])
    assert found == expected()[name]


def test_every_card_of_the_file_is_there():
    assert list(expected()) == [name for name, _, _ in sources()]
