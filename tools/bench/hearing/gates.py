"""Gates on what is heard: conditions, talkers, pauses inside sentences, numbers, other people.

Run alone it prints each cell: python -m tools.bench.hearing.gates [beginning of a name ...]
"""

import itertools
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy
from voxcard.assistants.offline.speech.asr import WhisperRecogniser

from tools.bench import recordings
from tools.bench.hearing import conditions as sound
from tools.bench.hearing.corpus import HALVES, NUMBERS, OTHER_TALK, SENTENCES
from tools.bench.hearing.talkers import Talkers
from tools.bench.hearing.virtual_turn import Home, TurnResult
from tools.bench.offline_corpus import Command

IN_TURN = ("joe", "flite slt")  # who says the sentences of a condition
PAUSES_MS = (500, 700, 1000)
NUMBERS_DB = 12
NUMBER_TALKERS = ("joe", "flite slt", "espeak en-gb-scotland")
PROMPTS_EVERY = 5  # of Asterisk's prompts, which one voice says
PROMPT_S = (0.3, 7.0)
SHORT_S = 3.0  # a passage is also cut to it: no sentence ends there
PASSAGES, PROMPTS = "pocketsphinx-testdata", "asterisk-core-sounds-en-g722"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One turn; `command` None: nothing was said to the assistant."""

    said: str
    command: Command | None
    turn: TurnResult
    ends_ms: float

    @property
    def result(self) -> str:
        if self.command is None:
            return "wrong" if self.turn.calls else "refused"
        return self.turn.of(self.command)

    @property
    def delay_ms(self) -> float:
        """From the last sample of speech to the decision that it ended; negative: cut off."""
        return (self.turn.end_ms or 0.0) - self.ends_ms

    @property
    def cut(self) -> bool:
        return self.delay_ms < 0

    def __str__(self) -> str:
        answer = " ".join(self.turn.said)[:40]
        return (
            f"{self.said!r} as {self.turn.text!r}: {self.result}, {self.delay_ms:.0f} ms, "
            f"{self.turn.calls} {answer!r}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The attempts of one condition."""

    name: str
    attempts: Sequence[Attempt]

    def count(self, result: str) -> int:
        return sum(each.result == result for each in self.attempts)

    @property
    def delay_ms(self) -> float:
        return statistics.median(each.delay_ms for each in self.attempts)

    @property
    def cut(self) -> int:
        return sum(each.cut for each in self.attempts)

    def with_result(self, *results: str) -> list[str]:
        return [str(each) for each in self.attempts if each.result in results]


