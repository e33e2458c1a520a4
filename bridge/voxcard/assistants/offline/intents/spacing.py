"""Compound words as the home writes them: "wi fi" is "wifi", "floorlamp" is "floor lamp"."""

from collections.abc import Collection, Sequence

from voxcard.assistants.offline.intents.normalise import Word
from voxcard.assistants.offline.intents.vocabulary import Vocabulary

_SHORTEST_HALF = 3  # letters of a word that is one of two


def respaced(
    words: Sequence[Word], known: Collection[str], vocabulary: Vocabulary
) -> tuple[Word, ...]:
    """`words` joined or parted where that makes words of the home, `known`.

    No letter changes; a prefix ("un mute") is not joined, it would turn the sentence.
    """
    respelled: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        following = words[at + 1] if at + 1 < len(words) else None
        joined = word.text + following.text if following else ""
        if following and joined in known and word.text not in vocabulary.prefixes:
            respelled.append(Word(joined, word.start, following.end))
            at += 2
            continue
        respelled.extend(_parted(word, known, vocabulary))
        at += 1
    return tuple(respelled)


def _parted(word: Word, known: Collection[str], vocabulary: Vocabulary) -> Sequence[Word]:
    text = word.text
    if text in known or text in vocabulary.exact or len(text) != word.end - word.start:
        return (word,)
    for cut in range(_SHORTEST_HALF, len(text) - _SHORTEST_HALF + 1):
        if text[:cut] in known and text[cut:] in known:
            middle = word.start + cut
            return Word(text[:cut], word.start, middle), Word(text[cut:], middle, word.end)
    return (word,)
