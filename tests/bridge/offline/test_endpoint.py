"""Where a sentence starts and ends, in rows of (probability, chunks, events)."""

from voxcard.assistants.offline.speech.endpoint import (
    CHUNK_MS,
    HELD,
    Endpoint,
    EndpointLimits,
)
from voxcard.assistants.offline.speech.endpoint import (
    limits as limits_of,
)


def events(endpoint, *stretches, wait="normal"):
    """(ms, event) for stretches of (probability, ms)."""
    seen = []
    for probability, ms in stretches:
        for _ in range(ms // CHUNK_MS):
            event = endpoint.push(probability, wait=wait)
            if event:
                seen.append((endpoint.heard_ms, event))
    return seen


def test_a_sentence_starts_after_96_ms_pauses_after_64_and_ends_after_600():
    endpoint = Endpoint()
    assert events(endpoint, (0.0, 320), (0.9, 960), (0.1, 640)) == [
        (416, "started"),
        (1344, "paused"),
        (1888, "ended"),
    ]
    assert (endpoint.speech_start_ms, endpoint.speech_end_ms) == (320, 1280)
    assert endpoint.speech_ms == 960


def test_what_was_said_decides_how_long_a_pause_ends_it():
    for wait, ended_ms in (
        ("short", 832),
        ("number", 1056),
        ("normal", 1248),
        ("unknown", 1664),
        ("long", 1952),
    ):
        seen = events(Endpoint(), (0.9, 640), (0.1, 1600), wait=wait)
        assert seen == [(96, "started"), (704, "paused"), (ended_ms, "ended")], wait


def test_no_pause_ends_a_sentence_later_than_was_set_but_for_the_beginning_of_one():
    limits = EndpointLimits(end_ms=320)
    for wait, ended_ms in (
        ("short", 832),
        ("number", 960),
        ("normal", 960),
        ("unknown", 1376),
        ("long", 1952),
    ):
        seen = events(Endpoint(limits), (0.9, 640), (0.1, 1600), wait=wait)
        assert seen[-1] == (ended_ms, "ended"), wait


def test_speech_after_a_pause_goes_on():
    seen = events(Endpoint(), (0.9, 320), (0.1, 224), (0.9, 320), (0.1, 640))
    assert [event for _, event in seen] == ["started", "paused", "resumed", "paused", "ended"]


def test_a_click_is_not_speech():
    assert events(Endpoint(), (0.9, 64), (0.1, 640), (0.9, 64), (0.1, 640)) == []


def test_a_soft_end_of_a_word_belongs_to_it_but_breath_in_a_pause_does_not_resume():
    endpoint = Endpoint()
    events(endpoint, (0.9, 320), (0.4, 96))
    assert endpoint.silence_ms == 0
    assert [event for _, event in events(endpoint, (0.1, 192), (0.4, 480))] == ["paused", "ended"]


def test_nothing_said_is_over_after_eight_seconds():
    assert events(Endpoint(), (0.2, 30_016)) == [(8000, "nothing")]


def test_speech_without_an_end_is_over_after_fifteen_seconds():
    assert events(Endpoint(), (0.9, 30_016))[-1] == (15008, "too_long")


def test_after_the_end_nothing_happens():
    endpoint = Endpoint(EndpointLimits(end_ms=64, pause_ms=32))
    assert [event for _, event in events(endpoint, (0.9, 96), (0.0, 96))][-1] == "ended"
    assert events(endpoint, (0.9, 3200), (0.0, 3200)) == []


def test_a_chunk_counts_that_is_exactly_as_likely_as_the_bar():
    limits = EndpointLimits()
    start, stay = limits.start_probability, limits.stay_probability
    assert stay < start
    assert events(Endpoint(), (start, 96)) == [(96, "started")]
    assert events(Endpoint(), (start - 0.001, 960)) == []
    endpoint = Endpoint()
    events(endpoint, (0.9, 96), (stay, 320))
    assert endpoint.silence_ms == 0 and endpoint.speech_ms == 416
    endpoint = Endpoint()
    assert events(endpoint, (0.9, 96), (stay - 0.001, 64))[-1] == (160, "paused")
    assert endpoint.silence_ms == 64 and endpoint.speech_ms == 96
    assert events(endpoint, (start - 0.001, 32), (start, 32)) == [(224, "resumed")]
    assert not Endpoint().started and Endpoint().silence_ms == Endpoint().speech_ms == 0


def test_the_longest_sentence_and_the_longest_wait_are_counted_to_the_chunk():
    limits = EndpointLimits(longest_ms=960, nothing_ms=320)
    assert events(Endpoint(limits), (0.9, 928)) == [(96, "started")]
    assert events(Endpoint(limits), (0.9, 960))[-1] == (960, "too_long")
    assert events(Endpoint(limits), (0.0, 64), (0.9, 1024))[-1] == (1024, "too_long")
    assert events(Endpoint(limits), (0.0, 288)) == []
    assert events(Endpoint(limits), (0.0, 320)) == [(320, "nothing")]
    assert events(Endpoint(limits), (0.0, 224), (0.9, 96)) == [(320, "started")]


def test_while_a_button_is_held_nothing_ends_a_sentence():
    silence = (0.0, 60_032)
    assert events(Endpoint(HELD), silence, (0.9, 60_032))[-1] == (60_032 + 96, "started")
    for wait in ("short", "number", "normal", "unknown", "long"):
        seen = events(Endpoint(HELD), (0.9, 96), silence, wait=wait)
        assert [event for _, event in seen] == ["started", "paused"]


def test_the_waits_are_those_that_were_measured():
    limits = EndpointLimits()
    waits = {"short": 192, "number": 416, "normal": 600, "unknown": 1000, "long": 1300}
    assert {wait: limits.silence_ms(wait) for wait in waits} == waits
    assert (limits.pause_ms, limits.slow_pause_ms, limits.start_ms) == (64, 128, 96)
    assert (limits.nothing_ms, limits.longest_ms) == (8000, 15_000)
    assert (limits.start_probability, limits.stay_probability) == (0.5, 0.35)


def test_a_speaker_over_somebody_elses_talk_begins_the_sentence_again():
    endpoint = Endpoint()
    endpoint.begin_again()
    assert not endpoint.started
    events(endpoint, (0.9, 960), (0.1, 192))
    assert events(endpoint, (0.9, 96)) == [(1184, "resumed")]
    endpoint.begin_again()
    assert (endpoint.speech_start_ms, endpoint.speech_ms) == (1248 - 96, 96)
    assert [event for _, event in events(endpoint, (0.1, 640))] == ["paused", "ended"]
    endpoint.begin_again()
    assert endpoint.speech_start_ms == 1248 - 96


def test_as_much_speech_as_starts_a_sentence_takes_its_end_back():
    endpoint = Endpoint()
    events(endpoint, (0.9, 640), (0.1, 608))
    assert [endpoint.reopens(p) for p in (0.9, 0.9, 0.1, 0.9, 0.4)] == [False] * 5
    assert endpoint.speech_end_ms == 640
    assert [endpoint.reopens(0.9) for _ in range(3)] == [False, False, True]
    assert endpoint.speech_end_ms == endpoint.heard_ms and endpoint.silence_ms == 0
    seen = events(endpoint, (0.9, 320), (0.1, 640))
    assert [event for _, event in seen] == ["paused", "ended"]


def soft(endpoint, probability, ms, wait="normal"):
    """(ms, event) while what is heard is far softer than the speaker."""
    seen = []
    for _ in range(ms // CHUNK_MS):
        event = endpoint.push(probability, wait=wait, soft=True)
        seen += [(endpoint.heard_ms, event)] if event else []
    return seen


def test_what_a_detector_calls_speech_after_the_speaker_fell_silent_counts_as_the_pause():
    endpoint = Endpoint()
    events(endpoint, (0.9, 640))
    assert soft(endpoint, 0.9, 96) == [(704, "paused")]
    assert endpoint.speech_end_ms == 640
    assert soft(endpoint, 0.1, 96, wait="short") == [(832, "ended")]


def test_a_voice_that_stays_soft_is_a_voice():
    endpoint = Endpoint()
    events(endpoint, (0.9, 640))
    limit_ms = endpoint.limits.hangover_ms
    assert soft(endpoint, 0.9, limit_ms) == [(704, "paused")]
    assert soft(endpoint, 0.9, 640, wait="short") == [(640 + limit_ms + CHUNK_MS, "resumed")]
    assert endpoint.silence_ms == 0


def test_a_sentence_that_is_known_to_be_whole_after_its_pause_ends_at_once():
    for wait, ends in (("short", True), ("number", False), ("long", False)):
        endpoint = Endpoint()
        assert not endpoint.ends(wait)  # nobody spoke yet
        events(endpoint, (0.9, 640), (0.1, 160), wait="long")
        assert not endpoint.ends(wait)
        events(endpoint, (0.1, 32), wait="long")
        assert endpoint.ends(wait) == ends
        assert (endpoint.push(0.9) is None) == ends


def test_a_slow_recognition_is_not_begun_in_every_gap():
    for took_ms, pause_ms in ((0, 64), (250, 64), (251, 128)):
        chosen = limits_of(500, held=False, recognition_ms=took_ms)
        assert chosen == EndpointLimits(end_ms=500, pause_ms=pause_ms)
        held = limits_of(500, held=True, recognition_ms=took_ms)
        assert (held.pause_ms, held.short_ms) == (pause_ms, HELD.short_ms)
