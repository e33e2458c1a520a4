"""Cards from the link to the view, and what there is no memory for."""

import struct

import device_cards
from fakes.device.display import Display
from fakes.device.screens import screen_of
from fakes.device.voice_parts import FakeLink
from screen.view import View as ScreenView
from voxwire import message

CARD = {"id": "a", "pages": [{"k": "t", "l": ["hello"]}]}


class View:
    screen = None

    def __init__(self):
        self.shown = []

    def show_card(self, card):
        self.shown.append(card.id)


class Link(FakeLink):
    def on_blob(self, kind, handler):
        self.blobs = getattr(self, "blobs", ()) + (kind,)


def test_a_card_that_needs_more_memory_than_there_is_is_refused_and_the_bridge_told():
    link, view = Link([]), View()
    cards = device_cards.DeviceCards(link, view)
    whole = device_cards.card.from_data

    def from_data(data):
        raise MemoryError

    device_cards.card.from_data = from_data
    try:
        order = message.make(message.FROM_BRIDGE, "card", session_id="s", op="show", card=CARD)
        cards.order(order)
    finally:
        device_cards.card.from_data = whole
    assert view.shown == []
    assert link.posts == [
        ("event", {"name": "error", "text": "card: needs more memory than there is"})
    ]
    cards.order(order)
    assert view.shown == ["a"]


def test_a_card_is_shown_whether_or_not_its_glyphs_and_strips_have_room():
    """Boxes stand for them: what cannot be drawn is no reason to show nothing."""
    link, received = Link([]), {}
    link.on_blob = lambda kind, handler: received.update({kind: handler})
    events = []
    view = ScreenView(Display(), on_card_event=lambda *event: events.append(event[:2]))
    shown = device_cards.DeviceCards(link, view)
    glyph = struct.pack(">IB", 0xAC00, 12) + bytes(24)
    for blob_id in (1, 3):
        received["strips"](blob_id, bytearray(20000), "")
        received["glyphs"](blob_id + 1, bytearray(glyph * 300), "")
        data = {"id": str(blob_id), "pages": [{"k": "t", "l": ["\uac00", ["s", blob_id, 0, 0]]}]}
        data["res"] = [blob_id, blob_id + 1]
        shown.order(
            message.make(message.FROM_BRIDGE, "card", session_id="s", op="show", card=data)
        )
    assert events == [("shown", "1"), ("shown", "3")] and link.posts == []


def test_with_memory_for_pictures_they_are_taken_while_they_come():
    large = {}

    class LargeLink(Link):
        def on_large_blob(self, kind, bytes_max, handler):
            large[kind] = bytes_max, handler

    device_cards.DeviceCards(LargeLink([]), ScreenView(Display()))
    assert large == {}
    display = Display(240, 240, 16, cell=(8, 16))
    display.picture_bytes = 115200
    view = ScreenView(display)
    device_cards.DeviceCards(LargeLink([]), view)
    bytes_max, handler = large["image"]
    handler(7, bytearray(1000), 480)
    assert bytes_max == 115200 and view._resources.count(7) == 480


def test_a_screen_with_faces_of_type_takes_what_is_drawn_for_them():
    class Typed(View):
        screen = screen_of(240, 240, 16, faces=("t20",))

    link, view = Link([]), Typed()
    device_cards.DeviceCards(link, view)
    assert {"type", "smooth", "glyphs", "strips", "image"} <= set(link.blobs)
    plain = Link([])
    device_cards.DeviceCards(plain, View())
    assert "type" not in plain.blobs and "smooth" not in plain.blobs


def test_a_page_in_type_that_the_screen_has_not_is_refused_and_nothing_changes():
    drawn = {"id": "d", "pages": [{"k": "d", "g": [[1, 20, 1, 1, "Hi"]]}]}
    chosen = {"id": "c", "pages": [{"k": "d", "g": [], "o": [["a", "A", 1, 1, 9, 9, 4]]}]}
    for screen, card, is_shown in (
        (None, drawn, False),
        (screen_of(128, 64), drawn, False),
        (screen_of(240, 240, 16, faces=("t20",)), drawn, False),
        (screen_of(240, 240, 16, faces=("t20", "b20")), drawn, True),
        (screen_of(240, 240, 16, faces=("t20", "b20")), chosen, False),
    ):
        link, view = Link([]), View()
        view.screen = screen
        cards = device_cards.DeviceCards(link, view)
        cards.order(
            message.make(message.FROM_BRIDGE, "card", session_id="s", op="show", card=card)
        )
        assert (view.shown == [card["id"]]) == is_shown
        if not is_shown:
            [(name, values)] = link.posts
            assert name == "event" and "card.pages.0: is set in type" in values["text"]
