"""Serialises cards to JSON and back for the history, without secrets."""

import json
from base64 import b64decode, b64encode
from dataclasses import fields, is_dataclass, replace

from voxcard.cards import model
from voxcard.cards.model import Card, InputBlock, QrBlock
from voxcard.cards.text.text_twin import HIDDEN
from voxcard.json_value import Json

_TAG = "_"  # names the kind of an object that JSON has no form for
_KINDS: dict[str, Json] = {name: kind for name, kind in vars(model).items() if is_dataclass(kind)}


def to_json(card: Card) -> str:
    """The card without its local-only codes and with secret values covered."""
    return json.dumps(_plain(_public(card)))


def _public(card: Card) -> Card:
    play = card.play
    if play is not None:
        play = replace(play, scenes=tuple(_kept(scene) for scene in play.scenes))
    # The source of a live card holds the same secrets, and is of no use once it is stored.
    extra = {key: value for key, value in card.extra.items() if key != "source"}
    slides = tuple(_public(slide) for slide in card.slides)
    return replace(card, blocks=_kept(card.blocks), play=play, extra=extra, slides=slides)


def from_json(text: str) -> Card:
    """The card that `to_json` wrote; ValueError for anything else."""
    try:
        card = json.loads(text, object_hook=_object)
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("is no stored card") from error
    if not isinstance(card, Card):
        raise ValueError("is no stored card")
    return card


def _kept(blocks: tuple[model.Block, ...]) -> tuple[model.Block, ...]:
    return tuple(
        replace(block, value=HIDDEN) if isinstance(block, InputBlock) and block.secret else block
        for block in blocks
        if not (isinstance(block, QrBlock) and block.local_only)
    )


def _plain(value: Json) -> Json:
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {_TAG: type(value).__name__, **named}
    if isinstance(value, bytes):
        return {_TAG: "bytes", "data": b64encode(value).decode()}
    if isinstance(value, frozenset):
        return {_TAG: "set", "data": sorted(value)}
    if isinstance(value, dict):
        return {_TAG: "map", "data": [[key, _plain(each)] for key, each in value.items()]}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _object(data: dict[str, Json]) -> Json:
    kind = data.pop(_TAG)
    if kind == "bytes":
        return b64decode(data["data"])
    if kind == "set":
        return frozenset(data["data"])
    if kind == "map":
        return dict(data["data"])
    # What an older model had and this one has not is left out; the card stays readable.
    known = {each.name for each in fields(_KINDS[kind])}
    return _KINDS[kind](**{name: _tuples(value) for name, value in data.items() if name in known})


def _tuples(value: Json) -> Json:
    """The model holds tuples only; JSON gives lists."""
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value
