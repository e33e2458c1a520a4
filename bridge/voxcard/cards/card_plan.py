"""What `fit` needs of a plan: of cells (plan) or of type (compose.plan)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self

from voxwire import card as wire

from voxcard.cards.fit.qr_pages import Codes
from voxcard.cards.fit.strip_batch import Resource
from voxcard.cards.model import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The card that one call of `build` gave, and how many things it leaves out."""

    card: wire.Card
    left_out: int


class Room(Protocol):
    """Lines of a page, and lines that a card of the most pages holds."""

    @property
    def rows(self) -> int: ...

    @property
    def lines_max(self) -> int: ...


class PlanInk(Protocol):
    """What is drawn for the texts of a card."""

    @property
    def missing(self) -> set[int]: ...

    def strip_bytes(self, card: wire.Card) -> int:
        """About what the drawn lines of a card take on the device."""

    def finish(self, card: wire.Card) -> tuple[wire.Card, list[Resource]]:
        """The card with its drawn lines numbered from 0, and the blobs it needs."""


class CardPlan(Protocol):
    """A card and a screen, with everything that does not change between calls of `build`."""

    @property
    def room(self) -> Room: ...

    @property
    def codes(self) -> Codes: ...

    @property
    def ink(self) -> PlanInk: ...

    def build(self, codes: int, lines_max: int, buttons: bool) -> Version:
        """The card with `codes` QR pages, at most `lines_max` lines of text, choices if wanted."""

    def slide(self, card: Card, codes_max: int) -> Self:
        """The plan of one of the card's slides, which shares its ink."""

    def image_blobs(self, card: wire.Card) -> Iterator[Resource]:
        """The pictures that the finished card shows."""

    def frames(self, card: wire.Card) -> Iterator[int]:
        """The blobs of those that come later."""
