"""The models themselves: calls by a local voice are heard, sentences without the word are not."""

import pytest
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.wake import detector as wake_detector
from voxcard.wake.detector import MicroWakeWordDetector
from voxcard.wake.listening import WakeListening
from voxcard.wake.word_end import RATE_HZ, end_of_word
from voxcard.wake.words import WORDS

from tools.bench.offline import noisy, speech
from tools.bench.offline_corpus import COMMANDS
from tools.bench.wake import BEFORE_MS, TAIL_MS, accepted
from tools.sim.speech import voice

COMMAND = "what is the volume"


def sound(text, snr_db=45.0):
    return noisy(speech(voice("joe"), text), snr_db, seed=1, before_ms=BEFORE_MS, after_ms=700)


@pytest.mark.parametrize("snr_db", [45.0, 10.0])
@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS)
def test_a_call_is_heard_and_cut_between_word_and_command(word, snr_db):
    pcm = sound(f"{word.phrase}, {COMMAND}", snr_db)
    name, at = accepted(MicroWakeWordDetector(tuple(WORDS)), pcm)
    assert name == word.name
    end_ms = end_of_word(pcm[:at], word.lag_ms) / 2 * 1000 / RATE_HZ
    alone_ms = len(speech(voice("joe"), word.phrase)) / 2 * 1000 / RATE_HZ
    assert end_ms <= BEFORE_MS + alone_ms + TAIL_MS


def test_commands_without_the_word_are_not_taken_for_one():
    detector = MicroWakeWordDetector(tuple(WORDS))
    taken = [text for text, *_ in COMMANDS[:40] if accepted(detector, sound(text))]
    assert taken == []


def test_after_a_reset_nothing_of_what_was_before_counts():
    detector, pcm = MicroWakeWordDetector(("okay_nabu",)), sound("okay nabu")
    _, at = accepted(detector, pcm)
    assert accepted(detector, bytes(RATE_HZ)) is None
    assert accepted(detector, pcm) == ("okay_nabu", at)


def test_what_is_missing_is_named_with_its_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(wake_detector, "_models_folder", lambda: tmp_path)
    with pytest.raises(VoxcardError, match="no model of the wake word okay_nabu"):
        WakeListening(["okay_nabu"]).check()
    monkeypatch.setattr(wake_detector, "PACKAGE", "no_such_package")
    with pytest.raises(MissingExtra, match="wake"):
        WakeListening(["okay_nabu"]).check()
    WakeListening([]).check()  # who waits for no word needs none
