"""Several cards of one result as one card of slides."""

from itertools import count

from fakes.device.screens import screen_of
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Action, Card, Warned
from voxcard.cards.read.reading import read
from voxcard.cards.read.slides import gather

BLOCKS = ("text", "qr", "choices")
SMALL = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x2FF),), BLOCKS)


def surface(name, text, *more):
    parts = [{"id": "root", "component": "Column", "children": ["title", *more]}]
    parts.append({"id": "title", "component": "Text", "text": f"# {text}"})
    event = {"event": {"name": f"book {text}"}}
    parts += [{"id": each, "component": "Button", "child": "label", "action": event}
              for each in more]  # fmt: skip
    parts += [{"id": "label", "component": "Text", "text": "Book"} for _ in more[:1]]
    return [
        {"version": "v0.9", "createSurface": {"surfaceId": name, "catalogId": "basic"}},
        {"version": "v0.9", "updateComponents": {"surfaceId": name, "components": parts}},
    ]


def result(*surfaces):
    messages = [message for each in surfaces for message in each]
    return {"content": [], "structuredContent": {"a2ui": messages}}


def only(source, call_id="1"):
    (card,) = read(source, call_id=call_id).cards
    return card


def test_several_surfaces_are_one_card_whose_pages_follow_each_other():
    card = only(result(surface("a", "Tram", "buy"), surface("b", "Bus", "buy")))
    assert (card.id, card.title, card.twin.speak) == ("a2ui:1", "Tram", "2 items: Tram and Bus")
    fitted_card = fit(card, SMALL, now=0, next_blob=count(1).__next__).card
    assert [(type(page).__name__, page.title) for page in fitted_card.pages] == [
        ("ChoicePage", "Tram"),
        ("ChoicePage", "Bus"),
    ]
    options = [page.options[0].id for page in fitted_card.pages]
    assert [{each.id: each for each in card.actions}[option].label for option in options] == [
        "Book",
        "Book",
    ]


def test_the_same_surfaces_sent_again_have_the_same_key_and_others_another():
    both = result(surface("a", "Tram"), surface("b", "Bus"))
    assert only(both).live_key == only(both, "2").live_key == "a\nb"
    assert only(result(surface("a", "Tram"), surface("c", "Bus"))).live_key == "a\nc"


def test_several_companion_cards_are_slides_too():
    events = [
        {"type": "companion.skill_card", "seq": seq, "payload": {"markdown": f"# {name}\n\nA"}}
        for seq, name in ((1, "Stretch"), (2, "Walk"))
    ]
    card = only({"content": [], "structuredContent": {"events": events}})
    assert [slide.title for slide in card.slides] == ["Stretch", "Walk"]
    assert card.live_key == ""


def test_one_card_has_no_slides():
    card = only(result(surface("a", "Tram")))
    assert (card.title, card.slides, card.live_key) == ("Tram", (), "a")


def test_the_whole_is_called_by_its_first_slide_and_numbers_the_buttons_of_all():
    slides = [
        Card(
            id=f"s{number}", dialect="d", title=f"T{number}", label=f"L{number}",
            live_key=key, trust="t", actions=(Action(id="a", label="A", kind="message"),),
            warnings=(Warned(code="cut", path="", detail="x"),),
        )
        for number, key in enumerate(("k", ""))
    ]  # fmt: skip
    [whole] = gather(slides, "c")
    assert (whole.id, whole.dialect, whole.title, whole.label) == ("c", "d", "T0", "L0")
    assert [action.id for action in whole.actions] == ["0.a", "1.a"]
    assert (whole.live_key, len(whole.warnings)) == ("", 1)
    assert gather(slides[:1], "c") == (slides[0],) and gather([], "c") == ()
