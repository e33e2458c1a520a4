"""Text and speech twins: what stands for a card in words (reference: cards, section 8)."""

import re
from dataclasses import replace

from voxcard.cards.model import Card, ImageBlock, QrBlock, TextBlock, Twin
from voxcard.cards.text.links import links
from voxcard.cards.text.markdown.document import plain
from voxcard.cards.text.picture_words import picture_words
from voxcard.cards.text.sanitize import TEXT_MAX, clean
from voxcard.cards.text.scripts import direction
from voxcard.cards.text.speech_twin import block_speech, telling
from voxcard.cards.text.text_twin import block_text

SPEECH_MAX = 280
_READ_MAX = 2000  # of a text that is shortened to be spoken
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+")


def complete(card: Card, result_text: str = "") -> Card:
    """`card` with every twin, label, summary and direction it came without.

    `result_text` is what the tool's result says; when there is any, it is what is spoken and the
    card is not read on top of it (R000-25). Authored parts are kept; twice is the same as once.
    """
    twin = card.twin
    text = twin.text or build_text(card)
    markdown = twin.markdown if twin.text else True
    authored = twin.text[:_READ_MAX] if "text" in twin.authored else ""
    authored = shorten(plain(authored) if markdown else authored)
    speak = twin.speak or shorten(result_text) or authored or build_speech(card)
    return replace(
        card,
        twin=Twin(text=text, speak=speak, markdown=markdown, authored=twin.authored),
        label=card.label or card.title or _first_text(card) or text.partition("\n")[0],
        summary=card.summary or speak,
        direction=direction(" ".join((card.title, card.subtitle, text))),
    )


def build_text(card: Card) -> str:
    """The text twin: title, blocks in order, links as `Label: URL`; secrets left out."""
    head = "\n".join(
        part for part in (f"**{card.title}**" * bool(card.title), card.subtitle) if part
    )
    prompt = card.question.prompt if card.question and card.question.prompt != card.title else ""
    parts = [head, prompt, *(block_text(block) for block in card.blocks)]
    if card.image and card.image.alt not in ("", card.title):
        parts.append(picture_words(card.image))
    buttons = [_button(action.label, action.url) for action in card.actions]
    parts.append("\n".join(buttons))
    if card.provenance:
        parts.append(_source(card))
    text = clean("\n\n".join(part for part in parts if part))[:TEXT_MAX]
    return text or (picture_words(card.image) if card.image else "")


def _button(label: str, url: str) -> str:
    return f"{label}: {url}" if url else f"- {label}"


def _source(card: Card) -> str:
    origin = card.provenance
    if origin is None:
        return ""
    updated = f"updated {origin.fetched_at}" if origin.fetched_at else ""
    licence = f"licence {origin.licence}" if origin.licence else ""
    parts = (f"Source: {origin.source}", origin.attribution, updated, licence)
    return ", ".join(part for part in parts if part)


def build_speech(card: Card) -> str:
    """One or two sentences, at most 280 characters, no link and no secret."""
    phrases = [card.title] if card.title else []
    if card.question and card.question.prompt:
        phrases = [card.question.prompt]
    if card.play and card.play.scenes:
        phrases += [block_speech(block) for block in card.play.scenes[-1]][:1]
    elif not card.question:
        phrases += [block_speech(block) for block in telling(card.blocks)[:4]]
    choices = [action.label for action in card.actions if action.kind in ("message", "control")]
    if card.question and choices:
        phrases.append("You can say: " + ", or ".join(choices[:3]))
    sentences = [_sentence(part) for part in phrases if part.strip()]
    return shorten(" ".join(sentences[:2]))


def is_empty(card: Card) -> bool:
    """Nothing of the card could be shown or said: no page text, no code, no choice."""
    if card.title or card.subtitle or card.actions or card.image or card.icon:
        return False
    if "text" in card.twin.authored and card.twin.text.strip():
        return False
    asks = card.question is not None and card.question.prompt.strip()
    telling = any(block_text(block).strip() or isinstance(block, ImageBlock | QrBlock)
                  for block in card.blocks)  # fmt: skip
    return not (asks or telling or any(not is_empty(slide) for slide in card.slides))


def _sentence(text: str) -> str:
    text = " ".join(_URL.sub("", text).split())
    return text if text[-1:] in tuple(".!?…。！？:") or not text else text + "."


def shorten(text: str) -> str:
    """`text` without links, cut to what may be spoken at a sentence or word end."""
    if "://" in text:
        text = _URL.sub("", text).strip()
    if len(text) <= SPEECH_MAX:
        return text
    spoken = ""
    for sentence in _SENTENCE.split(text[: SPEECH_MAX + 1]):
        if len(spoken) + len(sentence) + 1 > SPEECH_MAX:
            break
        spoken = f"{spoken} {sentence}".strip()
    if spoken:
        return spoken
    return text[: SPEECH_MAX - 1].rsplit(" ", 1)[0][: SPEECH_MAX - 1] + "…"


def messaging_text(card: Card) -> str:
    """The card for a chat surface or a log: its text, then links as `Label: URL` (R000-24)."""
    text = card.twin.text or build_text(card)
    rows = [f"{link.label}: {link.url}" for link in links(card)]
    return "\n".join([text, *(row for row in rows if row not in text.split("\n"))])


def _first_text(card: Card) -> str:
    for block in card.blocks:
        if isinstance(block, TextBlock):
            text = plain(block.text[:1000]) if block.markdown else block.text[:1000]
            return text.strip().partition("\n")[0][:120]
    return ""
