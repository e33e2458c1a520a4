"""One device's ear: what it keeps, what it forgets, and when it calls."""

import asyncio

import pytest
from fakes.bridge import run_virtual
from voxcard.wake.ear import BYTES_S, KEPT_BYTES, LAPSE_S, WORD_BYTES, Ear
from voxcard.wake.words import WORDS

WORD = "okay_nabu"
LAG = WORDS[WORD].lag_ms * BYTES_S // 1000
STREAM = "b-w1"


class Scripted:
    """A detector that is sure after as many bytes as `at` says, each counted from a reset."""

    def __init__(self, *at):
        self.at, self.fed, self.resets = list(at), 0, 0

    def feed(self, pcm):
        before, self.fed = self.fed, self.fed + len(pcm)
        if self.at and before < self.at[0] <= self.fed:
            return WORD, self.at.pop(0) - before
        return None

    def reset(self):
        self.fed, self.resets = 0, self.resets + 1


class Home:
    """What the ear shares, without threads; `answer` is what arbitration says."""

    def __init__(self, *at, answer=True):
        self.scripted = Scripted(*at)
        self.answer = answer
        self.levels, self.open = [], []

    async def detector(self, words):
        return self.scripted

    async def feed(self, detector, pcm):
        await asyncio.sleep(0)
        return detector.feed(pcm)

    async def answers(self, device, word, level_db):
        self.levels.append(level_db)
        return self.answer

    def opened(self, device, is_open):
        self.open.append(is_open)


def ear_of(home):
    calls = []

    def spawn(coroutine, name):
        return asyncio.create_task(coroutine, name=name)

    made = Ear("kitchen", (WORD,), home, call=lambda *called: calls.append(called), spawn=spawn)
    return made, calls


def numbered(samples, first=0):
    """pcm16 whose every sample says which it is; all as loud, so that no pause is found."""
    return b"".join(
        (20000 + index % 10000).to_bytes(2, "little") for index in range(first, first + samples)
    )


async def hear(ear, pcm, size):
    for at in range(0, len(pcm), size):
        ear.feed(pcm[at : at + size])
        await asyncio.sleep(size / BYTES_S)


@pytest.mark.parametrize("size", [320, 640, 1280, 2000, 20480])
@pytest.mark.parametrize("sure_at", [WORD_BYTES // 2, 3 * WORD_BYTES + 322])
def test_every_sample_after_the_word_is_in_the_turn_and_none_before(size, sure_at):
    pcm = numbered((sure_at + BYTES_S) // 2)

    async def run():
        ear, calls = ear_of(Home(sure_at))
        ear.open(STREAM)
        await hear(ear, pcm, size)
        assert calls == [(STREAM, WORD)]
        return ear.take(STREAM)

    call = run_virtual(run())
    assert call.word == WORD
    assert call.pcm == pcm[sure_at - LAG :]


def test_sound_without_a_word_is_forgotten_as_it_goes_by():
    async def run():
        ear, calls = ear_of(Home())
        ear.open(STREAM)
        for _ in range(100):
            await hear(ear, bytes(BYTES_S), 1280)
            assert len(ear._sound) <= WORD_BYTES + 1280
        assert calls == [] and ear.take(STREAM) is None
        assert not ear._sound

    run_virtual(run())


def test_a_device_that_does_not_answer_keeps_nothing_and_waits_on():
    async def run():
        home = Home(BYTES_S, BYTES_S, answer=False)
        ear, calls = ear_of(home)
        ear.open(STREAM)
        await hear(ear, numbered(BYTES_S // 2), 1280)
        assert calls == [] and len(home.levels) == 1
        assert ear.take("another") is None
        ear.open("b-w2")
        home.answer = True
        await hear(ear, numbered(BYTES_S // 2), 1280)
        assert calls == [("b-w2", WORD)] and home.scripted.resets == 3

    run_virtual(run())


def test_a_call_that_the_device_does_not_take_lapses():
    async def run():
        ear, calls = ear_of(Home(BYTES_S))
        ear.open(STREAM)
        await hear(ear, numbered(BYTES_S // 2), 1280)
        await asyncio.sleep(LAPSE_S + 0.1)
        assert calls and ear.take(STREAM) is None

    run_virtual(run())


def test_only_the_stream_that_was_called_gets_what_was_said():
    async def run():
        ear, _ = ear_of(Home(BYTES_S))
        ear.open(STREAM)
        await hear(ear, numbered(BYTES_S // 2), 1280)
        assert ear.take("t-1") is None  # a press meanwhile
        assert ear.take(STREAM) is None  # and then it is over

    run_virtual(run())


def test_what_follows_a_word_is_kept_within_a_limit():
    async def run():
        ear, _ = ear_of(Home(BYTES_S))
        ear.open(STREAM)
        await hear(ear, numbered(BYTES_S), 1280)
        for _ in range(20):
            ear.feed(bytes(BYTES_S))
        return ear.take(STREAM)

    assert len(run_virtual(run()).pcm) <= KEPT_BYTES


def test_the_home_knows_which_gates_are_open():
    async def run():
        home = Home()
        ear, _ = ear_of(home)
        ear.close()
        ear.open(STREAM)
        ear.open("b-w2")
        ear.close()
        ear.close()
        ear.feed(bytes(320))
        assert home.open == [True, False, True, False] and not ear._sound

    run_virtual(run())
