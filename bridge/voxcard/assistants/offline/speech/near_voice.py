"""Whose speech it is, by its level: the speaker is near, a television is not.

A state that is fed one chunk after the other; there is no clock in here.
"""

import math
from collections import deque

from voxcard.assistants.offline.speech.endpoint import CHUNK_MS

_SPEECH = 0.35  # probability from which a chunk counts as speech
_SMOOTHED = 3  # chunks: a syllable, not a click
# Speech this much softer than the speaker is somebody else's, or a word's end. Only where somebody
# else was heard before: people drop their voices, too.
_FAR_DB = 12.0
# The end of a word falls by more than that within this time, and is still the speaker's.
_WORD_END_MS = 320
# Somebody louder by this, within this time, where speech began that long ago: another speaker.
_LOUDER_SPEAKER_DB = 10.0
_RISE_MS = 192
_BEFORE_MS = 512
# Who was heard before the speaker may get a little louder, but never as loud as that.
_LOUDER_DB = 2.0
_SPEAKER_DB = 4.0
_SILENT_DB = -200.0
# A chunk this much below the speaker's loudest is no part of a word, whatever a detector says.
_SOFT_DB = 26.0


class NearVoice:
    """Follows the level of whoever speaks loudest.

    `begins`: the last chunk was the first of a speaker much louder than the speech before.
    `soft`: it was far softer than the speaker, and nobody else was heard.
    """

    def __init__(self) -> None:
        self.begins = False
        self.soft = False
        self._powers: deque[float] = deque(maxlen=_SMOOTHED)
        self._before_db: deque[float] = deque(maxlen=_BEFORE_MS // CHUNK_MS)
        self._speaker_db = _SILENT_DB
        self._other_db = _SILENT_DB  # of who was heard before the speaker
        self._since_ms = 0  # the speaker was last heard at that level

    def push(self, probability: float, level_db: float) -> float:
        """The probability that the next chunk is the near speaker's speech.

        `probability`: that it is speech; `level_db`: of the chunk, on any scale.
        """
        self.begins = False
        self.soft = not self.beside and level_db <= self._speaker_db - _SOFT_DB
        self._powers.append(10 ** (level_db / 10))
        level_db = 10 * math.log10(sum(self._powers) / len(self._powers))
        speech = probability >= _SPEECH
        if speech and level_db >= self._bar_db:
            self._near(level_db)
        else:
            self._since_ms += CHUNK_MS
        self._before_db.append(self._speaker_db)
        if not self.beside or not speech or self._since_ms <= _WORD_END_MS:
            return probability
        self._other_db = max(self._other_db, level_db)
        return 0.0

    @property
    def speaks(self) -> bool:
        """Whether the last chunk was speech as loud as the speaker's."""
        return self._since_ms == 0

    @property
    def beside(self) -> bool:
        """Whether somebody else was heard before the speaker."""
        return self._other_db > _SILENT_DB

    @property
    def _bar_db(self) -> float:
        """From which level on it is the speaker."""
        other_db = min(self._other_db + _LOUDER_DB, self._speaker_db - _SPEAKER_DB)
        return max(self._speaker_db - _FAR_DB, other_db)

    def _near(self, level_db: float) -> None:
        self._since_ms = 0
        before_db = self._before_db
        if len(before_db) == before_db.maxlen and before_db[0] > _SILENT_DB:
            softer_db = before_db[-_RISE_MS // CHUNK_MS]
            if softer_db <= level_db - _LOUDER_SPEAKER_DB:
                self.begins = True
                self._other_db = softer_db
                before_db.clear()
        self._speaker_db = max(self._speaker_db, level_db)
