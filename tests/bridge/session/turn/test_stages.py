"""Stage times out of moments."""

from typing import get_args

from voxcard.session.turn.stages import OWN_MAX, STAGES, Moment, Moments, at_ms, times


def test_every_moment_begins_or_ends_a_stage_and_no_stage_has_another():
    ends = {end for _, end in STAGES.values()}
    starts = {start for starts, _ in STAGES.values() for start in starts}
    assert starts | ends == set(get_args(Moment))


def test_every_stage_whose_ends_are_known_is_given_in_whole_ms():
    moments = Moments()
    for moment, at in (
        ("wake", 1000.0),
        ("listening", 1040.4),
        ("end_of_speech", 2600.0),
        ("endpoint", 3000.0),
        ("stt", 3200.2),
        ("first_part", 3205.0),
        ("first_audio", 3300.0),
        ("played", 5300.0),
    ):
        moments.mark(moment, at)
    moments.mark("stt", 9999.0)
    assert times(moments.at_ms) == {
        "wake_to_listening": 40,
        "listening_to_end_of_speech": 1560,
        "end_of_speech_to_endpoint": 400,
        "end_of_speech_to_stt": 600,
        "stt_to_first_part": 5,
        "first_part_to_first_audio": 95,
        "end_of_speech_to_first_audio": 700,
        "first_audio_to_played": 2000,
    }


def test_a_turn_of_text_has_no_listening_and_counts_from_its_start():
    assert times({"wake": 10.0, "first_part": 20.0, "first_audio": 25.0, "end": 60.0}) == {
        "stt_to_first_part": 10,
        "first_part_to_first_audio": 5,
        "end_of_speech_to_first_audio": 15,
        "whole_turn": 50,
    }


def test_without_an_account_of_the_end_of_speech_the_stages_count_from_the_endpoint():
    at = {"listening": 0.0, "endpoint": 3000.0, "stt": 3200.0, "first_audio": 3300.0}
    assert times(at) == {"end_of_speech_to_stt": 200, "end_of_speech_to_first_audio": 300}


def test_a_stage_whose_end_came_before_its_beginning_is_left_out():
    # Of the second sentence of a turn, spoken while the first answer played.
    at = {
        "wake": 500.0,
        "listening": 500.0,
        "end_of_speech": 300.0,
        "endpoint": 520.0,
        "end": 900.0,
    }
    assert times(at) == {"wake_to_listening": 0, "end_of_speech_to_endpoint": 220,
                         "whole_turn": 400}  # fmt: skip
    assert times({"end_of_speech": -40.0}) == {}


def test_an_assistants_own_moments_are_stages_counted_like_the_first_audio():
    moments = Moments()
    moments.mark_own("first_token", 3400.6)
    moments.mark_own("first_token", 9999.0)
    moments.mark_own("A Name\nof two lines", 3500.0)
    own = times({"endpoint": 3000.0}, moments.own_ms)
    assert own == {"to_first_token": 401}
    for count in range(40):
        moments.mark_own(f"more_{count}", 1.0)
    assert len(moments.own_ms) == OWN_MAX
    assert times({}, moments.own_ms) == {}


def test_a_place_in_the_recording_is_a_moment():
    # The first frame came when its 40 ms had been recorded.
    assert at_ms(1200, first_frame_ms=5000.0, frame_ms=40) == 6160.0
