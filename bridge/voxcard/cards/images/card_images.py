"""Finds the pictures of a card for one screen: those at hand, and those that come later."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.picture import Picture
from voxcard.cards.fit.strip_batch import Drawer
from voxcard.cards.images import decode
from voxcard.cards.images.charts import draw
from voxcard.cards.images.decode import Room
from voxcard.cards.model import Block, Card, ChartBlock, ImageBlock, ImageRef, MediaBlock
from voxcard.cards.offload import Offload
from voxcard.errors import MissingExtra, VoxcardError

_LOG = logging.getLogger(__name__)

# RAM of a small device for all pictures of a card, while it still holds those of the last one.
CARD_BYTES_MAX = 12_288
IN_COLOUR_MAX = 2  # of a card: at a size that shows something, or as many as PSRAM is given to
COUNT_MAX = 6
KEPT_MAX = 32  # finished pictures, for the next time a card is drawn ...
KEPT_S = 600.0  # ... for as long as what they show may be taken for true
FAILED_S = 60.0
AT_ONCE = 4  # pictures that are fetched side by side
# On panels lower than this a picture takes all of it, title and foot included.
LOW = 100

Key = ImageRef | ChartBlock


@dataclass(slots=True)
class CardPictures:
    """Pictures for `fit`; a frame in `ready` keeps the page of each that is still `late`."""

    ready: dict[Key, Picture]
    late: "dict[asyncio.Task[Picture | None], ImageRef]" = field(default_factory=dict)

    async def next(self) -> tuple[ImageRef, Picture | None]:
        """Waits for the first of the late ones; None if there is no such picture.

        Takes it off `late`. Cancelled, it stops all of them.
        """
        try:
            await asyncio.wait(self.late, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.cancel()
            raise
        task = next(task for task in self.late if task.done())
        return self.late.pop(task), task.result()

    async def rest(self) -> Mapping[Key, Picture]:
        """Waits until the last late picture has come or failed; returns all there are."""
        while self.late:
            image, picture = await self.next()
            if picture is None:
                del self.ready[image]
            else:
                self.ready[image] = picture
        return self.ready

    def cancel(self) -> None:
        """Stops fetching the late ones."""
        for task in self.late:
            task.cancel()


class PictureFinder:
    """Finds the pictures of cards. `fetch(url)` returns bytes; `offload` runs work in a thread;
    `drawer(cell)` writes a chart's labels, None where fonts are missing."""

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[bytes]],
        offload: Offload,
        drawer: Callable[[tuple[int, int]], Drawer | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch, self._offload, self._drawer = fetch, offload, drawer
        self._clock = clock
        self._kept: dict[tuple[str, Room], tuple[float, Picture | None]] = {}
        self._fetching = asyncio.Semaphore(AT_ONCE)
        self._decoding = asyncio.Semaphore(1)  # one large picture in memory at a time

    async def find(self, card: Card, screen: Screen) -> CardPictures:
        """Waits for no picture that is not at hand; never raises, as a card has words without."""
        charts = [block for block in _blocks(card) if isinstance(block, ChartBlock)]
        pictures = CardPictures(ready={})
        if charts and draws_charts(screen):
            pictures.ready |= await self._offload(self._charts, charts[:COUNT_MAX], screen)
        wanted = wanted_images(card, screen)
        if wanted and not decode.available():
            _LOG.warning("%s", MissingExtra("What reads pictures (Pillow)", "images"))
            wanted = {}
        for image, room in wanted.items():
            until, kept = self._kept.get((image.url, room), (0.0, None))
            at_hand = self._clock() < until
            if at_hand and (kept is None or not screen.picture_bytes):
                # A small one is on the device as fast as the card.
                pictures.ready |= {image: kept} if kept else {}
                continue
            pictures.ready[image] = frame(image, screen)
            name = f"picture {image.url[:60]}"
            pictures.late[asyncio.create_task(self._picture(image, room), name=name)] = image
        return pictures

    def _charts(self, charts: list[ChartBlock], screen: Screen) -> dict[Key, Picture]:
        drawer = self._drawer(tuple(screen.cell))
        pictures = {chart: draw(chart, screen, drawer) for chart in charts} if drawer else {}
        return {chart: picture for chart, picture in pictures.items() if picture}

    async def _picture(self, image: ImageRef, room: Room) -> Picture | None:
        until, kept = self._kept.get((image.url, room), (0.0, None))
        if self._clock() < until:
            return kept
        try:
            async with self._fetching:
                data = image.data or await self._fetch(image.url)
            async with self._decoding:
                picture = await self._offload(decode.decode, data, room)
        except VoxcardError as error:
            _LOG.warning("picture %s: left out. %s", image.url[:100] or "of the card", error)
            picture = None
        if image.url:
            self._keep((image.url, room), picture)
        return picture

    def _keep(self, key: tuple[str, Room], picture: Picture | None) -> None:
        self._kept.pop(key, None)
        until = self._clock() + (KEPT_S if picture else FAILED_S)
        self._kept[key] = (until, picture)
        if len(self._kept) > KEPT_MAX:
            del self._kept[next(iter(self._kept))]


def draws_charts(screen: Screen) -> bool:
    """A chart is an image on a mono panel, and lines of strips, in the theme's ink, on others."""
    return ("image" if screen.depth == 1 else "strips") in screen.blocks


def wanted_images(card: Card, screen: Screen) -> dict[ImageRef, Room]:
    """The images of a card that its pages show, and the room of each."""
    if "image" not in screen.blocks:
        return {}
    images = dict.fromkeys(image for image in _images(card) if image.url or image.data)
    if not images and card.icon and screen.height >= LOW:
        images = {card.icon: None}  # it stands for the picture the card has not
    first = list(images)[: COUNT_MAX if screen.depth == 1 else IN_COLOUR_MAX]
    bytes_max = screen.picture_bytes or CARD_BYTES_MAX // max(1, len(first))
    return {image: _room(image, screen, bytes_max) for image in first}


def frame(image: ImageRef, screen: Screen) -> Picture:
    """What stands for a picture until it comes: empty, with its words below."""
    width, height = _body(image, screen)
    return Picture(width=width, height=height, data=b"")


def _images(card: Card) -> Iterator[ImageRef]:
    for slide in card.slides:
        yield from _images(slide)
    if card.image and not card.slides:
        yield card.image
    for block in () if card.slides else _blocks(card):
        if isinstance(block, ImageBlock):
            yield block.image
        elif isinstance(block, MediaBlock) and block.poster:
            yield block.poster


def _blocks(card: Card) -> Iterator[Block]:
    """What the pages are made of: a carousel's are its slides', a play's are its scenes'."""
    if card.slides:
        for slide in card.slides:
            yield from _blocks(slide)
        return
    for scene in card.play.scenes if card.play else ():
        yield from scene
    if not card.play:
        yield from card.blocks


def _room(image: ImageRef, screen: Screen, bytes_max: int) -> Room:
    width, height = _body(image, screen)
    is_round = screen.shape == "round"
    if screen.picture_bytes or (screen.height < LOW and not is_round):
        width, height = screen.width, screen.height
    return Room(
        width=width,
        height=height,
        depth=screen.depth,
        bytes_max=bytes_max,
        round=is_round and screen.picture_bytes > 0,
    )


def _body(image: ImageRef, screen: Screen) -> tuple[int, int]:
    """The size of a page above its foot and a line for the words."""
    body = wire.layout(screen, False).body
    cell_width, cell_height = screen.cell
    width = body.cols * cell_width if screen.shape == "round" else screen.width
    return width, (body.rows - bool(image.alt)) * cell_height
