"""The bench of the pipeline's patience: what stays cut where an answer begins so much later."""

from tools.bench.patience.__main__ import Sample, ended_ms, is_cut

LOUD, QUIET = (1.0, 8000.0), (0.0, 1.0)
PAUSE_MS = 800
CHUNKS = [LOUD] * 20 + [QUIET] * (PAUSE_MS // 32) + [LOUD] * 20 + [QUIET] * 100
SAMPLE = Sample(pause_ms=PAUSE_MS, end_ms=65 * 32, chunks=CHUNKS)


def test_who_goes_on_before_the_answer_begins_is_not_cut():
    # Found 704 ms into the pause; 192 ms later three chunks of speech have come.
    for answer_ms, end_ms in ((0, 1344), (128, 1344), (192, 2784), (1000, 2784)):
        assert ended_ms("default", CHUNKS, answer_ms) == end_ms, answer_ms
        assert is_cut(SAMPLE, end_ms) is (end_ms < 2000)
    assert ended_ms("default", [LOUD] * 20) is None
    assert not is_cut(SAMPLE, None)
