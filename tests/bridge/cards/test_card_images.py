"""The pictures of a card: which are wanted, ready in time, late, or left to their words."""

import asyncio
import io
import logging
from itertools import count

from fakes.bridge import at_once, card_maker
from PIL import Image
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.picture import WAITED_FOR
from voxcard.cards.images.card_images import FAILED_S, KEPT_S, PictureFinder, wanted_images
from voxcard.cards.images.decode import Room
from voxcard.cards.model import (
    Card,
    ChartBlock,
    ImageBlock,
    ImageRef,
    MediaBlock,
    Play,
    TextBlock,
)
from voxcard.errors import VoxcardError
from voxcard.link.blobs import BlobFailed
from voxcard.screen.device_cards import DeviceCards
from voxwire.capability import BLOCKS, Screen

MONO = Screen(128, 64, 1, "rect", 0, (6, 12), ((32, 126),), BLOCKS)
PANEL = Screen(240, 240, 16, "rect", 0, (8, 16), ((32, 126),), BLOCKS)
ROUND = Screen(240, 240, 16, "round", 0, (8, 16), ((32, 126),), BLOCKS)
LAKE = ImageRef(url="https://i.example/lake.png", alt="The lake")
HILL = ImageRef(url="https://i.example/hill.png")
CARD = Card(id="c", dialect="t", title="Trip", blocks=(ImageBlock(image=LAKE),), image=HILL)


def png(colour="navy"):
    out = io.BytesIO()
    Image.new("RGB", (32, 24), colour).save(out, "PNG")
    return out.getvalue()


class Web:
    """Pages by link; what is held comes when a test lets it go."""

    def __init__(self, *held, **failing):
        self.asked = []
        self.failing = failing
        self.held = {link: asyncio.Event() for link in held}

    async def __call__(self, url):
        self.asked.append(url)
        if url in self.held:
            await self.held[url].wait()
        name = url.rpartition("/")[2].partition(".")[0]
        if name in self.failing:
            raise VoxcardError(self.failing[name])
        return png()


def pictures(web, clock=lambda: 0.0, wait_s=5.0):
    return PictureFinder(web, at_once, lambda cell: None, wait_s, clock)


def run(conversation):
    async def limited():
        async with asyncio.timeout(10):
            return await conversation()

    return asyncio.run(limited())


def test_the_image_of_the_card_comes_first_then_those_of_its_blocks_and_posters():
    poster = ImageRef(url="https://i.example/poster.png")
    video = MediaBlock(kind="video", title="v", url="https://v.example/", poster=poster)
    card = Card(id="c", dialect="t", image=HILL, blocks=(ImageBlock(image=LAKE), video))
    assert list(wanted_images(card, MONO)) == [HILL, LAKE, poster]
    # A colour panel's memory holds two at a size that shows something.
    assert list(wanted_images(card, PANEL)) == [HILL, LAKE]


def test_scenes_and_slides_have_pictures_too():
    play = Play(scenes=((ImageBlock(image=LAKE),),), durations_ms=(1000,))
    played = Card(id="c", dialect="t", play=play, blocks=(ImageBlock(image=HILL),))
    assert list(wanted_images(played, MONO)) == [LAKE]
    slides = (Card(id="1", dialect="t", image=HILL), Card(id="2", dialect="t", image=LAKE))
    assert list(wanted_images(Card(id="c", dialect="t", slides=slides), MONO)) == [HILL, LAKE]


def test_an_icon_stands_for_the_picture_a_card_has_not_where_there_is_room():
    icon = ImageRef(url="https://i.example/icon.png")
    card = Card(id="c", dialect="t", icon=icon)
    assert list(wanted_images(card, PANEL)) == [icon]
    assert list(wanted_images(card, MONO)) == []
    assert list(wanted_images(Card(id="c", dialect="t", icon=icon, image=HILL), PANEL)) == [HILL]


def test_the_room_is_the_body_with_a_line_for_the_words_or_the_whole_of_a_low_panel():
    def room(image, screen):
        return wanted_images(Card(id="c", dialect="t", image=image), screen)[image]

    assert room(LAKE, MONO) == Room(width=128, height=64, depth=1, bytes_max=12_288)
    assert room(LAKE, PANEL) == Room(width=240, height=192, depth=16, bytes_max=12_288)
    assert room(HILL, PANEL) == Room(width=240, height=208, depth=16, bytes_max=12_288)
    assert room(HILL, ROUND) == Room(width=192, height=128, depth=16, bytes_max=12_288)


