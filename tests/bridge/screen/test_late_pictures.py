"""Pictures of cards on a device: after the words, in their frames, or as words of their own."""

import asyncio
import io
import logging
from itertools import count

import pytest
from fakes.bridge import at_once, card_maker
from fakes.device.screens import screen_of
from PIL import Image
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.model import Card, ImageBlock, ImageRef, TextBlock
from voxcard.errors import VoxcardError
from voxcard.link.blobs import BlobFailed
from voxcard.screen.device_cards import DeviceCards
from voxwire.capability import BLOCKS

PANEL = screen_of(240, 240, 16, cell=(8, 16), glyphs=((32, 126),), blocks=BLOCKS)
PSRAM = PANEL._replace(picture_bytes=115_200)
LAKE = ImageRef(url="https://i.example/lake.png", alt="The lake")
HILL = ImageRef(url="https://i.example/hill.png")
TALE = Card(
    id="tale",
    dialect="t",
    title="Tale",
    blocks=(TextBlock(text="Once."), ImageBlock(image=LAKE), TextBlock(text="The end.")),
)


class Device:
    """The bridge's parts for one device, and in `heard` what that is sent, in order.

    It takes no image of more than `image_max` bytes, and blobs of the `kinds` alone. Pages of the
    web come when `web[url]` is set, `None` for one that fails.
    """

    def __init__(self, screen, *, image_max=1 << 20, kinds=BLOCKS, drawer=None):
        self.heard, self.cards, self.tasks = [], [], []
        self.web = {
            url: asyncio.get_running_loop().create_future() for url in (LAKE.url, HILL.url)
        }
        self.next_id = count(1).__next__
        self._image_max, self._kinds = image_max, kinds
        self.shows = DeviceCards(
            card_maker(pictures=PictureFinder(self._fetch, at_once, None), drawer=drawer),
            self,
            self,
            keep=lambda device_id, card: None,
            spawn=lambda work, name: self.tasks.append(asyncio.create_task(work, name=name)),
            log=lambda: logging.getLogger("test"),
        )
        self.shows.greet("kitchen", screen, "full")

    def gets(self, image, size=(320, 240)):
        """The web answers with a picture of that size, None: with an error."""
        out = io.BytesIO()
        if size is not None:
            Image.new("RGB", size, "navy").save(out, "PNG")
        self.web[image.url].set_result(out.getvalue())

    async def settle(self):
        """Waits until every picture has come or failed."""
        await asyncio.gather(*self.tasks)

    async def _fetch(self, url):
        data = await asyncio.shield(self.web[url])
        if not data:
            raise VoxcardError(f"{url} is gone.")
        return data

    # A Wire and the Blobs.

    def send(self, kind, data=None, *, blob_id=0, name="", in_turns=False, **message):
        if kind == "card":
            self.cards.append(message["card"])
            self.heard.append((message["op"], "".join(p["k"] for p in message["card"]["pages"])))
            return True
        return self._take(kind, data, blob_id, in_turns)

    async def _take(self, kind, data, blob_id, in_turns):
        if kind not in self._kinds or (kind == "image" and len(data) > self._image_max):
            raise BlobFailed("The device refused a picture: blob.size: is out of range.")
        self.heard.append((kind, blob_id, len(data), in_turns))


def run(conversation):
    async def limited():
        async with asyncio.timeout(10):
            return await conversation()

    return asyncio.run(limited())


def sizes(card):
    return [(page["b"], page["w"], page["h"]) for page in card["pages"] if page["k"] == "i"]


def test_the_words_are_shown_at_once_and_the_rows_of_a_picture_as_they_come():
    async def conversation():
        device = Device(PSRAM)
        assert await device.shows.card(TALE) == "tale"
        assert device.heard == [("show", "tit")] and sizes(device.cards[0]) == [(1, 240, 192)]
        assert device.cards[0]["pages"][1]["l"] == ["The lake"]
        device.gets(LAKE)
        await device.settle()
        assert device.heard[1:] == [("update", "tit"), ("image", 1, 240 * 180 * 2, True)]
        first, filled = device.cards
        assert sizes(filled) == [(1, 240, 180)]
        for name in ("id", "rev", "res"):
            assert filled[name] == first[name]
        assert [filled["pages"][at] for at in (0, 2)] == [first["pages"][at] for at in (0, 2)]

    run(conversation)


