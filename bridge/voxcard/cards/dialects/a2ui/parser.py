"""A2UI of any version: every living surface with a root becomes one card (R001-70..84)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.buttons import actions
from voxcard.cards.dialects.a2ui.caps import ACTIONS_MAX, capped_actions, capped_blocks, tidy
from voxcard.cards.dialects.a2ui.components.render import Render
from voxcard.cards.dialects.a2ui.headings import titled
from voxcard.cards.dialects.a2ui.messages import IGNORED, KINDS, MESSAGES_MAX, messages
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.pieces import Done, Piece, Said
from voxcard.cards.dialects.a2ui.surfaces import ROOT, Surface, replay
from voxcard.cards.dialects.a2ui.values import HIDDEN, Scope, Values
from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.model import (
    Action,
    Block,
    Card,
    CardRefused,
    Group,
    ImageBlock,
    ImageRef,
    InputBlock,
    MediaBlock,
    Parsed,
    TextBlock,
)
from voxcard.cards.text.links import links
from voxcard.cards.text.sanitize import check_size, label
from voxcard.cards.text.twins import is_empty
from voxcard.json_value import Json

SUMMARY_MAX = 280
ENTRIES_MAX = 10_000  # of one list or object; what a card shows of it has its own limit


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """The cards of A2UI messages; never raises, every drop is a warning (R001-84).

    The context's `template` holds the messages of an `a2ui://` resource; they are replayed first,
    and a `source` that is no message but an object is then the data of its surfaces.
    """
    notes = Notes()
    replayed: list[Mapping[str, Json]] = []
    for part in (_contents(context.template), source):
        try:
            check_size(part, ENTRIES_MAX)
            replayed += _part(part, replayed, notes)
        except CardRefused as refused:
            notes.add("dropped", refused.path, refused.reason)
    surfaces = replay(replayed[: 2 * MESSAGES_MAX], notes)
    if not surfaces:
        notes.add("empty", "", "no surface is alive")
    rooted = [surface for surface in surfaces if ROOT in surface.components]
    for surface in surfaces:
        if ROOT not in surface.components:
            notes.add("dropped", surface.id, "has no component with the id root")
    all_cards = [_card(surface, notes, context.locale) for surface in rooted]
    for surface, card in zip(rooted, all_cards, strict=True):
        if is_empty(card):
            notes.add("empty", surface.id, "has nothing to show")
    shown = [card for card in all_cards if not is_empty(card)]
    cards = tuple(_placed(card, card_id, index, len(shown)) for index, card in enumerate(shown))
    return Parsed(cards=cards, warnings=notes.warnings)


def _placed(card: Card, card_id: str, index: int, count: int) -> Card:
    """The card with its id, and its place where there are several."""
    if count == 1:
        return replace(card, id=card_id)
    group = Group(index=index, count=count, mode="surfaces")
    return replace(card, id=f"{card_id}.{index}", group=group)


def data_only(source: Json) -> bool:
    """Whether messages only change surfaces that none of them creates."""
    kinds = {kind for message in messages(source, Notes()) for kind in KINDS if kind in message}
    return bool(kinds) and "createSurface" not in kinds


def _contents(template: Json) -> Json:
    """The messages of a template, also out of a resources/read result."""
    contents = template.get("contents") if isinstance(template, dict) else None
    if not isinstance(contents, list):
        return template
    texts = (content.get("text") for content in contents if isinstance(content, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _part(part: Json, before: list[Mapping[str, Json]], notes: Notes) -> list[Mapping[str, Json]]:
    parts = messages(part, notes) if part is not None else []
    for entry in parts:
        check_size(entry, ENTRIES_MAX)
    is_message = any(kind in entry for kind in (*KINDS, *IGNORED) for entry in parts)
    if before and isinstance(part, dict) and not is_message:
        return _as_data(part, before)
    return parts


def _as_data(
    data: Mapping[str, Json], before: list[Mapping[str, Json]]
) -> list[Mapping[str, Json]]:
    """Structured content as the data of every surface a template makes."""
    updates: list[Mapping[str, Json]] = []
    for message in before:
        created = message.get("createSurface")
        if isinstance(created, dict):
            version = {key: message[key] for key in ("version",) if key in message}
            body = {"surfaceId": created.get("surfaceId"), "value": data}
            updates.append({**version, "updateDataModel": body})
    return updates


def _card(surface: Surface, notes: Notes, locale: str) -> Card:
    own = Notes()
    render, pieces = _rendered(surface, own, locale)
    title, pieces = titled(pieces)
    pieces = _without_decoration(pieces)
    blocks = tidy(_without_doubles([_block(piece) for piece in pieces if _speaks(piece)]))
    root = surface.components[ROOT]
    buttons = actions(render.buttons)
    card = Card(
        id="",
        dialect="a2ui",
        title=title,
        blocks=capped_blocks(blocks, len(buttons) - ACTIONS_MAX, own, surface.id),
        actions=capped_actions(buttons, own, surface.id),
        image=_poster(blocks),
        label=render.accessibility(root, "label", Scope())[:SUMMARY_MAX],
        summary=render.accessibility(root, "description", Scope())[:SUMMARY_MAX],
        live_key=label(surface.id)[:64],
        warnings=own.warnings,
    )
    for warning in own.warnings:
        notes.add(warning.code, warning.path, warning.detail)
    return replace(card, actions=(*card.actions, *_text_links(card, render.links)))


def _text_links(card: Card, text_links: Sequence[Action]) -> Iterator[Action]:
    """The links of texts that are in no block of the card: in its title, a row, an entry."""
    offered = {link.url for link in links(card)}
    for index, link in enumerate(text_links):
        if link.url not in offered:
            offered.add(link.url)
            yield replace(link, id=f"l{index}")


def _rendered(surface: Surface, notes: Notes, locale: str) -> tuple[Render, list[Piece]]:
    """The pieces of a surface, made again when an obscured input holds a place of the data
    model: what it holds is covered first, so that nothing else shows it or sends it."""
    while True:
        values = Values(surface.data, marked=surface.marked, locale=locale, notes=notes)
        render = Render(surface, values, notes)
        pieces = render.pieces()
        held = ((place, pointer.get(surface.data, place)) for place in render.secrets)
        secrets = [place for place, value in held if value not in (None, "", HIDDEN)]
        if not secrets:
            return render, pieces
        surface.data = _covered(surface.data, secrets)


def _covered(data: Json, places: list[pointer.Tokens]) -> Json:
    for place in sorted(places, key=len):  # what is inside of a covered place is gone already
        if pointer.get(data, place) is not None:
            try:
                data = pointer.put(data, place, HIDDEN)
            except ValueError:
                return HIDDEN
    return data


def _speaks(piece: Piece) -> bool:
    return isinstance(piece, Done) or (isinstance(piece, Said) and bool(piece.text.strip()))


def _without_decoration(pieces: list[Piece]) -> list[Piece]:
    """No lone mark of an icon beside pieces that say more; a rating says something itself."""
    return [
        piece
        for piece in pieces
        if len(pieces) == 1
        or not isinstance(piece, Said)
        or not piece.aside
        or len(piece.text) > 1
        or piece.text.isalnum()
    ]


def _block(piece: Piece) -> Block:
    if isinstance(piece, Done):
        return piece.block
    return TextBlock(
        text=piece.text, level=piece.level if isinstance(piece, Said) else 0, markdown=True
    )


def _without_doubles(blocks: list[Block]) -> list[Block]:
    """No text that only repeats the label of the input after it."""
    following = [*blocks[1:], None]
    return [
        block
        for block, after in zip(blocks, following, strict=False)
        if not (
            isinstance(block, TextBlock)
            and isinstance(after, InputBlock)
            and block.text.strip().rstrip(":").lower() == after.label.rstrip(":").lower()
        )
    ]


def _poster(blocks: list[Block]) -> ImageRef | None:
    """The thumbnail of a video is the card's picture when the card has no other."""
    if any(isinstance(block, ImageBlock) for block in blocks):
        return None
    posters = (block.poster for block in blocks if isinstance(block, MediaBlock))
    return next((poster for poster in posters if poster), None)
