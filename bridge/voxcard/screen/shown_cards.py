"""Remembers the cards sent to a device last, so that their buttons still work."""

from dataclasses import dataclass

from voxcard.cards.model import Action, Card
from voxcard.cards.text.twins import messaging_text
from voxcard.json_value import JsonObject

REMEMBERED_MAX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A card as it was sent, and its number of pages on the device."""

    card: Card
    pages: int


class ShownCards:
    """Cards by their id on the device; the one sent longest ago is forgotten first."""

    def __init__(self) -> None:
        self.front = ""  # the id of the card in front, as far as is known
        self._sent: dict[str, Sent] = {}

    def put(self, card_id: str, card: Card, pages: int, *, in_place: bool) -> bool:
        """Remembers a card that is about to be sent; returns whether it is an update.

        A newer revision updates the card in front where it is, and with `in_place` any card that
        is shown. Anything else comes to the front."""
        before = self._sent.pop(card_id, None)
        newer = before is not None and card.revision > before.card.revision
        update = newer and (in_place or card_id == self.front)
        if not update:
            self.front = card_id
        self._sent[card_id] = Sent(card=card, pages=pages)
        if len(self._sent) > REMEMBERED_MAX:
            del self._sent[next(iter(self._sent))]
        return update

    def refit(self, before: Card, card_id: str, card: Card, pages: int) -> bool:
        """Remembers that a card was cut anew, in `pages` pages, where it is; False if another one
        than `before` has taken its place."""
        if self.get(card_id) is not before:
            return False
        self._sent[card_id] = Sent(card=card, pages=pages)
        return True

    @property
    def latest(self) -> Card | None:
        """The card in front; where none is known to be, the one that was sent last."""
        sent = self._sent.get(self.front) or next(reversed(self._sent.values()), None)
        return sent.card if sent is not None else None

    def get(self, card_id: str) -> Card | None:
        """A card as it was sent last; None once it is forgotten."""
        sent = self._sent.get(card_id)
        return sent.card if sent is not None else None

    def dismissed(self, card_id: str) -> None:
        """Called when the device put a card away; sent again, it comes to the front."""
        if card_id == self.front:
            self.front = ""

    def pages(self, card_id: str) -> int:
        """The number of pages of a card; 0 once it is forgotten."""
        sent = self._sent.get(card_id)
        return sent.pages if sent is not None else 0

    def messaging(self, card_id: str) -> str:
        """A card as text for a chat surface, links as `Label: URL`; empty once it is forgotten."""
        card = self.get(card_id)
        return messaging_text(card) if card is not None else ""

    def action(self, card_id: str, action_id: str) -> Action | None:
        """The action behind a button of a card."""
        card = self.get(card_id)
        actions = card.actions if card is not None else ()
        return next((action for action in actions if action.id == action_id), None)

    def next_part(self, card_id: str) -> tuple[str, JsonObject] | None:
        """The tool and the arguments that give the next part of a card."""
        card = self.get(card_id)
        if card is None or card.parts is None or card.parts.next_call is None:
            return None
        tool = card.extra.get("tool")
        return (str(tool), card.parts.next_call) if tool else None
