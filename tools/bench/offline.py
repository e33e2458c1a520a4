"""Measures the offline assistant: accuracy, false accepts, stage times, lateness of the loop.

Run alone it prints JSON: python -m tools.bench.offline [--quick]
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import numpy
import soxr
from voxcard.assistants import CallTool, EndOfSpeech, Heard, Speech, ToolReply, Transcript
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.intents import sentence_files
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import recognise
from voxcard.assistants.offline.intents.meanings import Choice, Meaning, Understood
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.offline.speech.asr import Recogniser, WhisperRecogniser
from voxcard.assistants.offline.speech.voices import EspeakVoice, PiperVoice, Voice

from tools.bench.offline_corpus import COMMANDS, HELD_OUT, OTHERS, tools
from tools.bench.relay.measured import lateness

RATE_HZ = 16000
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


def accuracy(
    recogniser: Recogniser,
    voices: dict[str, Voice],
    snrs_db: Sequence[float | None] = (None, 20.0),
    commands: Sequence[tuple[str, str, dict[str, Any], str]] = COMMANDS,
    others: Sequence[str] = OTHERS,
) -> dict[str, Any]:
    """Every command and every other sentence in every voice and noise: right, wrong, refused."""
    catalogue = Catalogue(sentence_files.language("en"), (), tools())
    cells: dict[str, dict[str, int]] = {}
    mistakes: list[str] = []
    accepted: list[tuple[str, str]] = []
    times_ms: list[float] = []
    for name, voice in voices.items():
        for snr_db in snrs_db:
            cell = cells.setdefault(f"{name} {_noise_name(snr_db)}", _no_results())
            sentences = [
                *((each[0], each) for each in commands),
                *((each, None) for each in others),
            ]
            for seed, (text, command) in enumerate(sentences):
                pcm = speech(voice, text)
                pcm = noisy(
                    pcm, 60.0 if snr_db is None else snr_db, seed, before_ms=200, after_ms=200
                )
                started = time.perf_counter()
                heard = recognise(recogniser, catalogue, pcm)
                found = heard.understood
                times_ms.append((time.perf_counter() - started) * 1000)
                if command is None:
                    cell["others"] += 1
                    if found is not None:
                        cell["false_accepts"] += 1
                        accepted.append((text, f"{text!r} as {heard.text!r}"))
                    continue
                result = _result(heard.reading.meaning, command)
                cell["commands"] += 1
                cell[result] += 1
                if result != "right":
                    mistakes.append(
                        f"{name} {_noise_name(snr_db)}: {text!r} as {heard.text!r}: {result}"
                    )
    conditions = len(voices) * len(snrs_db)
    held_out = [text for text, _ in accepted if text in HELD_OUT]
    return {
        "cells": cells,
        "commands": sum(cell["commands"] for cell in cells.values()),
        "right_percent": _percent(cells, "right", "commands"),
        "asked_percent": _percent(cells, "asked", "commands"),
        "wrong_percent": _percent(cells, "wrong", "commands"),
        "false_accept_percent": _percent(cells, "false_accepts", "others"),
        "held_out_false_accept_percent": round(
            100 * len(held_out) / max(1, len(HELD_OUT.intersection(others)) * conditions), 2
        ),
        "recognition_ms": _spread(times_ms),
        "mistakes": mistakes,
        "false_accepts": [heard for _, heard in accepted],
    }


async def latency(voice: Voice, texts: Sequence[str]) -> dict[str, Any]:
    """Whole turns at the pace of a microphone: ms from the last sample of speech to each part."""
    offline = Offline(OfflineSettings())
    await offline.start()
    stages: dict[str, list[float]] = {"end_of_speech": [], "transcript": [], "first_speech": []}
    late_ms: list[float] = []
    spoken = [speech(voice, text) for text in texts]
    audio = [
        noisy(pcm, 30.0, seed, before_ms=400, after_ms=3000) for seed, pcm in enumerate(spoken)
    ]
    watch = asyncio.create_task(lateness(late_ms))
    try:
        await asyncio.sleep(1.5)  # the common phrases are prepared in the background
        late_ms.clear()
        for pcm, heard in zip(spoken, audio, strict=True):
            await _timed_turn(offline, heard, 400 + len(pcm) / 32, stages)
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await offline.stop()
    return {
        **{f"{name}_ms": _spread(times) for name, times in stages.items()},
        "loop_lateness_ms": _spread(late_ms),
    }


async def _timed_turn(
    offline: Offline, audio: bytes, speech_ends_ms: float, stages: dict[str, list[float]]
) -> None:
    started = time.perf_counter()
    at: dict[str, float] = {}
    turn = offline.conversation(tools).turn(Heard(audio=_microphone(audio, started)))
    names = {EndOfSpeech: "end_of_speech", Transcript: "transcript", Speech: "first_speech"}
    outcome: ToolReply | None = None
    while True:
        try:
            part = await turn.asend(outcome)
        except StopAsyncIteration:
            break
        name = names.get(type(part))
        if name is not None:
            at.setdefault(name, (time.perf_counter() - started) * 1000 - speech_ends_ms)
        outcome = ToolReply(text=ANSWER) if isinstance(part, CallTool) else None
    for name, ms in at.items():
        stages[name].append(ms)


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
    results = accuracy(recogniser, voices, commands=COMMANDS[::step], others=OTHERS[::step])
    recogniser.close()
    texts = [command[0] for command in COMMANDS[:: 30 if quick else 6]]
    return {"accuracy": results, "latency": asyncio.run(latency(voices["joe"], texts))}


def _result(meaning: Meaning | None, command: tuple[str, str, dict[str, Any], str]) -> str:
    """How a command was understood; "asked": which of two numbers was meant, one of them right."""
    if isinstance(meaning, Choice) and any(_is(each, command) for each in meaning.options):
        return "asked"
    if not isinstance(meaning, Understood):
        return "refused"
    return "right" if _is(meaning, command) else "wrong"


def _is(found: Any, command: tuple[str, str, dict[str, Any], str]) -> bool:
    _, tool, arguments, reply = command
    return (
        (found.rule.tool or "") == tool
        and dict(found.arguments) == arguments
        and reply in " ".join(found.rule.reply)
    )


def _trimmed(pcm: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    loud = numpy.flatnonzero(numpy.abs(pcm) > 0.01 * numpy.abs(pcm).max())
    return pcm[loud[0] : loud[-1] + 1] if len(loud) else pcm


def _level(pcm: "numpy.ndarray[Any, Any]") -> float:
    return float(numpy.sqrt(numpy.mean(numpy.square(pcm)))) if len(pcm) else 0.0


def _noise_name(snr_db: float | None) -> str:
    return "clean" if snr_db is None else f"{snr_db:.0f} dB"


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