def test_a_screen_that_shows_no_images_asks_for_none():
    web = Web()
    words = PANEL._replace(blocks=("text", "qr"))
    card_pictures = run(lambda: pictures(web).find(CARD, words))
    assert (card_pictures.ready, card_pictures.late, web.asked) == ({}, {}, [])


def test_a_picture_fetched_in_time_is_ready():
    web = Web()
    card_pictures = run(lambda: pictures(web).find(CARD, PANEL))
    assert set(card_pictures.ready) == {HILL, LAKE} and not card_pictures.late
    assert (card_pictures.ready[LAKE].width, card_pictures.ready[LAKE].height) == (32, 24)


def test_inline_pictures_are_not_asked_for():
    inline = ImageRef(data=png(), alt="x")
    web = Web()
    card = Card(id="c", dialect="t", image=inline)
    card_pictures = run(lambda: pictures(web).find(card, MONO))
    assert len(card_pictures.ready[inline].data) == 24 * 4 and web.asked == []


def test_a_late_picture_keeps_its_page_and_comes_with_the_rest():
    async def conversation():
        web = Web(LAKE.url)
        card_pictures = await pictures(web, wait_s=0.05).find(CARD, PANEL)
        assert card_pictures.ready[HILL].width == 32 and card_pictures.ready[LAKE] is WAITED_FOR
        web.held[LAKE.url].set()
        rest = await card_pictures.rest()
        assert rest[LAKE].width == 32

    run(conversation)


def test_a_late_picture_that_fails_leaves_a_page_of_its_words():
    async def conversation():
        web = Web(LAKE.url, lake="The lake is gone.")
        card_pictures = await pictures(web, wait_s=0.05).find(CARD, PANEL)
        web.held[LAKE.url].set()
        assert (await card_pictures.rest())[LAKE] is WAITED_FOR

    run(conversation)


def test_cancelling_the_wait_cancels_the_fetch():
    async def conversation():
        web = Web(LAKE.url, HILL.url)
        card_pictures = await pictures(web, wait_s=0.05).find(CARD, PANEL)
        rest = asyncio.create_task(card_pictures.rest())
        await asyncio.sleep(0)
        rest.cancel()
        await asyncio.gather(rest, *card_pictures.late, return_exceptions=True)
        assert all(task.cancelled() for task in card_pictures.late)
        finding = asyncio.create_task(pictures(web).find(CARD, PANEL))
        await asyncio.sleep(0)
        before = asyncio.all_tasks()
        finding.cancel()
        await asyncio.gather(finding, return_exceptions=True)
        await asyncio.sleep(0)
        assert not (before & asyncio.all_tasks()) - {asyncio.current_task()}

    run(conversation)


def test_a_failure_is_a_warning_and_the_words_and_is_not_tried_again_at_once(caplog):
    async def conversation():
        now = [0.0]
        web = Web(lake="i.example answers with 404.")
        finder = pictures(web, lambda: now[0])
        with caplog.at_level(logging.WARNING):
            card_pictures = await finder.find(CARD, PANEL)
        assert set(card_pictures.ready) == {HILL}
        assert [record.getMessage() for record in caplog.records] == [
            "picture https://i.example/lake.png: left out. i.example answers with 404."
        ]
        await finder.find(CARD, PANEL)
        assert web.asked.count(LAKE.url) == 1
        now[0] = FAILED_S
        await finder.find(CARD, PANEL)
        assert web.asked.count(LAKE.url) == 2

    run(conversation)


def test_a_picture_is_kept_a_while_for_each_size_it_was_shown_in():
    async def conversation():
        now = [0.0]
        web = Web()
        finder = pictures(web, lambda: now[0])
        for _ in range(2):
            await finder.find(CARD, PANEL)
        assert web.asked == [HILL.url, LAKE.url]
        await finder.find(CARD, MONO)
        assert web.asked == [HILL.url, LAKE.url] * 2
        now[0] = KEPT_S
        await finder.find(CARD, PANEL)
        assert web.asked == [HILL.url, LAKE.url] * 3

    run(conversation)


def test_without_fonts_a_chart_is_left_to_its_words():
    chart = ChartBlock(summary="s", points=(("a", 1.0),))
    card = Card(id="c", dialect="t", blocks=(chart,))
    assert run(lambda: pictures(Web()).find(card, PANEL)).ready == {}


