"""Finds the pictures of a card for one screen: those ready in time, and those that are late."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from voxwire import card as wire
from voxwire.capability import Screen

from voxcard.cards.fit.picture import WAITED_FOR, Picture
from voxcard.cards.fit.strip_batch import Drawer
from voxcard.cards.images import decode
from voxcard.cards.images.charts import draw
from voxcard.cards.images.decode import Room
from voxcard.cards.model import Block, Card, ChartBlock, ImageBlock, ImageRef, MediaBlock
from voxcard.cards.offload import Offload
from voxcard.errors import MissingExtra, VoxcardError

_LOG = logging.getLogger(__name__)

# Speech waits for the card, so the card does not wait long for its pictures.
WAIT_S = 0.5
# RAM of a small device for all pictures of a card, while it still holds those of the last one.
CARD_BYTES_MAX = 12_288
PICTURE_BYTES_MIN = CARD_BYTES_MAX // 2
COUNT_MAX = 6
KEPT_MAX = 64  # finished pictures, for the next time a card is drawn ...
KEPT_S = 600.0  # ... for as long as what they show may be taken for true
FAILED_S = 60.0
AT_ONCE = 4  # pictures that are fetched side by side
# On panels lower than this a picture takes all of it, title and foot included.
LOW = 100

Key = ImageRef | ChartBlock


@dataclass(slots=True)
class CardPictures:
    """Pictures for `fit`. Those in `late` are on their way; WAITED_FOR keeps their page."""

    ready: dict[Key, Picture]
    late: "dict[asyncio.Task[Picture | None], ImageRef]" = field(default_factory=dict)

    async def rest(self) -> Mapping[Key, Picture]:
        """Waits until the last late picture has come or failed; returns all of them."""
        try:
            if self.late:
                await asyncio.wait(self.late)
        except asyncio.CancelledError:
            self.cancel()
            raise
        for task, image in self.late.items():
            if picture := task.result():
                self.ready[image] = picture
        return self.ready

    async def wait(self, limit_s: float) -> None:
        """Waits for those that come within the limit; cancelled, it stops all of them."""
        try:
            done, _ = await asyncio.wait(self.late, timeout=limit_s)
        except asyncio.CancelledError:
            self.cancel()
            raise
        for task in done:
            image = self.late.pop(task)
            if picture := task.result():
                self.ready[image] = picture
        self.ready.update(dict.fromkeys(self.late.values(), WAITED_FOR))

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
        wait_s: float = WAIT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch, self._offload, self._drawer = fetch, offload, drawer
        self._wait_s, self._clock = wait_s, clock
        self._kept: dict[tuple[str, Room], tuple[float, Picture | None]] = {}
        self._fetching = asyncio.Semaphore(AT_ONCE)
        self._decoding = asyncio.Semaphore(1)  # one large picture in memory at a time

    async def find(self, card: Card, screen: Screen) -> CardPictures:
        """Returns what is ready within the wait; never raises, as a card has words without it."""
        charts = [block for block in _blocks(card) if isinstance(block, ChartBlock)]
        pictures = CardPictures(ready={})
        if charts and draws_charts(screen):
            pictures.ready |= await self._offload(self._charts, charts[:COUNT_MAX], screen)
        for image, room in wanted_images(card, screen).items():
            name = f"picture {image.url[:60]}"
            pictures.late[asyncio.create_task(self._picture(image, room), name=name)] = image
        if pictures.late:
            await pictures.wait(self._wait_s)
        return pictures

    def _charts(self, charts: list[ChartBlock], screen: Screen) -> dict[Key, Picture]:
        drawer = self._drawer(tuple(screen.cell))
        pictures = {chart: draw(chart, screen, drawer) for chart in charts} if drawer else {}
        return {chart: picture for chart, picture in pictures.items() if picture}

    async def _picture(self, image: ImageRef, room: Room) -> Picture | None:
        kept = self._kept.get((image.url, room)) if image.url else None
        if kept is not None and self._clock() < kept[0]:
            return kept[1]
        try:
            async with self._fetching:
                data = image.data or await self._fetch(image.url)
            async with self._decoding:
                picture = await self._offload(decode.decode, data, room)
        except MissingExtra as error:
            _LOG.warning("Pictures are left out. %s", error)
            return None
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
    most = COUNT_MAX if screen.depth == 1 else CARD_BYTES_MAX // PICTURE_BYTES_MIN
    first = list(images)[:most]
    return {image: _room(image, screen, CARD_BYTES_MAX // len(first)) for image in first}


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
    body = wire.layout(screen, False).body
    cell_width, cell_height = screen.cell
    width = body.cols * cell_width if screen.shape == "round" else screen.width
    if screen.shape != "round" and screen.height < LOW:
        height = screen.height
    else:
        height = (body.rows - bool(image.alt)) * cell_height
    return Room(width=width, height=height, depth=screen.depth, bytes_max=bytes_max)
