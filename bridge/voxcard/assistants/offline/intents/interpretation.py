"""From audio to what was meant: the likeliest words that are a sentence of the home."""

from dataclasses import dataclass, replace

from voxcard.assistants.offline.intents.doubt import Home, Room, are_doubted, certain, really
from voxcard.assistants.offline.intents.meanings import NOTHING, Reading, Several, Understood
from voxcard.assistants.offline.intents.normalise import normalise
from voxcard.assistants.offline.speech.asr import Hypothesis, Recogniser
from voxcard.assistants.offline.speech.endpoint import Wait
from voxcard.assistants.offline.speech.vad import span_db

# Mean log probabilities, chosen on generated speech (tools/bench/offline.py): a command that was
# really said came at -0.92 or better, one that was only nearly heard at -0.6 or better in 95 of
# 100; other talk that whisper bent into nearly a command came below that.
_LEAST_EXACT = -1.0
_LEAST_NEAR = -0.65
# A word or two have too few tokens for a mean: "mute" of a poor voice came at -1.1.
_LEAST_ASKED = -1.3
_FEW_WORDS = 2
_AS_LIKELY = 0.25  # another reading within this of the first is as good, if it is a sentence
_NOISE_DB = 25.0  # noise that is no farther below the speech than this covers ends of words
_NEARLY_AS_LIKELY = 0.45  # a reading that differs in words that sound alike, within this


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What was said up to a pause, as far as it can be told.

    `guessed_end`: it ends in words that the likeliest reading has not: maybe not said yet.
    """

    text: str
    reading: Reading = NOTHING
    guessed_end: bool = False

    @property
    def understood(self) -> Understood | None:
        return self.reading.understood

    @property
    def _last(self) -> Understood | None:
        meaning = self.reading.meaning
        return meaning.steps[-1] if isinstance(meaning, Several) else self.understood

    @property
    def wait(self) -> Wait:
        """How long a pause must be before the sentence is over.

        A whole sentence that nothing can follow ends at once; a number may get more digits; the
        beginning of a sentence waits for its rest, and what was not understood for more words.
        """
        understood = self._last
        if self.guessed_end:
            return "long"
        if understood is None:
            if self.reading.continues:
                return "long"
            return "unknown" if self.text and self.reading.meaning is None else "normal"
        if understood.exact and understood.closed:
            return "short"
        return "normal" if understood.ends_in_id or not understood.exact else "number"


def recognise(recogniser: Recogniser, home: Home, pcm: bytes, beside: bool = False) -> Trial:
    """What `pcm` (pcm16, 16 kHz) says and asks for. Takes 0.1 to 0.3 s: in a thread.

    The first hypothesis counts when it is a sentence of the home; then any that is as likely;
    then the sentence nearest to the first, if that was heard well. `beside`: somebody else was
    heard too, so that only what was heard exactly and best by far is done without a question.
    """
    hypotheses = recogniser.transcribe(pcm, home.prompt)
    if not hypotheses:
        return Trial(text="")
    room = Room(beside=beside, noise=span_db(pcm) < _NOISE_DB)
    first = hypotheses[0]
    reading = home.understand(first.text, first.uncommon)
    if isinstance(reading.meaning, Several) and first.confidence >= _LEAST_EXACT:
        doubted = are_doubted(reading.meaning, first, hypotheses, home, room)
        several = replace(reading.meaning, doubted=doubted)
        return Trial(text=first.text, reading=replace(reading, meaning=several))
    understood = reading.understood
    if understood is not None and understood.exact and first.confidence >= _LEAST_EXACT:
        return Trial(text=first.text, reading=certain(reading, first, hypotheses, home, room))
    for other in hypotheses[1:]:
        if _as_likely(other, first, home):
            taken = home.understand(other.text, frozenset())
            if taken.understood is not None and taken.understood.exact:
                longer = _begins_with(other.text, first.text)
                asked = certain(taken, other, hypotheses, home, room)
                taken = really(asked) if beside else asked
                return Trial(text=other.text, reading=taken, guessed_end=longer)
    least = _LEAST_EXACT if understood is None or understood.exact else _LEAST_NEAR
    if first.confidence < least:
        reading = replace(reading, meaning=_asked_about(understood, first))
    return Trial(text=first.text, reading=really(reading) if beside else reading)


def _begins_with(text: str, beginning: str) -> bool:
    """Whether `text` has the words of `beginning` first, and more."""
    words, first = normalise(text).split(), normalise(beginning).split()
    return len(words) > len(first) and words[: len(first)] == first


def _asked_about(understood: Understood | None, first: Hypothesis) -> Understood | None:
    """A short command that was heard exactly but badly, which is asked about ("Really mute?")."""
    if understood is None or not understood.exact or understood.rule.tool is None:
        return None
    if first.confidence < _LEAST_ASKED or len(first.text.split()) > _FEW_WORDS:
        return None
    return replace(understood, risky=True)


def _as_likely(other: Hypothesis, first: Hypothesis, home: Home) -> bool:
    """Whether `other` may be what was said instead of `first`."""
    if other.confidence < max(_LEAST_EXACT, first.confidence - _NEARLY_AS_LIKELY):
        return False
    before, words = normalise(first.text).split(), normalise(other.text).split()
    if first.confidence >= _LEAST_EXACT and home.vocabulary.turns(before, words):
        return False
    if other.confidence >= first.confidence - _AS_LIKELY:
        return True
    if len(words) != len(before):
        return False
    different = [pair for pair in zip(before, words, strict=True) if pair[0] != pair[1]]
    return len(different) == 1 and home.vocabulary.alike(*different[0]) > 0
