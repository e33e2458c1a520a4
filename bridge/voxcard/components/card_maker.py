"""Cards from what tools and assistants give."""

import asyncio
import time

from voxcard.cards.drawing.drawer import drawer
from voxcard.cards.images.card_images import PictureFinder
from voxcard.cards.images.fetch import Fetcher
from voxcard.fetching.addresses import Resolver
from voxcard.screen.card_maker import CardMaker
from voxcard.toolhub.hub import Hub
from voxcard.web.shortlinks import ShortLinks


def card_maker(resolver: Resolver, links: ShortLinks | None, hub: Hub) -> CardMaker:
    """The card maker of a bridge; without `links` its cards have no short links."""
    return CardMaker(
        offload=asyncio.to_thread,
        servers=hub,
        pictures=PictureFinder(Fetcher(resolver).fetch, asyncio.to_thread, drawer),
        drawer=drawer,
        short_link=links.shorten if links else lambda url: None,
        now_s=time.time,
    )
