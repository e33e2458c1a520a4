"""What each policy of the pipeline's end of speech costs, and which pauses it takes for the end.

python -m tools.bench.patience     about a minute, in virtual time; prints one table

Sentences in two halves with a pause between them, over pink noise and over people who talk (a
television: Debian's recordings), so many dB below the speaker, through the product's own detector,
ears and endpoint. `tools/install_recordings.sh` gets the recordings.

Who goes on after a pause that was taken for the end is heard again where nothing of the answer has
begun: the last columns count what stays cut, where that takes so many ms from the end that was
found. Without `hear_ms` (an older device) all of it does.
"""

import itertools
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from rich.console import Console
from rich.table import Table
from voxcard.assistants import HEAR_ON_MS
from voxcard.assistants.offline.speech.endpoint import CHUNK_BYTES, Endpoint
from voxcard.assistants.offline.speech.vad import SileroDetector, rms
from voxcard.assistants.offline.speech.voices import PiperVoice, Voice
from voxcard.assistants.pipeline.speech.patience import END_MS, NearVoice, limits

from tools.bench import recordings
from tools.bench.offline import pink, speech

SENTENCES = (
    ("what is the weather", "in Berlin tomorrow"),
    ("tell me a story about", "a dragon and a princess"),
    ("remind me to call", "my sister at seven"),
    ("add eggs butter and", "two litres of milk"),
    ("how far is it from", "London to Edinburgh"),
    ("play something by", "that band I like"),
)
PAUSES_MS = (0, 300, 500, 700, 1000)
LONG_MS = 500  # a pause as long or longer is one that people make inside sentences
ANSWERS_MS = (0, 250, 500, 1000)
ROOMS = (
    ("noise", 60), ("noise", 20), ("noise", 10), ("noise", 5), ("noise", 0),
    ("television", 20), ("television", 15), ("television", 10),
)  # fmt: skip
BYTES_PER_MS = 32
BEFORE_MS, AFTER_MS = 400, 3000
EARLY_MS = 64  # an end sooner than this before the last sample has cut the speaker off
TELEVISION_S = 60

Array = numpy.ndarray[Any, Any]
Chunks = list[tuple[float, float]]  # how likely a chunk holds a voice, and its level


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sentence as the detector hears it."""

    pause_ms: int
    end_ms: float  # of its last sample
    chunks: Chunks


def samples(voice: Voice, people: Array, room: str, snr_db: float) -> Iterator[Sample]:
    """Every sentence with every pause in one room."""
    for seed, halves in enumerate(SENTENCES):
        first, second = (speech(voice, half) for half in halves)
        for pause_ms in PAUSES_MS:
            said = bytes(BEFORE_MS * BYTES_PER_MS) + first + bytes(pause_ms * BYTES_PER_MS)
            said += second
            pcm = numpy.frombuffer(said + bytes(AFTER_MS * BYTES_PER_MS), "<i2").astype(float)
            around = pink(len(pcm), seed) if room == "noise" else _piece(people, len(pcm), seed)
            level = numpy.sqrt(numpy.mean(numpy.square(pcm[numpy.abs(pcm) > 0])))
            mixed = numpy.clip(pcm + around * level / 10 ** (snr_db / 20), -32768, 32767)
            heard = _heard(mixed.astype("<i2").tobytes())
            yield Sample(pause_ms=pause_ms, end_ms=len(said) / BYTES_PER_MS, chunks=heard)


def ended_ms(policy: str, chunks: Chunks, answer_ms: int = 0) -> int | None:
    """When the turn ends for good, if its answer begins `answer_ms` later; None: it does not."""
    endpoint, near = Endpoint(limits(policy, held=False)), NearVoice()
    end_ms: int | None = None
    for probability, level in chunks:
        voice = near.probability(probability, level)
        if end_ms is None:
            if endpoint.push(voice) == "ended":
                end_ms = endpoint.heard_ms
        elif endpoint.heard_ms - end_ms >= min(answer_ms, HEAR_ON_MS):
            break
        elif endpoint.reopens(voice):
            end_ms = None
    return end_ms


def is_cut(sample: Sample, end_ms: int | None) -> bool:
    return end_ms is not None and end_ms < sample.end_ms - EARLY_MS


def row(policy: str, measured: Sequence[Sample]) -> list[str]:
    """Cut-offs by pause, turns without an end, ms from the last sample to the end."""
    ends = [(each, ended_ms(policy, each.chunks)) for each in measured]
    cut = [each for each, end in ends if is_cut(each, end)]
    late = [end - each.end_ms for each, end in ends if end is not None and each not in cut]
    counts = [sum(each.pause_ms == pause for each in cut) for pause in PAUSES_MS]
    unended = sum(end is None for _, end in ends)
    delay = f"{statistics.median(late):.0f} ({max(late):.0f})" if late else ""
    paused = [each for each in measured if each.pause_ms >= LONG_MS]
    for_good = [
        sum(is_cut(each, ended_ms(policy, each.chunks, answer_ms)) for each in paused)
        for answer_ms in ANSWERS_MS
    ]
    return [*map(str, counts), str(unended), delay, " / ".join(map(str, for_good))]


def main() -> None:
    voice = PiperVoice(steady=True)
    voice.load()
    people = _people()
    table = Table("room", "policy", title=f"of {len(SENTENCES)} sentences for each pause")
    for pause_ms in PAUSES_MS:
        table.add_column(f"cut at {pause_ms} ms", justify="right")
    table.add_column("no end", justify="right")
    table.add_column("ms after the last sample", justify="right")
    answers = " / ".join(map(str, ANSWERS_MS))
    paused = len(SENTENCES) * sum(each >= LONG_MS for each in PAUSES_MS)
    table.add_column(f"of {paused} cut for good, answer after {answers} ms", justify="right")
    for room, snr_db in ROOMS:
        measured = list(samples(voice, people, room, snr_db))
        for policy in END_MS:
            table.add_row(f"{room} {snr_db} dB below", policy, *row(policy, measured))
    Console(width=150).print(table)


def _people() -> Array:
    """People talking, one piece after the other; level 1."""
    pieces: list[bytes] = []
    long = (pcm for _, pcm in recordings.pieces() if len(pcm) > 3000 * BYTES_PER_MS)
    for pcm in itertools.islice(long, 100):
        pieces.append(pcm)
        if sum(map(len, pieces)) > TELEVISION_S * 1000 * BYTES_PER_MS:
            break
    return numpy.frombuffer(b"".join(pieces), "<i2").astype(float)


def _piece(people: Array, count: int, seed: int) -> Array:
    at = seed * 37_000 % (len(people) - count)
    piece = people[at : at + count]
    scaled: Array = piece / max(1.0, float(numpy.sqrt(numpy.mean(numpy.square(piece)))))
    return scaled


def _heard(pcm: bytes) -> Chunks:
    detector = SileroDetector()
    starts = range(0, len(pcm) - CHUNK_BYTES + 1, CHUNK_BYTES)
    chunks = [pcm[at : at + CHUNK_BYTES] for at in starts]
    return [(detector.probability(chunk), rms(chunk)) for chunk in chunks]


if __name__ == "__main__":
    main()
