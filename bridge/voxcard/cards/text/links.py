"""Every link of a card in the order it is offered: buttons first, then what its blocks lead to."""

from dataclasses import dataclass

from voxcard.cards.model import Card, ListBlock, MapBlock, MediaBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a person may go. `insecure`: http, of a dialect that does not forbid it."""

    label: str
    url: str
    insecure: bool = False
    row: bool = False  # a row of the card's text says where it leads


def links(card: Card) -> tuple[Link, ...]:
    """The links of a card, the primary first, each target once."""
    by_url: dict[str, Link] = {}

    def add(label: str, url: str, row: bool = False) -> None:
        if url and url not in by_url:
            insecure = url[:5].lower() == "http:"
            by_url[url] = Link(label=label, url=url, insecure=insecure, row=row)

    for action in sorted(card.actions, key=lambda action: action.style != "primary"):
        if action.kind == "link":
            add(action.label, action.url)
    for slide in card.slides:
        for link in links(slide):
            add(link.label, link.url)
    for block in card.blocks:
        if isinstance(block, ListBlock):
            for item in block.items:
                add(item.title, item.url, row=True)
        elif isinstance(block, MapBlock):
            for pin in block.pins:
                add(pin.label, pin.url)
        elif isinstance(block, MediaBlock):
            add(block.title, block.url, row=True)
    return tuple(by_url.values())
