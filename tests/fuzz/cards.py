"""Cards in every dialect, results of tools, pictures, cards that were stored."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import count
from typing import Any

from fakes.device.screens import screen_of
from PIL import Image
from voxcard.cards.dialects.context import NO_CONTEXT
from voxcard.cards.drawing.drawer import drawer
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.images.decode import NoPicture, Room, decode
from voxcard.cards.live.live_card import LiveCards
from voxcard.cards.model import Card, CardRefused
from voxcard.cards.read import card_file
from voxcard.cards.read.dialects import DIALECTS
from voxcard.cards.read.reading import Reading, read, read_text
from voxcard.cards.text.twins import complete, messaging_text
from voxcard.history.card_json import from_json, to_json
from voxcard.text_safety import encodable
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import BLOCKS, Screen

from fuzz.inputs import GOLDEN, changed_bytes, changed_json, changed_text, golden, json_text
from fuzz.target import Target

NOW = 1_796_040_000.0
SCREENS = (
    screen_of(128, 64, 1, "rect", 0, (6, 8), ((32, 126),), BLOCKS),
    screen_of(240, 240, 16, "round", 130, (8, 16), ((32, 0x52F),), BLOCKS),
    screen_of(80, 160, 16, "rect", 0, (8, 16), ((32, 126),), ("text",)),
)
TEXT_MAX = 400_000  # characters of what is made of an input
CONTROLS = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0))} - {"\n"}


def check_text(text: str) -> None:
    """What goes to screens, logs and models: no halves of characters, no controls, no end."""
    assert len(text) <= TEXT_MAX, "it is too long"
    assert encodable(text), "it has half a character"
    assert not CONTROLS & set(text), "it has control characters"


def check_cards(cards: Sequence[Card]) -> None:
    """Each card can be shown, spoken and stored."""
    for card in cards[:4]:
        once = complete(card)
        assert complete(once) == once
        for text in (once.title, once.twin.text, once.twin.speak, messaging_text(once)):
            check_text(text)
        stored = to_json(once)
        assert to_json(from_json(stored)) == stored
        for screen in SCREENS:
            check_fitted(once, screen)


def check_fitted(card: Card, screen: Screen) -> None:
    """The pages of a card are within the limits, and are read as they were written."""
    drawn = drawer(screen.cell) if "strips" in screen.blocks else None
    made = fit(card, screen, now=NOW, next_blob=count(1).__next__, drawer=drawn).card
    assert 1 <= len(made.pages) <= wire.PAGES_MAX
    assert wire_bytes(made) <= wire.WIRE_BYTES_MAX
    assert wire.from_data(to_data(made)) == made
    assert encodable(json.dumps(to_data(made), ensure_ascii=False)), "it has half a character"
    shown = [made.foot, *(page.title for page in made.pages)]
    shown += [line.text for page in made.pages for line in page.lines]
    for page in made.pages:
        if isinstance(page, wire.ChoicePage):
            shown += [option.label for option in page.options]
    for text in shown:
        if isinstance(text, str):  # else it is a strip
            check_text(text)


def check_reading(reading: Reading) -> None:
    """Everything that was read out of a result, a text or a file."""
    check_cards(reading.cards)
    check_text(reading.speak)
    for warning in reading.warnings:
        assert encodable(f"{warning.path} {warning.detail}")


def check_source(dialect: str, source: Any) -> None:
    """A card of a dialect, as a source alone and as the text of a file."""
    try:
        parsed = DIALECTS[dialect].parse(source, "id", NO_CONTEXT)
    except CardRefused as refused:
        assert refused.reason and encodable(str(refused))
    else:
        check_cards(parsed.cards)
    try:
        check_reading(card_file.read(json.dumps(source)))
    except CardRefused as refused:
        assert refused.reason


def check_result(result: Any) -> None:
    """A result of tools/call: never raises."""
    check_reading(read(result, tool="a.b", call_id="1"))


def check_words(text: str) -> None:
    """A text as a tool's whole result, and as a model's answer."""
    check_result({"content": [{"type": "text", "text": text}]})
    check_reading(read_text(text))


def check_file(text: str) -> None:
    """The text of a file whose dialect nobody named."""
    try:
        check_reading(card_file.read(text))
    except CardRefused as refused:
        assert refused.reason and "\n" not in str(refused)


def check_update(events: Any) -> None:
    """A live card and what is sent of it."""
    if not isinstance(events, dict):
        return
    try:
        cards = DIALECTS["codai"].parse(events.get("card"), "id", NO_CONTEXT).cards
    except CardRefused:
        return
    live = LiveCards()
    shown = [live.show(card) for card in cards]
    updates = events.get("updates")
    for update in updates[:20] if isinstance(updates, list) else [updates]:
        try:
            change = live.update(update)
        except CardRefused:
            continue
        if change.card is not None:
            shown.append(change.card)
    check_cards(shown[-2:])


def check_stored(text: str) -> None:
    """A row of the history, maybe of another version."""
    try:
        card = from_json(text)
    except ValueError:
        return
    assert isinstance(card, Card)


def check_picture(data: bytes) -> None:
    """The bytes of a picture."""
    for room in (Room(width=128, height=40, depth=1, bytes_max=1024),
                 Room(width=240, height=200, depth=16, bytes_max=20_000)):  # fmt: skip
        try:
            picture = decode(data, room)
        except NoPicture as refused:
            assert refused.problem
            continue
        assert picture.width <= room.width and picture.height <= room.height
        assert len(picture.data) <= room.bytes_max


@cache
def cases() -> dict[str, list[Any]]:
    """The inputs of the golden cases by their dialect."""
    found: dict[str, list[Any]] = {}
    for path in golden("cards/**/*.json"):
        case = json.loads(path.read_text(encoding="utf-8"))
        if "dialect" in case and "input" in case:
            found.setdefault(case["dialect"], []).append(case["input"])
    return found


@cache
def words() -> list[str]:
    """Texts of results in the golden cases."""
    results = [each for each in cases()["mcp_result"] if isinstance(each, dict)]
    blocks = [block for each in results for block in each.get("content") or ()]
    texts = {str(block.get("text")) for block in blocks if isinstance(block, dict)}
    return sorted(texts)


@cache
def pictures() -> list[bytes]:
    """Small pictures of every format."""
    made = [path.read_bytes() for path in golden("pictures/80x160-*.png")][:3]
    image = Image.open(GOLDEN / "pictures/80x160-photo.png")
    for kind, mode in (
        ("JPEG", "RGB"),
        ("GIF", "P"),
        ("WEBP", "RGB"),
        ("PNG", "LA"),
        ("PNG", "1"),
    ):
        file = BytesIO()
        image.convert(mode).save(file, kind)
        made.append(file.getvalue())
    file = BytesIO()
    image.convert("RGB").save(file, "JPEG", progressive=True)
    return [*made, file.getvalue()]


def stored() -> list[Any]:
    """Cards as the history keeps them."""
    sources = [*cases()["codai"][:30], *cases()["a2ui"][:20]]
    cards = [card for source in sources for card in read({"structuredContent": source}).cards]
    return [json.loads(to_json(card)) for card in cards]


def targets() -> Iterator[Target]:
    """Every dialect, results, texts, files, pictures, stored cards."""
    for dialect in DIALECTS:
        yield Target(
            name=f"{dialect} card",
            inputs=changed_json(cases()[dialect]),
            check=lambda source, dialect=dialect: check_source(dialect, source),
        )
    every = [each for each in cases()["mcp_result"] if isinstance(each, dict)]
    files = [json.dumps(each) for sources in cases().values() for each in sources]
    yield Target(name="result", inputs=changed_json(every), check=check_result)
    yield Target(name="text of a result", inputs=changed_text(words()), check=check_words)
    yield Target(name="card file", inputs=changed_text(files), check=check_file)
    updates = changed_json(cases()["codai_live"])
    yield Target(name="live card", inputs=updates, check=check_update)
    yield Target(name="stored card", inputs=json_text(stored()), check=check_stored)
    yield Target(name="picture", inputs=changed_bytes(pictures()), check=check_picture)
