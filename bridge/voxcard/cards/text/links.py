"""Every link of a card in the order it is offered: buttons first, then what its blocks lead to."""

from collections.abc import Iterator
from dataclasses import dataclass

from voxcard.cards.model import Block, Card, ListBlock, MapBlock, MediaBlock, TextBlock
from voxcard.cards.text.markdown.document import document


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
        for link in _of(block):
            add(link.label, link.url, link.row)
    return tuple(by_url.values())


def _of(block: Block) -> Iterator[Link]:
    """The links of one block. Of Markdown text those that are https: its dialects allow no other,
    or have made actions of them."""
    if isinstance(block, TextBlock) and block.markdown:
        text = document(block.text)
        yield from (Link(label=link.label, url=link.url) for link in text.links
                    if not link.insecure)  # fmt: skip
        listed = (
            link for part in text.blocks if isinstance(part, ListBlock) for link in _of(part)
        )
        yield from (link for link in listed if link.url[:5].lower() != "http:")
    elif isinstance(block, ListBlock):
        yield from (Link(label=item.title, url=item.url, row=True) for item in block.items)
    elif isinstance(block, MapBlock):
        yield from (Link(label=pin.label, url=pin.url) for pin in block.pins)
        yield from (Link(label=label, url=url) for label, url in block.links)
    elif isinstance(block, MediaBlock):
        yield Link(label=block.title, url=block.url, row=True)
