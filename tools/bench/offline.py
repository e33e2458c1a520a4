"""Measures the offline assistant: accuracy, false accepts, stage times, lateness of the loop.

Run alone it prints JSON: python -m tools.bench.offline [--quick]
"""

import asyncio
import itertools
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy
import soxr
from voxcard.assistants import (
    CallTool,
    EndOfSpeech,
    Facts,
    Heard,
    Reply,
    Speech,
    ToolReply,
    Transcript,
)
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial, recognise
from voxcard.assistants.offline.intents.meanings import Choice, Meaning, Understood
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech.asr import Recogniser, WhisperRecogniser
from voxcard.assistants.offline.speech.voices import EspeakVoice, PiperVoice, Voice

from tools.bench.offline_corpus import COMMANDS, HELD_OUT, OTHERS, Command, tools
from tools.bench.relay.measured import lateness

RATE_HZ = 16000
BEFORE_MS = 400  # of noise before the speech of a turn
NOISES = {"clean": 60.0, "20 dB": 20.0}  # dB of speech over noise
STAGES = {"end_of_speech": EndOfSpeech, "transcript": Transcript, "first_speech": Speech}
ANSWER = '{"audio_speaker":{"volume":50},"screen":{"brightness":70},"battery":{"level":80}}'


def speech(voice: Voice, text: str) -> bytes:
    """`text` spoken by `voice`, as a microphone at 16 kHz would give it (pcm16)."""
    pcm = numpy.frombuffer(b"".join(voice.speak(text)), "<i2").astype(numpy.float32)
    pcm = _trimmed(soxr.resample(pcm, voice.rate_hz, RATE_HZ, "HQ"))
    louder = numpy.clip(pcm * (6000 / max(1.0, _level(pcm))), -32768, 32767)
    return bytes(louder.astype("<i2").tobytes())


def noisy(pcm: bytes, snr_db: float, seed: int, *, before_ms: int = 0, after_ms: int = 0) -> bytes:
    """`pcm` in pink noise, `snr_db` below its level, with noise alone around it."""
    around = (numpy.zeros(before_ms * 16), numpy.zeros(after_ms * 16))
    clean = numpy.frombuffer(pcm, "<i2").astype(numpy.float64)
    whole = numpy.concatenate((around[0], clean, around[1]))
    noise = pink(len(whole), seed) * _level(clean) / 10 ** (snr_db / 20)
    return numpy.clip(whole + noise, -32768, 32767).astype("<i2").tobytes()


def pink(samples: int, seed: int) -> "numpy.ndarray[Any, Any]":
    """Noise with equal power in each octave, level 1."""
    spectrum = numpy.fft.rfft(numpy.random.default_rng(seed).standard_normal(samples))
    spectrum /= numpy.sqrt(numpy.maximum(1, numpy.arange(len(spectrum))))
    noise = numpy.fft.irfft(spectrum, samples)
    return noise / max(1e-9, _level(noise))


