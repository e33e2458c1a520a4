"""From audio to what was meant: the likeliest words that are a sentence of the home."""

from dataclasses import dataclass

from voxcard.assistants.offline.intents.catalogue import Catalogue, Understood
from voxcard.assistants.offline.speech.asr import Recogniser

# Mean log probabilities, chosen on generated speech (tools/bench/offline.py): a command that was
# really said came at -0.92 or better, one that was only nearly heard at -0.6 or better in 95 of
# 100; other talk that whisper bent into nearly a command came below that.
_LEAST_EXACT = -1.0
_LEAST_NEAR = -0.65
_AS_LIKELY = 0.2  # another reading within this of the first is as good, if it is a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What was said up to a pause, as far as it can be told."""

    text: str
    understood: Understood | None = None

    @property
    def complete(self) -> bool:
        """A whole sentence of the home, word for word, that ends in no open argument."""
        found = self.understood
        return found is not None and found.exact and not found.open_end


def recognise(recogniser: Recogniser, catalogue: Catalogue, pcm: bytes) -> Trial:
    """What `pcm` (pcm16, 16 kHz) says and asks for. Takes 0.1 to 0.3 s: in a thread.

    The first reading counts when it is a sentence of the home; then any that is as likely; then
    the sentence nearest to the first, if that was heard well.
    """
    first = recogniser.transcribe(pcm, catalogue.prompt)
    if not first.text:
        return Trial(text="")
    near = catalogue.understand(first.text)
    if near is None or not near.exact:
        for other in recogniser.alternatives(pcm, catalogue.prompt):
            found = catalogue.understand(other.text)
            well = other.confidence >= max(_LEAST_EXACT, first.confidence - _AS_LIKELY)
            if well and found is not None and found.exact:
                return Trial(text=other.text, understood=found)
    least = _LEAST_EXACT if near is not None and near.exact else _LEAST_NEAR
    return Trial(text=first.text, understood=near if first.confidence >= least else None)
