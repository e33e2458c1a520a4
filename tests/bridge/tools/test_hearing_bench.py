"""The bench's ears: time that passes without waiting, sounds as said, what counts as what."""

import asyncio
import time

import numpy
import pytest

from tools.bench import recordings
from tools.bench.hearing import conditions, rows, virtual_time
from tools.bench.hearing.gates import Attempt, Cell
from tools.bench.hearing.virtual_turn import TurnResult
from tools.bench.offline_corpus import COMMANDS, STATUS, VOLUME

SPEECH = numpy.sin(numpy.arange(16000) * 0.2) * conditions.LOUD_RMS * 2**0.5
SIXTY = COMMANDS[0]


def test_an_hour_passes_at_once():
    async def hour():
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time()

    began_s = time.process_time()
    assert virtual_time.run(hour()) == 3600
    assert time.process_time() - began_s < 1


def test_a_wait_that_never_ends_is_an_error():
    with pytest.raises(RuntimeError, match="something that never comes"):
        virtual_time.run(asyncio.Event().wait())


def test_work_costs_what_it_is_told_and_one_lane_does_one_thing_at_a_time():
    async def both():
        workers = virtual_time.VirtualWorkers({"recognise": 180.0, "listen": 2.0})
        loop, ends_ms = asyncio.get_running_loop(), {}

        async def work(name, lane):
            await workers.run(lane, lambda: None)
            ends_ms[name] = round(loop.time() * 1000)

        first = asyncio.create_task(workers.run("recognise", lambda: None))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(work("second", "recognise"), work("third", "listen"))
        return ends_ms

    assert virtual_time.run(both()) == {"third": 2, "second": 360}


def test_what_is_mixed_in_has_the_level_that_it_says():
    talk = numpy.random.default_rng(1).standard_normal(160_000) * 100
    made = conditions.conditions({"reader": talk})
    before = slice(0, conditions.BEFORE_MS * 16)
    for name, db in (("television, reader, 15 dB below", 15), ("pink noise 10 dB", 10)):
        mixed = made[name](SPEECH, 1)
        behind = conditions.level(mixed - conditions.quiet(SPEECH))
        assert abs(20 * numpy.log10(conditions.LOUD_RMS / behind) - db) < 1.0, name
        assert conditions.level(mixed[before]) > 0
    assert conditions.level(made["quiet"](SPEECH, 1)[before]) == 0
    quieter = made["level -40 dB"](SPEECH, 1)
    assert abs(quieter.max() - SPEECH.max() / 100) < 0.1
    assert abs(made["DC 3000"](SPEECH, 1)[0] - 3000) < 1


def turn(*calls, asked=False):
    return TurnResult(calls=list(calls), asked=asked, end_ms=2000.0)


def test_a_turn_is_right_asked_refused_or_wrong():
    assert turn((VOLUME, {"volume": 60})).of(SIXTY) == "right"
    assert turn((STATUS, {}), (VOLUME, {"volume": 60})).of(SIXTY) == "right"
    assert turn((VOLUME, {"volume": 16})).of(SIXTY) == "wrong"
    assert turn((STATUS, {})).of(SIXTY) == "wrong"
    assert turn().of(SIXTY) == "refused"
    assert turn(asked=True).of(SIXTY) == "asked"
    assert turn((VOLUME, {"volume": 16}), asked=True).of(SIXTY) == "wrong"


def attempt(made, command=SIXTY, ends_ms=1500.0):
    return Attempt(said="", command=command, turn=made, ends_ms=ends_ms)


def test_rows_say_what_must_not_happen_and_how_many_were_right():
    right, wrong = turn((VOLUME, {"volume": 60})), turn((VOLUME, {"volume": 16}))
    cells = [
        Cell(name="quiet", attempts=[attempt(right), attempt(wrong)]),
        Cell(name="clipped 20 dB", attempts=[attempt(right)] * 5),
        Cell(name="pause 500 ms", attempts=[attempt(right), attempt(right, ends_ms=2001.0)]),
        Cell(name="numbers, joe", attempts=[attempt(turn(asked=True)), attempt(wrong)]),
        Cell(name="people, prompts", attempts=[attempt(turn(), None), attempt(right, None)]),
    ]
    said = {row.name: (row.value, row.verdict) for row in rows.judged(cells)}
    assert said == {
        "quiet: right of 2": (1, "over"),
        "clipped 20 dB: right of 5": (5, "ok"),
        "acted on wrongly in those": (1, "over"),
        "cut off at a pause inside a sentence, of 2": (1, "over"),
        "numbers at 12 dB acted on wrongly without a question, of 2": (1, "over"),
        "recordings of people acted on, of 2": (1, "over"),
    }


def test_floors_are_of_conditions_that_there_are():
    names = set(conditions.conditions(dict.fromkeys(("reader", "prompts", "synthetic"), SPEECH)))
    talkers = {name for name in rows.FLOORS if name.startswith(("flite", "espeak"))}
    assert set(rows.FLOORS) - talkers <= names


def test_a_corpus_that_is_not_here_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(recordings, "ROOT", tmp_path)
    for package in recordings.CORPORA:
        with pytest.raises(recordings.MissingCorpusError, match=rf"{package}: 0 recordings"):
            next(recordings.pieces(package))
