"""Gain, fading, mean level and the voice gate on samples written out."""

from array import array

from audio import level


def test_gain_is_in_1024ths_and_clamps_on_both_sides():
    pcm = array("h", [100, -100, 20000, -20000, 0, 32767, -32768])
    level.amplify(pcm, 7, 2 * level.UNITY)
    assert list(pcm) == [200, -200, 32767, -32768, 0, 32767, -32768]


def test_the_largest_gain_does_not_wrap():
    pcm = array("h", [32767, -32768, 1])
    level.amplify(pcm, 3, level.GAIN_MAX)
    assert list(pcm) == [32767, -32768, 16]


def test_only_the_named_samples_are_touched():
    pcm = array("h", [8, 8, 8])
    level.amplify(pcm, 2, level.UNITY // 2)
    assert list(pcm) == [4, 4, 8]


def test_volume_is_quadratic_and_one_percent_is_not_silence():
    gains = [level.volume_gain(percent) for percent in (-5, 0, 1, 10, 50, 100, 140)]
    assert gains == [0, 0, 1, 10, 256, 1024, 1024]


def test_volume_never_falls_as_the_percentage_rises():
    gains = [level.volume_gain(percent) for percent in range(101)]
    assert gains == sorted(gains)


def test_a_step_of_the_meter_is_twice_as_loud_and_full_scale_is_the_last():
    means = (0, 31, 32, 63, 64, 1000, 2000, 16383, 16384, 32767)
    assert [level.meter(mean) for mean in means] == [0, 0, 1, 1, 2, 5, 6, 9, 10, 10]


def test_fading_ends_in_silence():
    pcm = array("h", [1000, -1000] * 160)
    level.fade_out(pcm, 320)
    assert pcm[0] > 990 and 450 < pcm[160] < 550 and abs(pcm[319]) <= 1
    level.fade_out(pcm, 0)


def test_clear_makes_the_rest_silent():
    pcm = array("h", [7] * 6)
    level.clear(pcm, 2, 5)
    assert list(pcm) == [7, 7, 0, 0, 0, 7]


def test_mean_level_counts_both_signs():
    assert level.mean(array("h", [100, -100, 300, -300]), 4) == 200
    assert level.mean(array("h", [-32768] * 960), 960) == 32768
    assert level.mean(array("h", [0] * 320), 320) == 0


def test_the_gate_opens_for_voice_above_its_background():
    gate = level.Gate()
    heard = [gate.update(each) for each in (60, 55, 62, 58, 900, 1200, 800, 60, 58)]
    assert heard == [False] * 4 + [True] * 3 + [False] * 2


def test_steady_noise_becomes_background():
    gate = level.Gate()
    assert not any(gate.update(2000) for _ in range(50))
    assert gate.update(7000)


def test_silence_is_never_voice():
    gate = level.Gate()
    assert not any(gate.update(each) for each in (0, 0, 100, 0))
