"""Puts pictures into the frames that a card on a device keeps for them."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import Screen

from voxcard.cards.fit.picture import Picture, with_picture
from voxcard.cards.images.card_images import CardPictures
from voxcard.cards.model import Card, ImageRef
from voxcard.link.blobs import BlobFailed, Blobs
from voxcard.link.devices import DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.shown_cards import ShownCards


class LatePictures:
    """The pictures of one device's cards; they are sent one after the other."""

    def __init__(
        self, wire: Wire, blobs: Blobs, shown: ShownCards, log: Callable[[], DeviceLog]
    ) -> None:
        self._wire, self._blobs, self._shown, self._log = wire, blobs, shown, log
        self._turn = asyncio.Lock()
        # The card whose pictures the device has, and these.
        self._card_id, self._held = "", dict[ImageRef, Picture]()

    def forget(self) -> None:
        """Called when the device may have lost its pictures."""
        self._card_id, self._held = "", {}

    def frame(self, card: Card, pictures: CardPictures, *, in_place: bool) -> None:
        """Gives each late picture of a card its blob.

        In a card that is redrawn `in_place` the picture the device has stays until another comes.
        """
        held = self._held if in_place and card.id == self._card_id else {}
        for image in pictures.late.values():
            kept = held.get(image)
            if kept is not None:
                pictures.ready[image] = replace(kept, data=b"")
            else:
                blob = self._blobs.next_id()
                pictures.ready[image] = replace(pictures.ready[image], blob=blob)

    async def add(
        self, card: Card, sent: wire.Card, pictures: CardPictures, screen: Screen
    ) -> None:
        """Adds the late pictures of a card as it was `sent`, each as soon as it has come.

        Ends when the device is sent another card of this id.
        """
        try:
            while pictures.late:
                image, picture = await pictures.next()
                blob = pictures.ready[image].blob
                async with self._turn:
                    if not self._is_shown(card, sent):
                        return
                    if blob not in sent.resources:
                        continue
                    if picture is None:
                        sent = self._put_words(card, sent, blob)
                    elif self._held.get(image) != (picture := replace(picture, blob=blob)):
                        sent = await self._put(card, sent, picture, screen)
                        self._hold(card, image, picture, sent, screen)
        finally:
            pictures.cancel()

    async def _put(
        self, card: Card, sent: wire.Card, picture: Picture, screen: Screen
    ) -> wire.Card:
        """The card with a picture; with its words where the device has no room for it."""
        filled = with_picture(sent, picture.blob, picture)
        # With room for it the rows are drawn as they come, else when the card says so.
        as_it_comes = screen.picture_bytes > 0
        if as_it_comes and filled != sent:
            self._update(card, filled)
        try:
            await self._blobs.send(
                "image", picture.data, blob_id=picture.blob, name=card.id, in_turns=as_it_comes
            )
        except BlobFailed as error:
            self._log().warning("card %s: not drawn so, %s", card.id, error)
            return self._put_words(card, filled, picture.blob)
        if not as_it_comes:
            self._update(card, filled)
        self._log().info("card %s: a picture has come", card.id)
        return filled

    def _put_words(self, card: Card, sent: wire.Card, blob: int) -> wire.Card:
        words = with_picture(sent, blob, None)
        self._update(card, words)
        return words

    def _update(self, card: Card, sent: wire.Card) -> None:
        if self._is_shown(card, sent):
            self._wire.send("card", op="update", id=sent.id, card=to_data(sent))

    def _is_shown(self, card: Card, sent: wire.Card) -> bool:
        return self._shown.get(str(sent.id)) is card

    def _hold(
        self, card: Card, image: ImageRef, picture: Picture, sent: wire.Card, screen: Screen
    ) -> None:
        """Remembers what the device has; a small one may forget it for any other blob."""
        if self._card_id != card.id:
            self._card_id, self._held = card.id, {}
        if screen.picture_bytes and picture.blob in sent.resources:
            self._held[image] = picture
        else:
            self._held.pop(image, None)
