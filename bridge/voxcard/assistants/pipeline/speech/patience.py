"""How long a speaker may pause, and whose voice counts; pure."""

import math
from collections.abc import Mapping

from voxcard.assistants.offline.speech.endpoint import HELD, EndpointLimits

# Policy -> ms of silence that end a turn. Measured by `python -m tools.bench.patience`: what a
# policy costs after the last sample, and which pauses it takes for the end.
END_MS: Mapping[str, int] = {"aggressive": 416, "default": 704, "relaxed": 1312}
TRIAL_MS = 256  # of silence, after which what was said so far is transcribed on trial
_NEAR_DB = 12.0  # a voice weaker than the speaker's by more is somebody else's: a television
_SURE = 0.8  # probability from which a chunk says how loud the speaker is
_FORGOTTEN_DB = 0.05  # of the loudest level a chunk: 1.5 dB a second


def limits(policy: str, *, held: bool) -> EndpointLimits:
    """When a turn of that policy ends; `held`: by letting go of the button alone."""
    return HELD if held else EndpointLimits(pause_ms=TRIAL_MS, end_ms=END_MS[policy])


class NearVoice:
    """Lets voices count as speech that are about as loud as the speaker's.

    Silero hears every voice in a room, however far: with a television 20 dB below the speaker no
    sentence would end. Silence then begins about 0.1 s earlier, at the last loud sound of a word;
    the audio that is transcribed goes on.
    """

    def __init__(self) -> None:
        self._loudest_db: float | None = None

    def probability(self, probability: float, level: float) -> float:
        """Of a chunk of that probability and level (rms, 0..32768); 0 for a far voice."""
        level_db = 20 * math.log10(max(1.0, level))
        loudest_db = -math.inf if self._loudest_db is None else self._loudest_db
        if probability >= _SURE:
            self._loudest_db = loudest_db = max(level_db, loudest_db - _FORGOTTEN_DB)
        return 0.0 if level_db < loudest_db - _NEAR_DB else probability