def test_a_picture_of_its_frames_size_needs_no_other_card():
    async def conversation():
        device = Device(PSRAM)
        await device.shows.card(TALE)
        device.gets(LAKE, (240, 192))
        await device.settle()
        assert device.heard == [("show", "tit"), ("image", 1, 240 * 192 * 2, True)]

    run(conversation)


def test_a_panel_without_memory_for_more_is_told_when_it_has_a_small_picture():
    async def conversation():
        device = Device(PANEL)
        await device.shows.card(TALE)
        device.gets(LAKE)
        await device.settle()
        image, update = device.heard[1:]
        assert image == ("image", 1, 32 + 90 * 135, False) and update == ("update", "tit")
        assert sizes(device.cards[1]) == [(1, 180, 135)]

    run(conversation)


def test_each_picture_comes_when_it_is_found():
    async def conversation():
        device = Device(PSRAM)
        both = (ImageBlock(image=LAKE), ImageBlock(image=HILL))
        await device.shows.card(Card(id="c", dialect="t", title="Trip", blocks=both))
        device.gets(HILL)
        for _ in range(20):
            await asyncio.sleep(0)
        assert [each[:2] for each in device.heard[1:]] == [("update", "ii"), ("image", 2)]
        device.gets(LAKE)
        await device.settle()
        assert [each[:2] for each in device.heard[3:]] == [("update", "ii"), ("image", 1)]
        assert sizes(device.cards[-1]) == [(1, 240, 180), (2, 240, 180)]

    run(conversation)


@pytest.mark.parametrize("screen", [PANEL, PSRAM])
def test_the_words_of_a_picture_that_does_not_come_keep_its_page(screen):
    async def conversation():
        device = Device(screen)
        await device.shows.card(TALE)
        device.gets(LAKE, None)
        await device.settle()
        assert device.heard == [("show", "tit"), ("update", "ttt")]
        assert device.cards[1]["pages"][1]["l"] == ["[picture]", "The lake"]
        assert "res" not in device.cards[1]

    run(conversation)


@pytest.mark.parametrize("screen", [PANEL, PSRAM])
def test_a_device_that_refuses_a_picture_gets_the_words(screen):
    async def conversation():
        device = Device(screen, image_max=100)
        await device.shows.card(TALE)
        device.gets(LAKE)
        await device.settle()
        assert device.heard[-1] == ("update", "ttt") and len(device.cards[-1]["pages"]) == 3

    run(conversation)


def test_a_late_picture_of_a_card_that_was_replaced_changes_nothing():
    async def conversation():
        device = Device(PSRAM)
        await device.shows.card(TALE)
        await device.shows.card(Card(id="tale", dialect="t", title="Another"))
        device.gets(LAKE)
        await device.settle()
        assert device.heard == [("show", "tit"), ("show", "t")]

    run(conversation)


def revision(number):
    """A live card whose text changes while its picture stays."""
    blocks = (TextBlock(text=f"Lap {number}"), ImageBlock(image=LAKE))
    return Card(id="run", dialect="t", title="Run", blocks=blocks, revision=number)


def test_a_card_that_is_redrawn_in_place_keeps_its_picture_and_it_is_not_sent_again():
    async def conversation():
        device = Device(PSRAM)
        await device.shows.card(revision(1))
        device.gets(LAKE)
        await device.settle()
        assert [each[0] for each in device.heard] == ["show", "update", "image"]
        await device.shows._draw(revision(2), in_place=True)
        await device.settle()
        assert [each[0] for each in device.heard[3:]] == ["update"]
        assert sizes(device.cards[-1]) == [(1, 240, 180)]
        # A device that begins a new session may have lost it.
        device.shows.greet("kitchen", PSRAM, "full")
        await device.shows._draw(revision(3), in_place=True)
        await device.settle()
        assert device.heard[4:][-1] == ("image", 2, 240 * 180 * 2, True)

    run(conversation)


def test_a_device_without_room_for_drawn_text_is_sent_the_card_all_the_same():
    async def conversation():
        device = Device(PANEL, kinds=("image",), drawer=Drawer(PANEL.cell))
        card = Card(id="c", dialect="t", title="طلبك", blocks=(TextBlock(text="Order 1042"),))
        assert await device.shows.card(card) == "c"
        assert device.cards[0]["pages"][0]["l"] == [["b", "Order 1042"], ""]

    run(conversation)


def test_a_device_that_wants_text_only_is_sent_no_picture():
    async def conversation():
        device = Device(PSRAM)
        device.shows.greet("kitchen", PSRAM, "text")
        await device.shows.card(TALE)
        assert device.heard == [("show", "t")] and device.tasks == []

    run(conversation)
