"""Whose speech is heard: levels in dB, rows of (probability, dB, ms)."""

from voxcard.assistants.offline.speech.endpoint import CHUNK_MS
from voxcard.assistants.offline.speech.near_voice import NearVoice

SPEECH, SILENCE = 0.9, 0.0


def heard(near, *stretches):
    """(ms, what is new) of stretches: whether the near speaker is heard, and that one begins."""
    at_ms, seen, last = 0, [], None
    for probability, level_db, ms in stretches:
        for _ in range(ms // CHUNK_MS):
            at_ms += CHUNK_MS
            speaks = near.push(probability, level_db) > 0
            if speaks is not last:
                seen.append((at_ms, "speaks" if speaks else "is silent"))
            if near.begins:
                seen.append((at_ms, "begins"))
            last = speaks
    return seen


def test_one_speaker_is_heard_as_the_detector_says():
    near = NearVoice()
    assert heard(near, (SPEECH, 60, 960), (SILENCE, 10, 320), (SPEECH, 55, 320)) == [
        (32, "speaks"),
        (992, "is silent"),
        (1312, "speaks"),
    ]
    assert not near.beside


def test_the_soft_end_of_a_word_is_its_speakers():
    near = NearVoice()
    heard(near, (SPEECH, 45, 960), (SPEECH, 60, 960))
    soft = heard(near, (SPEECH, 40, 256), (SPEECH, 59, 320), (SPEECH, 40, 320))
    assert soft == [(32, "speaks")]


def test_a_speaker_whose_voice_drops_is_heard_where_nobody_else_was():
    near = NearVoice()
    assert heard(near, (SPEECH, 60, 640), (SPEECH, 38, 1600)) == [(32, "speaks")]
    assert not near.beside


def test_a_television_behind_the_speaker_is_not_the_speaker():
    near = NearVoice()
    seen = heard(near, (SPEECH, 45, 960), (SPEECH, 60, 960), (SPEECH, 45, 1600))
    assert seen[1][1] == "begins" and 960 < seen[1][0] <= 960 + 96
    assert [what for _, what in seen] == ["speaks", "begins", "is silent"]
    # The end of the last word, smoothed, and no more.
    assert 1920 + 320 <= seen[2][0] <= 1920 + 480
    assert near.beside


def test_the_speaker_who_goes_on_after_a_pause_is_heard_over_the_television():
    near = NearVoice()
    heard(near, (SPEECH, 45, 960), (SPEECH, 60, 960), (SPEECH, 45, 1280))
    assert heard(near, (SPEECH, 56, 320))[-1] == (32, "speaks")


def test_a_television_that_gets_a_little_louder_stays_one():
    near = NearVoice()
    heard(near, (SPEECH, 45, 960), (SPEECH, 60, 960), (SPEECH, 45, 640))
    louder = [(SPEECH, level_db, 320) for level_db in (46, 47, 48, 49)]
    assert heard(near, *louder) == [(32, "is silent")]


def test_a_speaker_who_gets_louder_word_by_word_is_one_speaker():
    near = NearVoice()
    louder = [(SPEECH, level_db, 256) for level_db in (50, 54, 58, 62, 66)]
    assert heard(near, *louder) == [(32, "speaks")]
    assert not near.beside


def test_a_word_that_is_stressed_does_not_cut_off_those_before():
    near = NearVoice()
    assert heard(near, (SPEECH, 50, 256), (SPEECH, 64, 640)) == [(32, "speaks")]


def test_a_bang_is_no_speaker():
    near = NearVoice()
    heard(near, (SILENCE, 85, 96), (SILENCE, 10, 96))
    assert heard(near, (SPEECH, 50, 640)) == [(32, "speaks")]


def test_far_under_the_speaker_is_soft_unless_somebody_else_was_heard():
    near = NearVoice()
    for level_db, soft in ((60, False), (60, False), (35, False), (34, True), (10, True)):
        near.push(SPEECH, level_db)
        assert near.soft is soft, level_db
    beside = NearVoice()
    heard(beside, (SPEECH, 40, 960), (SPEECH, 60, 320))
    beside.push(SPEECH, 10)
    assert beside.beside and not beside.soft
