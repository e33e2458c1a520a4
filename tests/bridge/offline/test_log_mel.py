"""Features of speech: the figures of Whisper's own filters, and what sounds look like in them."""

import numpy
import pytest
from voxcard.assistants.offline.speech import log_mel


def tone(hz, ms=1000):
    at = numpy.arange(ms * log_mel.RATE_HZ // 1000) / log_mel.RATE_HZ
    return numpy.sin(2 * numpy.pi * hz * at).astype(numpy.float32)


def test_the_filters_are_those_the_models_were_trained_with():
    # mel_filters.npz of openai/whisper: the first and the last bins of its mel_80 and mel_128.
    for bands, first, last in ((80, 0.02486259, 0.00044876), (128, 0.01237399, 0.00111428)):
        filters = log_mel._filters(bands)
        assert filters.shape == (bands, 201) and filters.dtype == numpy.float32
        assert filters[0, 1] == pytest.approx(first, abs=1e-8)
        assert filters[-1, -2] == pytest.approx(last, abs=1e-8)
        assert filters[0, 0] == filters[-1, -1] == 0


@pytest.mark.parametrize(
    ("hz", "band"), [(100, 2), (440, 11), (1000, 26), (2000, 44), (4000, 62), (7000, 77)]
)
def test_a_tone_is_loudest_in_the_band_of_its_pitch(hz, band):
    features = log_mel.LogMel(80).features(tone(hz))
    assert set(features[:, 5:95].argmax(axis=0)) == {band}


def test_there_is_a_frame_for_each_10_ms_and_one_of_silence():
    mel = log_mel.LogMel(80)
    for samples, frames in ((16000, 101), (1600, 11), (160, 2), (0, 1)):
        features = mel.features(numpy.zeros(samples, numpy.float32))
        assert features.shape == (80, frames) and features.dtype == numpy.float32


def test_silence_is_flat_and_nothing_is_more_than_8_decades_under_the_loudest():
    mel = log_mel.LogMel(80)
    assert mel.features(numpy.zeros(1600, numpy.float32)) == pytest.approx(-1.5)  # 1e-10
    features = mel.features(tone(1000))
    assert features.max() - features.min() == pytest.approx(8 / 4)
