"""codai cards: an envelope of typed blocks, refused with a path that says what to mend (R001)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from voxcard.cards.dialects.codai.actions import read_actions
from voxcard.cards.dialects.codai.blocks import read_block
from voxcard.cards.dialects.codai.fields import Fields
from voxcard.cards.dialects.codai.guard import check_bytes, check_links, json_bytes
from voxcard.cards.dialects.codai.questions import Reading
from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.model import (
    Block,
    Card,
    CardRefused,
    Parsed,
    Provenance,
    Twin,
    Warned,
)
from voxcard.cards.text.sanitize import check_size, clean, label
from voxcard.cards.text.twins import complete, is_empty
from voxcard.json_value import Json

BLOCKS_MAX = 24
KEY_MAX = 200
ATTRIBUTION_MAX = 40  # of a name; a longer one is a sentence


def parse(source: Json, card_id: str = "codai", context: Context = NO_CONTEXT) -> Parsed:
    """The card of a codai envelope; CardRefused with the path of what a model must change.

    Unknown fields are ignored; blocks newer than us become text. A live card keeps its source in
    `extra["source"]`, which a patch is applied to (cards.live).
    """
    if not isinstance(source, dict):
        raise CardRefused("card", "must be one JSON object")
    check_size(source)
    blocks = _blocks(source)
    spared = check_links(source) + sum(map(_visual_bytes, blocks))
    check_bytes(json_bytes(source) - spared)  # nothing larger is worked on
    warnings: list[Warned] = []
    envelope = Fields(source, "", warnings)
    reading = Reading(locale=envelope.line("locale", "lang") or context.locale)
    shown = tuple(_read(blocks, reading, warnings))
    card = _card(envelope, card_id, shown, reading)
    if is_empty(card):
        raise CardRefused("blocks", "hold nothing to show; give a block with text or data")
    if card.live_key:
        card = replace(card, extra={"source": source})
    check_bytes(_filled_bytes(source, card) - spared)
    return Parsed(cards=(card,), warnings=tuple(warnings))


def _card(envelope: Fields, card_id: str, blocks: tuple[Block, ...], reading: Reading) -> Card:
    """The card of an envelope whose blocks are read."""
    source = envelope.data
    a11y = _part(source, "a11y")
    return Card(
        id=card_id,
        dialect="codai",
        title=label(_text(source, "title")),
        subtitle=label(_text(source, "subtitle")),
        blocks=blocks,
        actions=read_actions(envelope, reading.actions),
        image=envelope.image("image"),
        icon=envelope.image("icon"),
        twin=_twin(source),
        label=label(_text(a11y, "label", "a11y.")),
        summary=clean(_text(a11y, "summary", "a11y.")),
        provenance=_provenance(envelope),
        live_key=_live_key(source),
        question=reading.question,
        locale=envelope.line("locale", "lang"),
        warnings=tuple(envelope.warnings),
    )


def _blocks(source: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    blocks = source.get("blocks")
    if not isinstance(blocks, list):
        raise CardRefused("blocks", "is missing" if blocks is None else "must be a list")
    if not blocks:
        raise CardRefused("blocks", "is empty; a card needs at least one block")
    if len(blocks) > BLOCKS_MAX:
        raise CardRefused("blocks", f"has {len(blocks)} entries, the limit is {BLOCKS_MAX}")
    for index, block in enumerate(blocks):
        if not isinstance(block, dict):
            raise CardRefused(f"blocks.{index}", "must be a JSON object with a type")
    return blocks


def _read(
    blocks: list[Mapping[str, Json]], reading: Reading, warnings: list[Warned]
) -> Iterator[Block]:
    for index, block in enumerate(blocks):
        yield from read_block(Fields(block, f"blocks.{index}", warnings), reading)


def _visual_bytes(block: Mapping[str, Json]) -> int:
    """Bytes of a visual's source, which has a budget of its own (R001-38)."""
    source = block.get("source") if block.get("type") == "visual" else None
    return json_bytes(source) - 2 if isinstance(source, str) else 0


def _filled_bytes(source: Mapping[str, Json], card: Card) -> int:
    """Bytes of the card's JSON with its text twins and labels filled in (R001-36)."""
    whole = complete(card)
    twins = {"fallback": {"text": whole.twin.text, "speak": whole.twin.speak}}
    named = {"a11y": {"label": whole.label, "summary": whole.summary}}
    own = {
        key: value for key in ("fallback", "a11y") if isinstance(value := source.get(key), dict)
    }
    filled = {key: {**built, **own.get(key, {})} for key, built in (twins | named).items()}
    return json_bytes({**source, **filled})


def _twin(source: Mapping[str, Json]) -> Twin:
    """The authored twins; what is absent or blank is built (R001-30)."""
    fallback = _part(source, "fallback")
    text = clean(_text(fallback, "text", "fallback."))
    speak = clean(_text(fallback, "speak", "fallback."))
    stripped = {"text": text.strip(), "speak": speak.strip()}
    authored = frozenset(key for key, value in stripped.items() if value)
    return Twin(text=text if text.strip() else "", speak=speak.strip(), markdown=True,
                authored=authored)  # fmt: skip


def _live_key(source: Mapping[str, Json]) -> str:
    if source.get("live") is None:
        return ""
    key = _part(source, "live").get("key")
    if not isinstance(key, str) or not key.strip():
        raise CardRefused("live.key", "must be text that names what is updated")
    if len(key) > KEY_MAX:
        raise CardRefused("live.key", f"has {len(key)} characters, the limit is {KEY_MAX}")
    return key


def _provenance(envelope: Fields) -> Provenance | None:
    """Where the data is from (R001-34); a source may be a name or `{name, url}`."""
    if envelope.get("provenance") is None:
        return None
    _part(envelope.data, "provenance")
    origin = envelope.inner("provenance")
    named = origin.inner("source")
    attribution = origin.line("attribution")
    name = origin.line("source") or named.line("id") or attribution
    if not (source := _shown_source(name, attribution)):
        return None
    return Provenance(
        source=source,
        url=origin.link("url", "sourceUrl", "page") or named.link("url"),
        attribution=attribution,
        licence=origin.line("licence", "license"),
        fetched_at=origin.line("fetchedAt", "fetched_at", "updatedAt"),
    )


def _shown_source(source: str, attribution: str) -> str:
    """The name a person knows: `met_norway` is called as its attribution says, `MET Norway`."""
    known = attribution.partition(",")[0].strip()
    is_code = "_" in source or (source.islower() and " " not in source and "." not in source)
    return known if is_code and 0 < len(known) <= ATTRIBUTION_MAX else source


def _part(source: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = source.get(key)
    if value is not None and not isinstance(value, dict):
        raise CardRefused(key, "must be a JSON object")
    return value or {}


def _text(source: Mapping[str, Json], key: str, path: str = "") -> str:
    value = source.get(key)
    if value is not None and not isinstance(value, str):
        raise CardRefused(path + key, "must be text")
    return value or ""
