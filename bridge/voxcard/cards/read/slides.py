"""Combines several cards of one result, for screens and histories that hold one at a time."""

from collections.abc import Sequence
from dataclasses import replace

from voxcard.cards.model import Action, Card, ListBlock, ListItem, Twin
from voxcard.cards.text.speech_twin import block_speech
from voxcard.cards.text.twins import complete, shorten


def gather(cards: Sequence[Card], card_id: str, result_text: str = "") -> tuple[Card, ...]:
    """Combines completed cards (a carousel, surfaces) as the `slides` of one completed card; a
    single card stays as it is.

    Every button stays reachable under an id of its own, `<slide>.<its id>`. Where each slide has
    a live key the whole has one: the same slides sent again are the same card.
    """
    if len(cards) < 2:
        return tuple(cards)
    slides = tuple(
        replace(card, actions=_numbered(card.actions, index)) for index, card in enumerate(cards)
    )
    texts = "\n\n".join(card.twin.text for card in slides)
    names = ListBlock(items=tuple(ListItem(title=card.label or card.title) for card in slides))
    twin = Twin(
        text=texts,
        speak=shorten(result_text) or shorten(block_speech(names)),
        markdown=any(card.twin.markdown for card in slides),
    )
    keys = [card.live_key for card in slides]
    whole = Card(
        id=card_id,
        dialect=cards[0].dialect,
        title=cards[0].title,
        label=cards[0].label,
        actions=tuple(action for card in slides for action in card.actions),
        twin=twin,
        live_key="\n".join(keys) if all(keys) else "",
        trust=cards[0].trust,
        slides=slides,
        warnings=tuple(dict.fromkeys(warned for card in cards for warned in card.warnings)),
    )
    return (complete(whole),)


def _numbered(actions: Sequence[Action], slide: int) -> tuple[Action, ...]:
    return tuple(replace(action, id=f"{slide}.{action.id}") for action in actions)
