"""Cards from the link to the view, where memory is short too."""

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
    relieve = None

    def on_blob(self, kind, handler):
        pass


def order(times):
    """Show CARD when memory is short `times` times: (cards shown, times relieved, posts)."""
    link, view, relieved = Link([]), View(), []
    link.relieve = lambda: relieved.append(1)
    made = showing.Showing(link, view)
    whole, left = showing.card.from_data, [times]

    def from_data(data):
        if left[0]:
            left[0] -= 1
            raise MemoryError
        return whole(data)

    showing.card.from_data = from_data
    try:
        made.order(message.make(message.FROM_BRIDGE, "card", op="show", card=CARD))
    finally:
        showing.card.from_data = whole
    return view.shown, len(relieved), link.posts


def test_a_card_that_needs_more_memory_is_read_again_when_some_was_given_back():
    shown, relieved, _ = order(1)
    assert (shown, relieved) == (["a"], 1)


def test_a_card_that_never_fits_is_refused_and_told():
    shown, relieved, posted = order(2)
    assert (shown, relieved) == ([], 1)
    assert posted == [
        ("event", {"name": "error", "text": "card: needs more memory than there is"})
    ]
