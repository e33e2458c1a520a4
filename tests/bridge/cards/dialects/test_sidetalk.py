"""sidetalk.card.v1: what is chosen, what is kept, what is dropped; a carousel on one screen."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.dialects.sidetalk import parse
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.model import CardRefused, Group, ImageRef
from voxcard.cards.read.reading import read
from voxcard.cards.text.links import links
from voxcard.cards.text.twins import complete
from voxcard.history.card_json import from_json, to_json
from voxwire import card as wire
from voxwire.capability import BLOCKS

SMALL = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x2FF),), BLOCKS)


def body(*items, form="text", mode="carousel"):
    items = [{"type": form, **item} for item in items]
    return {"schema": "sidetalk.card.v1", "cardType": form, "displayMode": mode, "items": items}


def tips(number):
    return [{"title": f"Tip {index}"} for index in range(number)]


def button(label, action="url", value="https://shop.example.com/1"):
    return {"label": label, "action": action, "value": value}


def test_the_random_item_hangs_on_the_id_alone_so_a_redraw_shows_it_again():
    chosen = {parse(body(*tips(5), mode="random"), f"c{n}").cards[0].title for n in range(40)}
    again = {parse(body(*tips(5), mode="random"), "c7").cards[0].title for _ in range(10)}
    assert chosen == {"Tip 0", "Tip 1", "Tip 2", "Tip 3", "Tip 4"}
    assert len(again) == 1


def test_only_items_that_can_be_shown_are_drawn_from():
    source = body({}, {"title": "Good"}, {"title": 7}, mode="random")
    parsed = parse(source)
    assert [card.title for card in parsed.cards] == ["Good"]
    assert [(warned.code, warned.path) for warned in parsed.warnings] == [
        ("dropped", "items.0"),
        ("dropped", "items.2.title"),
    ]


def test_a_carousel_is_a_group_of_cards_with_numbered_ids():
    cards = parse(body(*tips(2)), "s").cards
    assert [(card.id, card.group) for card in cards] == [
        ("s.0", Group(index=0, count=2, mode="carousel")),
        ("s.1", Group(index=1, count=2, mode="carousel")),
    ]
    assert parse(body(*tips(1)), "s").cards[0].group is None


def test_the_words_of_a_button_are_one_line_without_marks_that_turn_text_around():
    item = {"title": "x", "buttons": [button("Pay\n\u202eevil", "message", "pay\nnow")]}
    (action,) = parse(body(item)).cards[0].actions
    assert (action.label, action.text) == ("Pay evil", "pay\nnow")


@pytest.mark.parametrize(
    ("item", "path"),
    [
        ({"title": "x", "buttons": [{"action": "url", "value": "https://a.example"}]}, "label"),
        ({"title": "x", "buttons": [{"label": "Go", "value": "https://a.example"}]}, "action"),
        ({"title": "x", "buttons": [{"label": "Go", "action": "url", "value": " "}]}, "value"),
        ({"title": "x", "buttons": ["Go"]}, "items.0.buttons.0"),
        ({"title": "x", "buttons": {}}, "items.0.buttons"),
        ({"description": ["x"]}, "items.0.description"),
    ],
)
def test_what_is_required_or_mistyped_refuses_the_item_with_its_path(item, path):
    with pytest.raises(CardRefused) as refused:
        parse(body(item))
    assert refused.value.path.endswith(path)


def test_a_picture_is_an_https_one_and_its_ratio_a_hint():
    item = {"imageUrl": "https://img.example.com/a.jpg", "imageRatio": 2, "title": "A"}
    (card,) = parse(body(item, form="image")).cards
    assert card.image == ImageRef(url="https://img.example.com/a.jpg", alt="A", ratio=2.0)
    for url in ("http://img.example.com/a.jpg", "data:image/png;base64,xx", "file:///etc/passwd"):
        parsed = parse(body(item | {"imageUrl": url}, form="image"))
        assert parsed.cards[0].image is None and parsed.warnings[0].path == "items.0.imageUrl"
    with pytest.raises(CardRefused, match="empty"):
        parse(body({"imageUrl": "file:///etc/passwd"}, form="image"))


def test_rows_keep_their_links_and_lose_those_no_browser_opens():
    rows = [
        {"title": "A", "description": "1\n2", "linkUrl": "http://shop.example.com/a"},
        {"title": "B", "linkUrl": "javascript:alert(1)", "imageUrl": "https://i.example.com/b"},
        {"description": "no title"},
    ]
    parsed = parse(body({"headerText": "H", "items": rows}, form="list"))
    (card,) = parsed.cards
    assert [(item.title, item.detail, item.url) for item in card.blocks[0].items] == [
        ("A", "1\n2", "http://shop.example.com/a"),
        ("B", "", ""),
    ]
    assert card.blocks[0].items[1].image.url == "https://i.example.com/b"
    assert [warned.path for warned in parsed.warnings] == [
        "items.0.items.1.linkUrl",
        "items.0.items.2.title",
    ]
    assert links(card)[0].insecure


def test_text_that_is_the_card_is_neither_spoken_nor_read_by_the_model():
    text = '{"schema":"sidetalk.card.v1","cardType":"text","displayMode":"random","items":[%s]}'
    item = '{"type":"text","title":"Notice","description":"Closed today."}'
    result = {"content": [{"type": "text", "text": text % item}]}
    parsed = read(result, call_id="1")
    assert parsed.cards[0].twin.speak == "Notice. Closed today."
    assert parsed.text == "**Notice**\n\nClosed today."


def test_structured_content_that_is_the_card_is_not_spoken():
    parsed = read({"content": [], "structuredContent": body({"title": "Notice"})})
    assert parsed.cards[0].twin.speak == "Notice."


def carousel(number):
    rows = [
        {
            "title": f"Box {index}",
            "description": f"{index + 1},000 won",
            "buttons": [
                button("Open", value=f"https://shop.example.com/{index}"),
                button("Add", "message", f"Add box {index}"),
            ],
        }
        for index in range(number)
    ]
    result = {"content": [], "structuredContent": body(*rows)}
    (card,) = read(result, call_id="1").cards
    return card


def shown(card, screen=SMALL):
    fitted_card = fit(card, screen, now=0, next_blob=count(1).__next__).card
    assert (
        len(fitted_card.pages) <= wire.PAGES_MAX and wire_bytes(fitted_card) <= wire.WIRE_BYTES_MAX
    )
    return fitted_card


def test_a_carousel_is_one_card_whose_slides_follow_each_other_with_code_and_choices():
    card = carousel(2)
    assert (card.id, card.title, card.twin.speak) == (
        "sidetalk:1",
        "Box 0",
        "2 items: Box 0 and Box 1",
    )
    pages = [
        (type(page).__name__, page.title, [line.text for line in page.lines])
        for page in shown(card).pages
    ]
    assert pages == [
        ("TextPage", "Box 0", ["1,000 won", ""]),
        ("QrPage", "Open", ["shop.", "example.com"]),
        ("ChoicePage", "Box 0", []),
        ("TextPage", "Box 1", ["2,000 won", ""]),
        ("QrPage", "Open", ["shop.", "example.com"]),
        ("ChoicePage", "Box 1", []),
    ]


def test_every_button_of_a_carousel_is_found_by_the_id_of_its_option():
    card = carousel(3)
    options = [page.options[0] for page in shown(card).pages if hasattr(page, "options")]
    meant = {action.id: action.text for action in card.actions}
    assert [meant[option.id] for option in options] == ["Add box 0", "Add box 1", "Add box 2"]


def test_a_long_carousel_shows_its_first_slides_and_counts_the_others():
    fitted_card = shown(carousel(40))
    assert fitted_card.pages[-1].lines[0].text == "+28 more"
    titles = {page.title for page in fitted_card.pages if isinstance(page, wire.TextPage)}
    assert titles == {f"Box {index}" for index in range(12)} | {""}


def test_slides_of_long_texts_each_get_their_part():
    rows = [{"title": f"T{index}", "description": "lorem ipsum " * 500} for index in range(3)]
    result = {"content": [], "structuredContent": body(*rows)}
    fitted_card = shown(read(result).cards[0])
    titles = [page.title for page in fitted_card.pages]
    assert sorted(set(titles)) == ["T0", "T1", "T2"] and titles == sorted(titles)
    assert sum(line.text.startswith("+") for page in fitted_card.pages for line in page.lines) >= 2


def test_a_carousel_comes_back_from_the_history_as_it_was():
    card = carousel(2)
    again = from_json(to_json(card))
    assert again == card and complete(again) == card
