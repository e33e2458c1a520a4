"""The pictures of a card: which are wanted, ready in time, late, or left to their words."""

import asyncio
import io
import logging
from dataclasses import replace

from fakes.bridge import at_once
from fakes.device.screens import screen_of
from PIL import Image
from voxcard.cards.fit.picture import Picture
from voxcard.cards.images import decode
from voxcard.cards.images.card_images import FAILED_S, KEPT_S, PictureFinder, wanted_images
from voxcard.cards.images.decode import Room
from voxcard.cards.model import (
    Card,
    ChartBlock,
    ImageBlock,
    ImageRef,
    MediaBlock,
    Play,
)
from voxcard.errors import VoxcardError
from voxwire.capability import BLOCKS

MONO = screen_of(128, 64, 1, "rect", 0, (6, 12), ((32, 126),), BLOCKS)
PANEL = screen_of(240, 240, 16, "rect", 0, (8, 16), ((32, 126),), BLOCKS)
ROUND = screen_of(240, 240, 16, "round", 0, (8, 16), ((32, 126),), BLOCKS)
PSRAM = PANEL._replace(picture_bytes=115_200)
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


def pictures(web, clock=lambda: 0.0):
    return PictureFinder(web, at_once, lambda cell: None, clock)


async def found(finder, card, screen):
    """All the pictures of a card, when the last one has come."""
    return await (await finder.find(card, screen)).rest()


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


def test_with_memory_for_it_a_picture_has_the_whole_panel_and_all_its_bytes():
    def room(image, screen):
        return wanted_images(Card(id="c", dialect="t", image=image), screen)[image]

    whole = Room(width=240, height=240, depth=16, bytes_max=115_200)
    assert room(LAKE, PSRAM) == room(HILL, PSRAM) == whole
    circle = ROUND._replace(picture_bytes=115_200)
    assert room(LAKE, circle) == replace(whole, round=True)
    assert set(wanted_images(CARD, PSRAM).values()) == {whole}  # each of the two


def test_a_screen_that_shows_no_images_asks_for_none():
    web = Web()
    words = PANEL._replace(blocks=("text", "qr"))
    card_pictures = run(lambda: pictures(web).find(CARD, words))
    assert (card_pictures.ready, card_pictures.late, web.asked) == ({}, {}, [])


def test_nothing_is_waited_for_and_a_frame_with_room_for_the_words_keeps_the_page():
    async def conversation():
        card_pictures = await pictures(Web(LAKE.url, HILL.url)).find(CARD, PSRAM)
        assert card_pictures.ready == {
            HILL: Picture(width=240, height=208, data=b""),
            LAKE: Picture(width=240, height=192, data=b""),
        }
        assert list(card_pictures.late.values()) == [HILL, LAKE]
        card_pictures.cancel()

    run(conversation)


def test_pictures_come_one_by_one_as_they_are_found():
    async def conversation():
        web = Web(HILL.url, lake="The lake is gone.")
        card_pictures = await pictures(web).find(CARD, PANEL)
        assert await card_pictures.next() == (LAKE, None)
        web.held[HILL.url].set()
        image, picture = await card_pictures.next()
        assert (image, picture.width, picture.height) == (HILL, 32, 24)
        assert card_pictures.late == {}

    run(conversation)


def test_all_of_them_are_those_there_are():
    web = Web(lake="The lake is gone.")
    images = run(lambda: found(pictures(web), CARD, PANEL))
    assert list(images) == [HILL] and images[HILL].width == 32


def test_inline_pictures_are_not_asked_for():
    inline = ImageRef(data=png(), alt="x")
    web = Web()
    card = Card(id="c", dialect="t", image=inline)
    images = run(lambda: found(pictures(web), card, MONO))
    assert len(images[inline].data) == 24 * 4 and web.asked == []


def test_a_small_picture_that_is_at_hand_goes_with_its_card():
    async def conversation():
        finder = pictures(Web())
        await found(finder, CARD, PANEL)
        again = await finder.find(CARD, PANEL)
        assert again.late == {} and again.ready[LAKE].width == 32

    run(conversation)


def test_a_large_picture_comes_after_its_card_though_it_is_at_hand():
    async def conversation():
        web = Web()
        finder = pictures(web)
        await found(finder, CARD, PSRAM)
        again = await finder.find(CARD, PSRAM)
        assert again.ready[LAKE].data == b"" and len(again.late) == 2
        assert (await again.rest())[LAKE].data != b"" and web.asked == [HILL.url, LAKE.url]

    run(conversation)


def test_without_what_reads_pictures_their_words_stand_for_them(monkeypatch, caplog):
    monkeypatch.setattr(decode, "available", lambda: False)
    with caplog.at_level(logging.WARNING):
        card_pictures = run(lambda: pictures(Web()).find(CARD, PANEL))
    assert (card_pictures.ready, card_pictures.late) == ({}, {})
    assert caplog.records[0].getMessage().startswith("What reads pictures (Pillow) is not")


def test_cancelling_the_wait_cancels_the_fetch():
    async def conversation():
        card_pictures = await pictures(Web(LAKE.url, HILL.url)).find(CARD, PANEL)
        fetches = list(card_pictures.late)
        waiting = asyncio.create_task(card_pictures.next())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, *fetches, return_exceptions=True)
        assert all(task.cancelled() for task in fetches)

    run(conversation)


def test_a_failure_is_a_warning_and_the_words_and_is_not_tried_again_at_once(caplog):
    async def conversation():
        now = [0.0]
        web = Web(lake="i.example answers with 404.")
        finder = pictures(web, lambda: now[0])
        with caplog.at_level(logging.WARNING):
            assert list(await found(finder, CARD, PSRAM)) == [HILL]
        assert [record.getMessage() for record in caplog.records] == [
            "picture https://i.example/lake.png: left out. i.example answers with 404."
        ]
        again = await finder.find(CARD, PSRAM)
        assert list(again.ready) == [HILL]  # no frame for what will not come
        await again.rest()
        assert web.asked.count(LAKE.url) == 1
        now[0] = FAILED_S
        await found(finder, CARD, PSRAM)
        assert web.asked.count(LAKE.url) == 2

    run(conversation)


def test_a_picture_is_kept_a_while_for_each_size_it_was_shown_in():
    async def conversation():
        now = [0.0]
        web = Web()
        finder = pictures(web, lambda: now[0])
        for _ in range(2):
            await found(finder, CARD, PANEL)
        assert web.asked == [HILL.url, LAKE.url]
        await found(finder, CARD, MONO)
        assert web.asked == [HILL.url, LAKE.url] * 2
        now[0] = KEPT_S
        await found(finder, CARD, PANEL)
        assert web.asked == [HILL.url, LAKE.url] * 3

    run(conversation)


def test_without_fonts_a_chart_is_left_to_its_words():
    chart = ChartBlock(summary="s", points=(("a", 1.0),))
    card = Card(id="c", dialect="t", blocks=(chart,))
    assert run(lambda: pictures(Web()).find(card, PANEL)).ready == {}