Sample = tuple[str, Command | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One sentence, spoken: the command it is (None: no command), and what was understood."""

    condition: str
    text: str
    command: Command | None
    heard: Trial
    took_ms: float

    @property
    def accepted(self) -> bool:
        """Something was understood where there was no command."""
        return self.command is None and self.heard.understood is not None

    @property
    def result(self) -> str:
        """How the command was understood."""
        if self.command is None:
            return "false_accepts" if self.accepted else "refused"
        return _result(self.heard.reading.meaning, self.command)

    @property
    def description(self) -> str:
        return f"{self.text!r} as {self.heard.text!r}"


def attempts(
    recogniser: Recogniser, voices: Mapping[str, Voice], sentences: Sequence[Sample]
) -> Iterator[Attempt]:
    """Every sentence in every voice and noise."""
    catalogue = Catalogue(sentence_files.language("en"), (), tools())
    for (name, voice), (noise, snr_db) in itertools.product(voices.items(), NOISES.items()):
        for seed, (text, command) in enumerate(sentences):
            pcm = noisy(speech(voice, text), snr_db, seed, before_ms=200, after_ms=200)
            began_s = time.perf_counter()
            heard = recognise(recogniser, catalogue, pcm)
            took_ms = (time.perf_counter() - began_s) * 1000
            yield Attempt(
                condition=f"{name} {noise}",
                text=text,
                command=command,
                heard=heard,
                took_ms=took_ms,
            )


def accuracy(
    recogniser: Recogniser, voices: Mapping[str, Voice], sentences: Sequence[Sample]
) -> dict[str, Any]:
    """Every sentence in every voice and noise: right, wrong, refused."""
    done = list(attempts(recogniser, voices, sentences))
    wrong = (each for each in done if each.command and each.result != "right")
    return {
        **_shares(done),
        "recognition_ms": _spread([each.took_ms for each in done]),
        "mistakes": [f"{each.condition}: {each.description}: {each.result}" for each in wrong],
        "false_accepts": [each.description for each in done if each.accepted],
    }


def _shares(done: Sequence[Attempt]) -> dict[str, Any]:
    """Counts of each condition, and shares of all."""
    cells: dict[str, dict[str, int]] = {}
    for each in done:
        cell = cells.setdefault(each.condition, _no_results())
        cell["commands" if each.command else "others"] += 1
        if each.command or each.accepted:
            cell[each.result] += 1
    held_out = [each.accepted for each in done if each.text in HELD_OUT]
    return {
        "cells": cells,
        "commands": sum(cell["commands"] for cell in cells.values()),
        "right_percent": _percent(cells, "right", "commands"),
        "asked_percent": _percent(cells, "asked", "commands"),
        "wrong_percent": _percent(cells, "wrong", "commands"),
        "false_accept_percent": _percent(cells, "false_accepts", "others"),
        "held_out_false_accept_percent": round(100 * sum(held_out) / max(1, len(held_out)), 2),
    }


async def latency(voice: Voice, texts: Sequence[str]) -> dict[str, Any]:
    """Whole turns at the pace of a microphone: ms from the last sample of speech to each part."""
    recordings = [speech(voice, text) for text in texts]
    turns, late_ms = await _timed_turns(recordings)
    return {
        **{f"{name}_ms": _spread([at[name] for at in turns if name in at]) for name in STAGES},
        "loop_lateness_ms": _spread(late_ms),
    }


async def _timed_turns(
    recordings: Sequence[bytes],
) -> tuple[list[dict[str, float]], list[float]]:
    """Of each turn the ms to each stage, and how late the loop was meanwhile, in ms."""
    offline = Offline(OfflineSettings())
    await offline.start()
    late_ms: list[float] = []
    watch = asyncio.create_task(lateness(late_ms))
    try:
        await asyncio.sleep(1.5)  # the common phrases are prepared in the background
        late_ms.clear()
        turns = [await _timed_turn(offline, pcm, seed) for seed, pcm in enumerate(recordings)]
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await offline.stop()
    return turns, late_ms


def _place() -> Facts:
    return Facts(device="kitchen", name="Kitchen", locale="en", now=datetime.now().astimezone())


async def _timed_turn(offline: Offline, pcm: bytes, seed: int) -> dict[str, float]:
    """ms from the last sample of speech to the first part of each stage."""
    audio = noisy(pcm, 30.0, seed, before_ms=BEFORE_MS, after_ms=3000)
    began_s = time.perf_counter()
    speech_ends_s = began_s + BEFORE_MS / 1000 + len(pcm) / 32_000
    at: dict[str, float] = {}
    turn = offline.conversation(_place, tools).turn(Heard(audio=_microphone(audio, began_s)))
    outcome: Reply = None
    while True:
        try:
            part = await turn.asend(outcome)
        except StopAsyncIteration:
            return at
        for name, kind in STAGES.items():
            if isinstance(part, kind):
                at.setdefault(name, (time.perf_counter() - speech_ends_s) * 1000)
        outcome = ToolReply(text=ANSWER) if isinstance(part, CallTool) else None


async def _microphone(audio: bytes, started: float) -> AsyncIterator[bytes]:
    frame = 1280  # 40 ms
    for number, at in enumerate(range(0, len(audio), frame), start=1):
        await asyncio.sleep(max(0.0, started + number * 0.04 - time.perf_counter()))
        yield audio[at : at + frame]


def measure(*, quick: bool = False) -> dict[str, Any]:
    """Everything: under four minutes on two cores; `quick` takes a sixth of the sentences."""
    recogniser = WhisperRecogniser("tiny.en", threads=2)
    voices: dict[str, Voice] = {"joe": PiperVoice("joe"), "espeak": EspeakVoice()}
    recogniser.load()
    for voice in voices.values():
        voice.load()
    step = 6 if quick else 1
    commands, others = COMMANDS[::step], OTHERS[::step]
    sentences = [*((each[0], each) for each in commands), *((each, None) for each in others)]
    results = accuracy(recogniser, voices, sentences)
    recogniser.close()
    texts = [command[0] for command in COMMANDS[:: 30 if quick else 6]]
    return {"accuracy": results, "latency": asyncio.run(latency(voices["joe"], texts))}


def _result(meaning: Meaning | None, command: Command) -> str:
    """How a command was understood; "asked": which of two numbers was meant, one of them right."""
    if isinstance(meaning, Choice) and any(_is(each, command) for each in meaning.options):
        return "asked"
    if not isinstance(meaning, Understood):
        return "refused"
    return "right" if _is(meaning, command) else "wrong"


def _is(meaning: Any, command: Command) -> bool:
    _, tool, arguments, reply = command
    return (
        (meaning.rule.tool or "") == tool
        and dict(meaning.arguments) == arguments
        and reply in " ".join(meaning.rule.reply)
    )


def _trimmed(pcm: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    loud = numpy.flatnonzero(numpy.abs(pcm) > 0.01 * numpy.abs(pcm).max())
    return pcm[loud[0] : loud[-1] + 1] if len(loud) else pcm


def _level(pcm: "numpy.ndarray[Any, Any]") -> float:
    return float(numpy.sqrt(numpy.mean(numpy.square(pcm)))) if len(pcm) else 0.0


def _no_results() -> dict[str, int]:
    return dict.fromkeys(
        ("commands", "right", "asked", "wrong", "refused", "others", "false_accepts"), 0
    )


def _percent(cells: dict[str, dict[str, int]], part: str, whole: str) -> float:
    total = sum(cell[whole] for cell in cells.values())
    return round(100 * sum(cell[part] for cell in cells.values()) / max(1, total), 2)


def _spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values) or [0.0]
    return {
        "p50": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "max": round(ordered[-1], 1),
    }


if __name__ == "__main__":
    print(json.dumps(measure(quick="--quick" in sys.argv), indent=1))
