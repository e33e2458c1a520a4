"""The gates as rows of the bench, each with the least that it has been."""

import sys
from collections.abc import Iterable, Iterator, Sequence

from voxcard.assistants.offline.speech.asr import WhisperRecogniser

from tools.bench.hearing import speed, spoken_table
from tools.bench.hearing.gates import Cell, Gates
from tools.bench.rows import Row

# Right of 6, where that is not all of them: whisper does not know flite's "mute", in noise it is
# asked about, as are numbers of some talkers; a television 10 dB below and louder covers words.
FLOORS = {
    "pink noise 10 dB": 5,
    "pink noise 5 dB": 4,
    "room 0.4 s": 5,
    "room 0.7 s": 5,
    "television, reader, 15 dB below": 5,
    "television, reader, 10 dB below": 4,
    "television, reader, 5 dB below": 1,
    "television, prompts, 15 dB below": 5,
    "television, prompts, 10 dB below": 4,
    "television, prompts, 5 dB below": 1,
    "television, synthetic, 15 dB below": 3,
    "television, synthetic, 10 dB below": 2,
    "television, synthetic, 5 dB below": 2,
    "level -46 dB": 5,
    "clipped 20 dB": 5,
    "flite kal16": 4,
    "espeak en-us+f3": 5,
    "espeak en-029": 4,
    "espeak en-gb-scotland": 4,
    "flite awb": 5,
}
# Beginnings of names, what is counted there, and what must not happen at all.
COUNTED = {
    "pause": "cut off at a pause inside a sentence",
    "numbers": "numbers at 12 dB acted on wrongly without a question",
    "people": "recordings of people acted on",
}


def rows() -> list[Row]:
    """All gates; raises where a voice or a corpus is not here, with its name."""
    recogniser = WhisperRecogniser("tiny.en", threads=2)
    recogniser.load()
    try:
        cells = list(_told(Gates(recogniser).cells()))
    finally:
        recogniser.close()
    _tell("spoken texts")
    spoken = list(spoken_table.rows())
    _tell("speed")
    return [*judged(cells), *spoken, *speed.rows()]


def _told(cells: Iterable[Cell]) -> Iterator[Cell]:
    for cell in cells:
        _tell(f"{cell.name}, {cell.count('right')} right of {len(cell.attempts)}")
        yield cell


def _tell(what: str) -> None:
    """It takes minutes: what it is at."""
    print(f"hearing: {what}", file=sys.stderr, flush=True)


def judged(cells: Sequence[Cell]) -> Iterator[Row]:
    """A row for each plain condition, and one for each kind of what must not happen."""
    plain = [cell for cell in cells if not cell.name.startswith(tuple(COUNTED))]
    for cell in plain:
        yield _right(cell)
    wrong = [each for cell in plain for each in cell.with_result("wrong")]
    yield Row(name="acted on wrongly in those", value=len(wrong), unit="", limit=0,
              note="; ".join(wrong))  # fmt: skip
    for beginning, what in COUNTED.items():
        yield _counted(what, [cell for cell in cells if cell.name.startswith(beginning)])


def _right(cell: Cell) -> Row:
    size = len(cell.attempts)
    note = f"{cell.count('asked')} asked, decided after {cell.delay_ms:.0f} ms"
    return Row(
        name=f"{cell.name}: right of {size}",
        value=cell.count("right"),
        unit="",
        limit=FLOORS.get(cell.name, size),
        at_least=True,
        note=note,
    )


def _counted(what: str, cells: Sequence[Cell]) -> Row:
    attempts = [each for cell in cells for each in cell.attempts]
    cuts = what.startswith("cut")
    bad = [each for each in attempts if (each.cut if cuts else each.result == "wrong")]
    return Row(
        name=f"{what}, of {len(attempts)}",
        value=len(bad),
        unit="",
        limit=0,
        note="; ".join(map(str, bad)),
    )
