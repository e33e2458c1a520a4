"""Cards from the bridge to the screen, and what people do with them back."""

import os
from binascii import hexlify

import log
from voxwire import card
from voxwire.errors import WireError

RESOURCES = ("glyphs", "strips", "image")
# Of a screen with faces of type.
TYPED = ("type", "smooth")
OWN = "self."  # how the ids of the device's own cards begin


class DeviceCards:
    """Joins a link's card messages and blobs to a view.

    `on_own(id, option)` gets what a person chose on a card of the device's own.
    """

    on_own = None

    def __init__(self, link, view) -> None:
        self._link, self._view = link, view
        # An event's id must differ from those before a restart: the bridge applies it once.
        self._id_prefix = str(hexlify(os.urandom(4)), "ascii")
        self._ids = 0
        link.on("card", self.order)
        screen = view.screen
        for kind in RESOURCES + (TYPED if screen is not None and screen.faces else ()):
            link.on_blob(kind, self._receiver(kind))
        if screen is not None and screen.picture_bytes:
            link.on_large_blob("image", screen.picture_bytes, view.image_arrives)

    def _receiver(self, kind):
        return lambda blob_id, data, name: self._view.add_resource(blob_id, kind, data)

    def order(self, message) -> None:
        """Show, update or clear a card; one that breaks the wire's rules changes nothing."""
        if message.op == "clear":
            self._view.clear_card(message.id or "")
            return
        try:
            shown = card.from_data(message.card)
            self._check_faces(shown)
        except (WireError, MemoryError) as error:
            if isinstance(error, MemoryError):
                error = "card: needs more memory than there is"
            log.warning("card", "refused: %s" % error)
            self._link.post("event", name="error", text=str(error))
            return
        if message.op == "show":
            self._view.show_card(shown)
        else:
            self._view.update_card(shown)

    def _check_faces(self, shown) -> None:
        """WireError for a page that is set in faces which the screen has not."""
        screen = self._view.screen
        count = len(screen.faces) if screen is not None else 0
        for index, page in enumerate(shown.pages):
            if hasattr(page, "items"):
                faces = [item.face for item in page.items + page.options if hasattr(item, "face")]
                if not count or max(faces, default=0) >= count:
                    raise WireError("card.pages.%d" % index, "is set in type that is not here")

    def report(self, event, card_id, rev, page, action) -> None:
        """A card was shown, paged, acted on or dismissed (the view's on_card_event)."""
        if card_id.startswith(OWN):
            if action:
                self.on_own(card_id, action)
            return
        self._ids += 1
        self._link.post(
            "card",
            event_id="%s-%d" % (self._id_prefix, self._ids),
            event=event,
            id=card_id,
            rev=rev,
            page=page,
            action=action,
        )