class Wire:
    def __init__(self):
        self.cards = []

    def send(self, type_name, **values):
        self.cards.append((values["op"], values["card"]))
        return True


class Room24K:
    """The blobs of a device that takes no image of more than `image_max` bytes, and no others
    but for the `kinds`."""

    def __init__(self, image_max=16_384, kinds=("image", "glyphs", "strips")):
        self.sent = []
        self._image_max, self._kinds = image_max, kinds
        self.next_id = count(1).__next__

    async def send(self, kind, data, *, blob_id, name):
        if kind not in self._kinds or (kind == "image" and len(data) > self._image_max):
            raise BlobFailed("The device refused a picture: blob.size: is out of range.")
        self.sent.append((kind, blob_id))


def showing(finder, wire, blobs, tasks, drawer=None):
    device_cards = DeviceCards(
        card_maker(pictures=finder, drawer=drawer),
        wire,
        blobs,
        keep=lambda device_id, card: None,
        spawn=lambda work, name: tasks.append(asyncio.create_task(work, name=name)),
        log=lambda: logging.getLogger("test"),
    )
    device_cards.greet("kitchen", PANEL, "full")
    return device_cards


TALE = Card(
    id="tale",
    dialect="t",
    title="Tale",
    blocks=(TextBlock(text="Once."), ImageBlock(image=LAKE), TextBlock(text="The end.")),
)


def kinds(card):
    return [page["k"] for page in card["pages"]]


def test_a_late_picture_takes_the_place_that_its_words_kept():
    async def conversation():
        web, wire, blobs, tasks = Web(LAKE.url), Wire(), Room24K(), []
        shown = showing(pictures(web, wait_s=0.05), wire, blobs, tasks)
        assert await shown.card(TALE) == "tale"
        (first,) = wire.cards
        assert first[0] == "show" and kinds(first[1]) == ["t", "t", "t"]
        assert first[1]["pages"][1] == {"k": "t", "t": "Tale", "l": ["[picture]", "The lake"]}
        assert blobs.sent == []
        web.held[LAKE.url].set()
        await asyncio.gather(*tasks)
        op, card = wire.cards[1]
        assert op == "update" and kinds(card) == ["t", "i", "t"]
        assert (card["id"], card["rev"]) == (first[1]["id"], first[1]["rev"])
        assert card["pages"][0] == first[1]["pages"][0]
        assert card["res"] == [blob_id for _, blob_id in blobs.sent]

    run(conversation)


def test_a_late_picture_of_a_card_that_was_replaced_changes_nothing():
    async def conversation():
        web, wire, blobs, tasks = Web(LAKE.url), Wire(), Room24K(), []
        shown = showing(pictures(web, wait_s=0.05), wire, blobs, tasks)
        await shown.card(TALE)
        await shown.card(Card(id="tale", dialect="t", title="Another"))
        web.held[LAKE.url].set()
        await asyncio.gather(*tasks)
        assert [op for op, _ in wire.cards] == ["show", "show"]

    run(conversation)


def test_a_device_that_refuses_a_picture_gets_the_words():
    async def conversation():
        wire, blobs, tasks = Wire(), Room24K(image_max=100), []
        shown = showing(pictures(Web()), wire, blobs, tasks)
        assert await shown.card(TALE) == "tale"
        ((_, card),) = wire.cards
        assert kinds(card) == ["t"]
        assert card["pages"][0]["l"] == ["Once.", "[picture] The lake", "The end."]

    run(conversation)


def test_a_device_without_room_for_drawn_text_is_sent_the_card_all_the_same():
    async def conversation():
        wire, blobs = Wire(), Room24K(kinds=("image",))
        shown = showing(pictures(Web()), wire, blobs, [], Drawer(PANEL.cell))
        card = Card(id="c", dialect="t", title="طلبك", blocks=(TextBlock(text="Order 1042"),))
        assert await shown.card(card) == "c"
        ((_, sent),) = wire.cards
        assert sent["pages"][0]["l"] == ["Order 1042"]

    run(conversation)


def test_a_device_that_wants_text_only_is_sent_no_picture():
    async def conversation():
        web, wire, tasks = Web(), Wire(), []
        shown = showing(pictures(web), wire, Room24K(), tasks)
        shown.greet("kitchen", PANEL, "text")
        await shown.card(TALE)
        assert web.asked == []

    run(conversation)
