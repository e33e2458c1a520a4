"""How long a speaker may pause, whose voice holds a turn open, in which language excuses are."""

import math
import string

import pytest
from voxcard.assistants.offline.speech.endpoint import CHUNK_MS, HELD, Endpoint
from voxcard.assistants.pipeline.excuses import EXCUSES, excuse
from voxcard.assistants.pipeline.speech.patience import END_MS, TRIAL_MS, NearVoice, limits
from voxcard.config.assistant_options import KINDS

LEVEL = 4000.0


def below(db):
    """The level so many dB below the speaker's."""
    return LEVEL / 10 ** (db / 20)


def ended_ms(policy, *stretches):
    """When a turn of (probability, dB below the speaker, ms) ends; None when it does not."""
    endpoint, near = Endpoint(limits(policy, held=False)), NearVoice()
    for probability, db, ms in stretches:
        for _ in range(ms // CHUNK_MS):
            if endpoint.push(near.probability(probability, below(db))) == "ended":
                return endpoint.heard_ms
    return None


def test_each_policy_of_the_configuration_has_its_silence():
    assert set(KINDS["pipeline"]["end_of_speech"].kind) == set(END_MS)
    assert END_MS["aggressive"] < END_MS["default"] < END_MS["relaxed"]
    # A trial begins before the end that it is for, by what a fast server takes at the least.
    assert all(end_ms >= TRIAL_MS + 128 for end_ms in END_MS.values())
    assert limits("relaxed", held=True) == HELD


@pytest.mark.parametrize("policy", END_MS)
def test_a_pause_shorter_than_the_policy_is_no_end(policy):
    speech, pause = (1.0, 0, 640), (0.0, 60, END_MS[policy] - CHUNK_MS)
    assert ended_ms(policy, speech, pause, speech) is None
    assert ended_ms(policy, speech, (0.0, 60, 2000)) == 640 + END_MS[policy]


def test_a_far_voice_holds_no_turn_open_and_a_near_one_does():
    speech = (1.0, 0, 640)
    assert ended_ms("default", speech, (1.0, 15, 3000)) == 640 + END_MS["default"]
    assert ended_ms("default", speech, (1.0, 8, 3000)) is None


def test_a_television_before_the_speaker_becomes_the_far_voice():
    television, speech = (1.0, 20, 960), (1.0, 0, 640)
    assert ended_ms("default", television, speech, television) == 1600 + END_MS["default"]


def test_who_speaks_softer_by_and_by_stays_the_speaker():
    near = NearVoice()
    for step in range(400):  # 12.8 s, 18 dB in all
        level = below(step * 0.045)
        assert near.probability(0.9, level) == 0.9


def test_noise_that_is_no_voice_says_nothing_of_how_loud_the_speaker_is():
    near = NearVoice()
    assert near.probability(0.3, 30_000.0) == 0.3
    assert near.probability(0.9, 300.0) == 0.9
    assert near.probability(0.0, 0.0) == 0.0 and not math.isnan(near.probability(0.9, 0.0))


def test_every_excuse_is_there_in_every_language():
    assert list(EXCUSES) == ["en", "de", "fr", "es", "it", "nl", "ro", "ko"]
    for language, sentences in EXCUSES.items():
        assert set(sentences) == set(EXCUSES["en"])
        for sentence in sentences.values():
            assert sentence.endswith(".") and not set(sentence) & set("{}<>")
            latin = any(each in string.ascii_letters for each in sentence)
            assert latin is (language != "ko")


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("de-CH", "Erledigt."),
        ("pt-BR", "Done."),
        ("ko_KR", "완료했어요."),
        ("", "Done."),
        ("FR", "C'est fait."),
    ],
)
def test_an_excuse_is_said_in_the_language_of_the_turn(locale, said):
    assert excuse("done", locale) == said
