"""Cards from the link to the view, and what there is no memory for."""

import showing
from fakes.voice_parts import FakeLink
from voxwire import message

CARD = {"id": "a", "pages": [{"k": "t", "l": ["hello"]}]}


class View:
    def __init__(self):
        self.shown = []

    def show_card(self, card):
        self.shown.append(card.id)


class Link(FakeLink):
    def on_blob(self, kind, handler):
        pass


def test_a_card_that_needs_more_memory_than_there_is_is_refused_and_the_bridge_told():
    link, view = Link([]), View()
    cards = showing.Showing(link, view)
    whole = showing.card.from_data

    def from_data(data):
        raise MemoryError

    showing.card.from_data = from_data
    try:
        order = message.make(message.FROM_BRIDGE, "card", session_id="s", op="show", card=CARD)
        cards.order(order)
    finally:
        showing.card.from_data = whole
    assert view.shown == []
    assert link.posts == [
        ("event", {"name": "error", "text": "card: needs more memory than there is"})
    ]
    cards.order(order)
    assert view.shown == ["a"]
