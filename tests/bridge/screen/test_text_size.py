"""Another size of text on a device: the card it shows is cut anew where it is."""

import asyncio
import logging
from dataclasses import replace
from itertools import count

import pytest
from fakes.bridge import FakeAssistant, FakeDevice, FakeHub, at_once, card_maker, run_virtual
from fakes.device.screens import screen_of
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.model import Card, ImageBlock, ImageRef, TextBlock
from voxcard.errors import VoxcardError
from voxcard.screen.device_cards import DeviceCards
from voxwire.capability import BLOCKS
from voxwire.type.scale import cap_px, faces

FLAT = screen_of(240, 240, 16, pitch_um=98, cell=(8, 16), glyphs=((32, 126),), blocks=BLOCKS)
PANEL = FLAT._replace(blocks=(*BLOCKS, "drawn"), faces=faces(FLAT), picture_bytes=115_200)
PARCEL = "The parcel comes between nine and twelve. Somebody has to be at home, or it goes back. "
NEWS = Card(
    id="news", dialect="t", title="News", blocks=(TextBlock(text=PARCEL + "Or to a shop."),)
)


class Device:
    """The bridge's cards for one device, and what that is sent, (op, card) each."""

    def __init__(self, screen=PANEL, fetch=None):
        self.heard, self.kept, self.tasks, self.blobs = [], [], [], []
        self.next_id = count(1).__next__
        self.shows = DeviceCards(
            card_maker(pictures=PictureFinder(fetch, at_once, None)),
            self,
            self,
            keep=lambda device_id, card: self.kept.append(card.id),
            spawn=lambda work, name: self.tasks.append(asyncio.create_task(work, name=name)),
            log=lambda: logging.getLogger("test"),
        )
        self.shows.greet("kitchen", screen, "full")

    async def sized(self, text_size):
        self.shows.set_text_size(text_size)
        await asyncio.gather(*self.tasks)

    # A Wire and the Blobs.

    def send(self, kind, data=None, **message):
        if kind == "card":
            self.heard.append((message["op"], message["card"]))
            return True
        return self._take(kind)

    async def _take(self, kind):
        self.blobs.append(kind)


def body_px(card, screen=PANEL):
    """The height of capitals in the longest line of a card's first page."""
    texts = [item for item in card["pages"][0]["g"] if isinstance(item[0], int)]
    return cap_px(screen.faces[max(texts, key=lambda item: len(item[4]))[2]])


def run(conversation):
    return run_virtual(conversation())


def test_the_card_in_front_is_cut_anew_in_its_place():
    async def conversation():
        device = Device()
        await device.shows.card(NEWS)
        await device.sized("small")
        await device.sized("large")
        ops = [(op, card["id"], card.get("rev", 0)) for op, card in device.heard]
        assert ops == [("show", "news", 0), ("update", "news", 0), ("update", "news", 0)]
        normal, small, large = (card for _, card in device.heard)
        assert (body_px(small), body_px(normal), body_px(large)) == (16, 20, 23)
        assert [len(card["pages"]) for card in (small, normal, large)] == [1, 2, 2]
        assert device.kept == ["news"], "it is the same card"
        assert device.shows.shown.front == "news"
        assert device.shows.shown.pages("news") == len(large["pages"])

    run(conversation)


def test_the_next_card_has_the_size_too_and_a_new_session_says_its_own():
    async def conversation():
        device = Device()
        await device.sized("large")
        assert device.heard == [], "there is no card"
        await device.shows.card(NEWS)
        assert body_px(device.heard[-1][1]) == 23
        device.shows.greet("kitchen", PANEL, "full")
        await device.shows.card(NEWS)
        assert body_px(device.heard[-1][1]) == 20

    run(conversation)


@pytest.mark.parametrize("text_size", ["normal", "huge", ""])
def test_the_same_size_or_one_nobody_knows_changes_nothing(text_size):
    async def conversation():
        device = Device()
        await device.shows.card(NEWS)
        await device.sized(text_size)
        assert len(device.heard) == 1

    run(conversation)


