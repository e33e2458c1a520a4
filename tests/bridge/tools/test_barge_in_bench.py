"""The rooms that barge-in by voice is measured in, and how its figures are counted."""

import numpy as np
import pytest
from pywebrtc_audio import EchoCanceller

from tools.bench.barge_in import barge_in
from tools.bench.barge_in.room import (
    RATE_HZ,
    EchoPath,
    at_level,
    delayed,
    in_room,
    level,
    onset,
    unbroken,
)
from tools.bench.offline import pink

PLAIN = EchoPath(reverb_s=0.3, delay_ms=60, level_db=-10)
# Sound as loud as speech that comes and goes five times a second.
BABBLE = at_level(pink(8 * RATE_HZ, 1) * (np.sin(np.arange(8 * RATE_HZ) / 2500) > 0), 5000)
CLICK = np.concatenate((np.zeros(1600), [20000.0], np.zeros(RATE_HZ)))


def path(**changes):
    return EchoPath(**{"reverb_s": 0.3, "delay_ms": 60, "level_db": -10, **changes})


@pytest.mark.parametrize("level_db", [-6, -10, -20])
def test_an_echo_is_as_much_quieter_as_its_path_says(level_db):
    echo = path(level_db=level_db).echo(BABBLE, seed=3)
    assert 20 * np.log10(level(echo) / level(BABBLE)) == pytest.approx(level_db, abs=0.3)


@pytest.mark.parametrize("delay_ms", [20, 60, 250])
def test_an_echo_comes_as_late_as_its_path_says(delay_ms):
    echo = path(delay_ms=delay_ms, reverb_s=0.02).echo(CLICK, seed=3)
    assert int(np.argmax(np.abs(echo))) == pytest.approx(1600 + delay_ms * 16, abs=24)


def test_an_echo_is_the_same_in_every_run_and_another_in_another_room():
    assert np.array_equal(PLAIN.echo(BABBLE, seed=3), PLAIN.echo(BABBLE, seed=3))
    assert not np.allclose(PLAIN.echo(BABBLE, seed=3), PLAIN.echo(BABBLE, seed=4))


def test_a_slow_clock_moves_the_echo_by_its_drift():
    still = PLAIN.echo(BABBLE, seed=3)
    moved = path(drift_ppm=1000).echo(BABBLE, seed=3)  # 1 ms a second
    at = 5 * RATE_HZ
    window = still[at : at + 2000]
    errors = [level(moved[at - by : at - by + 2000] - window) for by in range(160)]
    assert int(np.argmin(errors)) == pytest.approx(81, abs=2)


def test_a_buffer_that_ran_dry_makes_the_rest_of_the_echo_later():
    path_dry = path(late_at_s=2, late_ms=120)
    whole, late = PLAIN.echo(BABBLE, seed=3), path_dry.echo(BABBLE, seed=3)
    at, by = 2 * RATE_HZ, 120 * 16
    assert np.allclose(late[:at], whole[:at])
    assert not late[at : at + by].any()
    assert np.allclose(late[at + by :], whole[at : len(whole) - by])


def test_an_overdriven_speaker_makes_what_no_line_can_take_away():
    tone = 12000 * np.sin(np.arange(RATE_HZ) * 2 * np.pi * 500 / RATE_HZ)
    spectrum = np.abs(np.fft.rfft(path(overdrive=4).echo(tone, seed=3)))
    clean = np.abs(np.fft.rfft(PLAIN.echo(tone, seed=3)))
    assert spectrum[1500] > 0.1 * spectrum[500]  # the third harmonic
    assert clean[1500] < 0.01 * clean[500]


def test_a_room_keeps_the_moment_of_the_direct_sound():
    assert onset(in_room(CLICK, 0.3, seed=1)) == 1600
    assert onset(delayed(CLICK, 100)) == 3200


def test_silence_has_no_level_and_gets_none():
    assert level(np.zeros(0)) == 0.0
    assert not at_level(np.zeros(10), 6000).any()


def test_speech_counts_from_its_last_break():
    voiced = np.array([1, 1, 0, 1, 1, 1, 0], bool)
    assert unbroken(voiced) == [1, 2, 0, 1, 2, 3, 0]
    assert unbroken(np.zeros(0, bool)) == []


@pytest.mark.parametrize(
    ("runs", "latency_ms"),
    [
        ([0, 32, 64, 96, 128], 64.0),  # believed in the chunk that ends at 128 ms
        ([96, 128, 0, 32, 64], float("inf")),  # the device's own, before anybody spoke
        ([96, 0, 32, 64, 96], 96.0),  # its own first, then the person
        ([32, 64, 96, 128, 160], 32.0),  # the first sound may be late in a chunk
        ([64, 96, 128, 160, 192], float("inf")),  # the device's own, and on into the person's
        ([], float("inf")),
    ],
)
def test_a_person_is_heard_where_enough_speech_follows_the_first_sound(runs, latency_ms):
    assert barge_in._latency_ms(runs, 96, at_ms=64.0) == latency_ms


def test_the_canceller_takes_the_echo_and_leaves_who_speaks_after_it():
    sent = np.concatenate((BABBLE, np.zeros(2 * RATE_HZ)))
    echo = PLAIN.echo(sent, seed=3)
    person = np.zeros(len(sent))
    person[-RATE_HZ:] = at_level(pink(RATE_HZ, 9), 2000)  # while the device is silent
    heard = echo + pink(len(sent), 2) * 30 + person
    left = barge_in.cancelled(EchoCanceller(RATE_HZ, 1), heard, sent).astype(float)
    learnt = slice(3 * RATE_HZ, 8 * RATE_HZ)
    assert 20 * np.log10(level(echo[learnt]) / level(left[learnt])) > 15
    assert 20 * np.log10(level(left[-RATE_HZ:]) / 2000) > -6
    assert len(left) == len(sent)
