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
    return (complete(_whole(slides, card_id, result_text)),)


def _whole(slides: tuple[Card, ...], card_id: str, result_text: str) -> Card:
    keys = [card.live_key for card in slides]
    return Card(
        id=card_id,
        dialect=slides[0].dialect,
        title=slides[0].title,
        label=slides[0].label,
        actions=tuple(action for card in slides for action in card.actions),
        twin=_twin(slides, result_text),
        live_key="\n".join(keys) if all(keys) else "",
        trust=slides[0].trust,
        slides=slides,
        warnings=tuple(dict.fromkeys(warned for card in slides for warned in card.warnings)),
    )


def _twin(slides: Sequence[Card], result_text: str) -> Twin:
    names = ListBlock(items=tuple(ListItem(title=card.label or card.title) for card in slides))
    return Twin(
        text="\n\n".join(card.twin.text for card in slides),
        speak=shorten(result_text) or shorten(block_speech(names)),
        markdown=any(card.twin.markdown for card in slides),
    )


def _numbered(actions: Sequence[Action], slide: int) -> tuple[Action, ...]:
    return tuple(replace(action, id=f"{slide}.{action.id}") for action in actions)