def test_a_card_that_was_put_away_is_cut_anew_for_when_it_is_shown_again():
    async def conversation():
        device = Device()
        await device.shows.card(NEWS)
        device.shows.shown.dismissed("news")
        await device.sized("large")
        assert [op for op, _ in device.heard] == ["show", "update"]
        assert device.shows.shown.front == ""

    run(conversation)


def test_a_card_behind_stays_as_it_is():
    async def conversation():
        device = Device()
        await device.shows.card(NEWS)
        await device.shows.card(replace(NEWS, id="later"))
        await device.sized("large")
        assert [card["id"] for _, card in device.heard] == ["news", "later", "later"]

    run(conversation)


def test_a_size_that_changes_while_a_card_is_cut_reaches_it():
    async def conversation():
        device = Device()
        cut = device.shows._maker.fit

        async def slow(*arguments, **more):
            await asyncio.sleep(0.1)
            return await cut(*arguments, **more)

        device.shows._maker.fit = slow
        showing = asyncio.create_task(device.shows.card(NEWS))
        await asyncio.sleep(0.05)
        device.shows.set_text_size("large")
        await showing
        assert [op for op, _ in device.heard] == ["show", "update"]
        assert body_px(device.heard[-1][1]) == 23

    run(conversation)


def test_a_newer_state_of_a_card_that_comes_meanwhile_is_what_stays():
    async def conversation():
        device = Device()
        await device.shows.card(NEWS)
        cut = device.shows._maker.fit

        async def slow(*arguments, **more):
            await asyncio.sleep(0.1)
            return await cut(*arguments, **more)

        device.shows._maker.fit = slow
        device.shows.set_text_size("large")
        await asyncio.sleep(0.01)
        device.shows._maker.fit = cut
        await device.shows.card(replace(NEWS, revision=1))
        await asyncio.gather(*device.tasks)
        assert [(op, card.get("rev", 0)) for op, card in device.heard] == [
            ("show", 0),
            ("update", 1),
        ]
        assert body_px(device.heard[-1][1]) == 23

    run(conversation)


def test_a_picture_that_is_still_on_its_way_comes_into_the_pages_that_are_shown():
    lake = ImageRef(url="https://i.example/lake.png", alt="The lake")
    card = replace(NEWS, blocks=(TextBlock(text=PARCEL[:40]), ImageBlock(image=lake)))

    async def conversation():
        here = asyncio.Event()

        async def fetch(url):
            await here.wait()
            raise VoxcardError("It is gone.")

        device = Device(fetch=fetch)
        await device.shows.card(card)
        device.shows.set_text_size("large")
        await asyncio.sleep(0.01)
        here.set()
        await asyncio.gather(*device.tasks)
        sizes = [body_px(sent) for _, sent in device.heard]
        assert sizes[0] == 20 and set(sizes[1:]) == {23}, "no page of the old size comes back"
        assert len(device.heard) == 3, "cut anew, then the words instead of the picture"

    run(conversation)


def test_a_device_says_its_size_by_an_event_within_its_session():
    panel = {
        "width": 240, "height": 240, "depth": 16, "pitch_um": 98, "cell": [8, 16],
        "blocks": list(PANEL.blocks), "faces": list(PANEL.faces),
    }  # fmt: skip

    async def conversation():
        device = FakeDevice(FakeAssistant(), FakeHub())
        device.greet(screen=panel)
        cards = device.relay.screen.cards
        assert cards._screen.text_size == "normal"
        device.say("event", name="text_size", text="large")
        assert cards._screen.text_size == "large"
        for wrong in ({"text": "huge"}, {"text": ""}, {}):
            device.say("event", name="text_size", **wrong)
            assert cards._screen.text_size == "large"

    run(conversation)
