"""Makes cards for every device: reads them, finds their pictures, cuts them down to a screen."""

from collections.abc import Callable
from typing import Protocol

from voxwire.capability import Screen

from voxcard.cards.drawing.smooth import smooth_drawer
from voxcard.cards.fit.fit import Fitted, fit
from voxcard.cards.fit.picture import Pictures
from voxcard.cards.fit.qr_pages import ShortLink
from voxcard.cards.fit.strip_batch import Drawer
from voxcard.cards.images.card_images import CardPictures, PictureFinder
from voxcard.cards.model import Card
from voxcard.cards.offload import Offload
from voxcard.cards.read import card_file, reading
from voxcard.cards.read.reading import Reading
from voxcard.json_value import Json, JsonObject


class ToolServers(Protocol):
    """The tool servers, as far as a result may need the one its tool belongs to."""

    def tool_meta(self, tool: str) -> JsonObject:
        """The `_meta` of a tool's description; empty if no server has that tool."""

    async def resource(self, tool: str, uri: str) -> str | None:
        """The text of a resource of the tool's server; None if it cannot be read."""


class CardMaker:
    """Makes the cards of all devices; what computes runs through `offload`, off the event loop.

    `drawer(cell)` returns what draws text for cells of that size, None without fonts;
    `short_link(url)` returns a short link or None; `now_s()` is the time in seconds since 1970.
    """

    def __init__(
        self,
        *,
        offload: Offload,
        servers: ToolServers,
        pictures: PictureFinder,
        drawer: Callable[[tuple[int, int]], Drawer | None],
        short_link: ShortLink,
        now_s: Callable[[], float],
    ) -> None:
        self._offload = offload
        self._servers = servers
        self._pictures = pictures
        self._drawer = drawer
        self._short_link = short_link
        self._now_s = now_s

    async def read(
        self, result: JsonObject, *, tool: str, call_id: str, arguments: JsonObject, locale: str
    ) -> Reading:
        """Reads the result of a call; where it is data for a layout, in that layout.

        A layout is only ever read from the server that the tool belongs to."""
        meta = self._servers.tool_meta(tool)

        def read(template: Json) -> Reading:
            return reading.read(
                result,
                tool=tool,
                call_id=call_id,
                arguments=arguments,
                tool_meta=meta,
                template=template,
                locale=locale,
            )

        first = await self._offload(read, None)
        if first.needs_template is None:
            return first
        template = await self._servers.resource(tool, first.needs_template)
        return first if template is None else await self._offload(read, template)

    async def read_source(self, source: JsonObject, card_id: str) -> Card:
        """Reads a source that is not part of a result; raises CardRefused if it holds no card."""
        return (await self._offload(card_file.read_source, source, card_id=card_id)).cards[0]

    async def find_pictures(self, card: Card, screen: Screen) -> CardPictures:
        """Finds the pictures of a card: those ready in time, and those that come late."""
        return await self._pictures.find(card, screen)

    async def fit(
        self,
        card: Card,
        screen: Screen,
        *,
        mode: str,
        next_blob: Callable[[], int],
        images: Pictures,
    ) -> Fitted:
        """Cuts a card down to a screen; `mode` is `full` or `text`."""

        def fitted() -> Fitted:
            return fit(
                card,
                screen,
                now=self._now_s(),
                mode=mode,
                next_blob=next_blob,
                short_link=self._short_link,
                images=images,
                drawer=self._drawer(tuple(screen.cell)),
                smooth=smooth_drawer() if screen.faces else None,
            )

        return await self._offload(fitted)