class Gates:
    """Makes the cells; models are loaded once, what is missing raises with its name."""

    def __init__(self, recogniser: WhisperRecogniser) -> None:
        self._talkers = Talkers()
        self._home = Home(recogniser, self._talkers.voice("joe"))

    def cells(self, names: Sequence[str] = ()) -> Iterator[Cell]:
        """Every cell, or those whose name begins like one of `names`."""
        makers = itertools.chain(self._conditions(), self._quiet(), self._pauses())
        makers = itertools.chain(makers, self._numbers(), self._people())
        for name, attempts in makers:
            if not names or name.startswith(tuple(names)):
                yield Cell(name=name, attempts=list(attempts))

    def _conditions(self) -> Iterator[tuple[str, Iterable[Attempt]]]:
        for name, make in sound.conditions(self._televisions()).items():
            talkers = itertools.cycle(IN_TURN)
            yield name, self._each(zip(SENTENCES, talkers, strict=False), make)

    def _quiet(self) -> Iterator[tuple[str, Iterable[Attempt]]]:
        for talker in self._talkers:
            said = zip(SENTENCES, itertools.repeat(talker), strict=False)
            yield talker, self._each(said, sound.quiet)

    def _numbers(self) -> Iterator[tuple[str, Iterable[Attempt]]]:
        for talker in NUMBER_TALKERS:
            said = zip(NUMBERS, itertools.repeat(talker), strict=False)
            yield f"numbers, {talker}", self._each(said, sound.in_pink_noise(NUMBERS_DB))

    def _each(
        self, said: Iterable[tuple[Command, str]], make: sound.Condition
    ) -> Iterator[Attempt]:
        for seed, (command, talker) in enumerate(said):
            speech = self._talkers.said(talker, command[0])
            pcm = sound.recording(make(speech, seed), seed)
            yield self._attempt(command, pcm, sound.BEFORE_MS + len(speech) / 16)

    def _pauses(self) -> Iterator[tuple[str, Iterable[Attempt]]]:
        for pause_ms in PAUSES_MS:
            yield f"pause {pause_ms} ms", self._halves(pause_ms)

    def _halves(self, pause_ms: int) -> Iterator[Attempt]:
        for seed, (*halves, command) in enumerate(HALVES):
            first, second = (self._talkers.said("joe", half) for half in halves)
            speech = numpy.concatenate((first, numpy.zeros(pause_ms * 16), second))
            pcm = sound.recording(sound.quiet(speech), seed)
            yield self._attempt(command, pcm, sound.BEFORE_MS + len(speech) / 16)

    def _people(self) -> Iterator[tuple[str, Iterable[Attempt]]]:
        yield "people, passages", self._others(_passages())
        yield "people, prompts", self._others(_prompts())

    def _others(self, pieces: Iterable[tuple[str, sound.Sound]]) -> Iterator[Attempt]:
        for seed, (name, speech) in enumerate(pieces):
            turn = self._home.turn(sound.recording(sound.quiet(speech), seed))
            ends_ms = sound.BEFORE_MS + len(speech) / 16
            yield Attempt(said=name, command=None, turn=turn, ends_ms=ends_ms)

    def _attempt(self, command: Command, pcm: bytes, ends_ms: float) -> Attempt:
        turn = self._home.turn(pcm)
        return Attempt(said=command[0], command=command, turn=turn, ends_ms=ends_ms)

    def _televisions(self) -> dict[str, sound.Sound]:
        """Half a minute and more of talk that is not for the assistant, of three kinds."""
        talk = (self._talkers.said("espeak en-gb", text) for text in OTHER_TALK)
        gap = numpy.zeros(3200)
        return {
            "reader": numpy.concatenate([samples for _, samples in _librivox()]),
            "prompts": numpy.concatenate([s for _, p in _prompts() for s in (p, gap)]),
            "synthetic": numpy.concatenate([s for piece in talk for s in (piece, gap)]),
        }


def _librivox() -> Iterator[tuple[str, sound.Sound]]:
    return (each for each in _people(PASSAGES) if "austen" in each[0])


def _passages() -> Iterator[tuple[str, sound.Sound]]:
    """Whole, and what is longer also cut in the middle of a sentence."""
    for name, samples in _people(PASSAGES):
        yield name, samples
        short = samples[: int(SHORT_S * sound.RATE_HZ)]
        if len(short) < len(samples):
            yield f"{name}, {SHORT_S:.0f} s", short


def _prompts() -> Iterator[tuple[str, sound.Sound]]:
    least, most = (seconds * sound.RATE_HZ for seconds in PROMPT_S)
    pieces = (each for each in _people(PROMPTS) if least <= len(each[1]) <= most)
    return itertools.islice(pieces, 0, None, PROMPTS_EVERY)


def _people(package: str) -> Iterator[tuple[str, sound.Sound]]:
    """Recordings of people, each as loud as the talkers."""
    for name, pcm in recordings.pieces(package):
        samples = numpy.frombuffer(pcm, "<i2").astype(numpy.float64)
        if sound.level(samples):
            yield name, samples * sound.LOUD_RMS / sound.level(samples)


def main() -> None:
    recogniser = WhisperRecogniser("tiny.en", threads=2)
    recogniser.load()
    for cell in Gates(recogniser).cells(sys.argv[1:]):
        counts = {each: cell.count(each) for each in ("right", "asked", "refused", "wrong")}
        print(cell.name, counts, f"cut {cell.cut}, {cell.delay_ms:.0f} ms", flush=True)
        for line in cell.with_result("asked", "refused", "wrong"):
            print("   ", line)


if __name__ == "__main__":
    main()
