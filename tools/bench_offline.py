"""Measures the offline assistant: accuracy, false accepts, stage times, lateness of the loop.

Run alone it prints JSON: python -m tools.bench_offline [--quick]
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import numpy
import soxr
from voxcard.assistants import CallTool, EndOfSpeech, Heard, Speech, Transcript
from voxcard.assistants.offline import Offline, OfflineSettings, rules
from voxcard.assistants.offline.intents import Catalogue
from voxcard.assistants.offline.recogniser import Recogniser, WhisperRecogniser
from voxcard.assistants.offline.recognition import recognise
from voxcard.assistants.offline.voice import EspeakVoice, PiperVoice, Voice
from voxcard.toolhub.model import ToolOutcome, ToolSpec

RATE_HZ = 16000
VOLUME = "self.audio_speaker.set_volume"
BRIGHTNESS = "self.screen.set_brightness"
THEME = "self.screen.set_theme"
STATUS = "self.get_device_status"
PHOTO = "self.camera.take_photo"
CARD = "bridge.show_last_card"
FIND, CANCEL = "orders.find_order", "orders.cancel_order"

ANSWER = '{"audio_speaker":{"volume":50},"screen":{"brightness":70},"battery":{"level":80}}'

# said, tool ("" = answered by itself), arguments, a word of the reply template
COMMANDS: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    *(
        (f"set the volume to {word}", VOLUME, {"volume": value}, "")
        for word, value in (
            ("sixty", 60), ("fifteen", 15), ("fifty", 50), ("twenty five", 25), ("eighty", 80),
            ("thirty", 30), ("thirteen", 13), ("one hundred", 100), ("seven", 7),
            ("forty two", 42),
        )
    ),
    ("turn the volume down to ten", VOLUME, {"volume": 10}, ""),
    ("change the volume to ninety percent", VOLUME, {"volume": 90}, ""),
    ("please set the volume to thirty five", VOLUME, {"volume": 35}, ""),
    ("volume seventy", VOLUME, {"volume": 70}, ""),
    ("set the volume to maximum", VOLUME, {"volume": 100}, ""),
    ("mute the speaker", VOLUME, {"volume": 0}, ""),
    ("turn off the sound", VOLUME, {"volume": 0}, ""),
    ("turn the volume up", VOLUME, {}, "now"),
    ("make it louder", VOLUME, {}, "now"),
    ("louder please", VOLUME, {}, "now"),
    ("turn it down a little", VOLUME, {}, "now"),
    ("speak quieter", VOLUME, {}, "now"),
    ("what is the volume", STATUS, {}, "volume"),
    ("what's the volume", STATUS, {}, "volume"),
    ("how loud are you", STATUS, {}, "volume"),
    *(
        (f"set the brightness to {word}", BRIGHTNESS, {"brightness": value}, "")
        for word, value in (("forty", 40), ("seventy five", 75), ("twenty", 20), ("five", 5))
    ),
    ("brightness to sixty percent", BRIGHTNESS, {"brightness": 60}, ""),
    ("make the screen brighter", BRIGHTNESS, {}, "now"),
    ("turn down the brightness", BRIGHTNESS, {}, "now"),
    ("what is the brightness", STATUS, {}, "brightness"),
    ("how bright is the screen", STATUS, {}, "brightness"),
    ("switch to dark mode", THEME, {"theme": "dark"}, ""),
    ("switch to the light theme", THEME, {"theme": "light"}, ""),
    ("set the theme to dark", THEME, {"theme": "dark"}, ""),
    ("use the light theme", THEME, {"theme": "light"}, ""),
    ("take a photo", PHOTO, {}, ""),
    ("take a picture", PHOTO, {}, ""),
    ("could you take a photo please", PHOTO, {}, ""),
    ("take another picture", PHOTO, {}, ""),
    ("what is the battery level", STATUS, {}, "battery"),
    ("how much battery is left", STATUS, {}, "battery"),
    ("how full is the battery", STATUS, {}, "battery"),
    ("show the last card again", CARD, {}, ""),
    ("show me the last result", CARD, {}, ""),
    ("show me that card again", CARD, {}, ""),
    *(
        (f"where is my order {word}", FIND, {"order": value}, "")
        for word, value in (
            ("ten forty two", "1042"), ("one zero four two", "1042"),
            ("twenty two eighteen", "2218"), ("seven three one five", "7315"),
            ("thirty six fifty", "3650"), ("nine zero one eight", "9018"),
        )
    ),
    ("track order five five two one", FIND, {"order": "5521"}, ""),
    ("cancel my order ten forty two", CANCEL, {"order": "1042"}, ""),
    ("cancel order sixty six twelve", CANCEL, {"order": "6612"}, ""),
    ("what time is it", "", {}, "time"),
    ("what is the date", "", {}, "date"),
    ("say that again", "", {}, "last"),
    ("never mind", "", {}, "Okay"),
    ("what can you do", "", {}, "examples"),
    ("thank you very much", "", {}, "welcome"),
)  # fmt: skip

# Not for this assistant. The first half was looked at when the threshold was chosen, the second
# half never: it is the one that is reported as held out.
OTHERS = (
    "take a seat over there",
    "the volume of this book is very large",
    "where is my other shoe",
    "what is the weather like tomorrow",
    "set the table for six people",
    "turn left at the next corner",
    "I took a photo of the volcano yesterday",
    "don't take a photo of me",
    "the battery in my car is dead again",
    "she said the volume was much too loud",
    "what is the meaning of life",
    "show me the way to the station",
    "he is brighter than his brother",
    "tell me a story about a dragon",
    "the order of the words matters",
    "we could switch to another supplier",
    "is there any milk left in the fridge",
    "call my sister and tell her I am late",
    "play some music in the kitchen",
    "set an alarm for seven o'clock",
    "it was a dark and stormy night",
    "how much is the fish",
    "where did you put my keys",
    "put the kettle on would you",
    # held out
    "take the bus to the city centre",
    "what is the capital of Australia",
    "turn the pancake over after a minute",
    "who set the record for the long jump",
    "there is a light rain falling outside",
    "the last time I saw him was in May",
    "how full is the car park today",
    "I would like to order a pizza",
    "where is the nearest hospital",
    "my order has not arrived and I am angry",
    "bring me the newspaper please",
    "the picture on the wall is crooked",
    "what is the price of a train ticket",
    "lower your head when you go in",
    "change the sheets on the bed",
    "how loud was the concert last night",
    "show the children where to sit",
    "sixty people came to the party",
    "can you hear the birds singing",
    "make it a large one with extra cheese",
    "cancel the meeting on Thursday",
    "thank your mother for the cake",
    "use the back door if it rains",
    "this theme park is closed in winter",
    "what did the doctor say to her",
    "read me the headlines of today",
    "it is time to go to bed now",
    "add eggs and butter to the shopping list",
    "open the window a little bit",
    "speak to the manager about it",
)
HELD_OUT = frozenset(OTHERS[24:])


def tools() -> list[ToolSpec]:
    """The tools of a home: one device with a screen and a camera, one order server."""
    percent = {"type": "integer", "minimum": 0, "maximum": 100}
    order = {"type": "string", "description": "order number", "pattern": "^[0-9]{3,8}$"}
    found = ("(where is|what about|track) [my] order [number] {order}",)
    return [
        _tool(STATUS),
        _tool(VOLUME, volume=percent),
        _tool(BRIGHTNESS, brightness=percent),
        _tool(THEME, theme={"type": "string", "enum": ["light", "dark"]}),
        _tool("self.screen.show_text", text={"type": "string", "maxLength": 200}),
        _tool(PHOTO),
        _tool(CARD, source="bridge"),
        _tool(FIND, source="orders", sentences=found, order=order),
        _tool(
            CANCEL, source="orders", sentences=("cancel [my] order [number] {order}",), order=order
        ),
    ]


def speech(voice: Voice, text: str) -> bytes:
    """`text` spoken by `voice`, as a microphone at 16 kHz would give it (pcm16)."""
    pcm = numpy.frombuffer(b"".join(voice.speak(text)), "<i2").astype(numpy.float32)
    pcm = _trimmed(soxr.resample(pcm, voice.rate_hz, RATE_HZ, "HQ"))
    return numpy.clip(pcm * (6000 / max(1.0, _level(pcm))), -32768, 32767).astype("<i2").tobytes()


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
    catalogue = Catalogue(rules.language("en"), (), tools())
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
                result = (
                    "refused" if found is None else "right" if _is(found, command) else "wrong"
                )
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
    lateness: list[float] = []
    spoken = [speech(voice, text) for text in texts]
    audio = [
        noisy(pcm, 30.0, seed, before_ms=400, after_ms=3000) for seed, pcm in enumerate(spoken)
    ]
    watch = asyncio.create_task(_lateness(lateness))
    try:
        await asyncio.sleep(1.5)  # the common phrases are prepared in the background
        lateness.clear()
        for pcm, heard in zip(spoken, audio, strict=True):
            await _timed_turn(offline, heard, 400 + len(pcm) / 32, stages)
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await offline.stop()
    return {
        **{f"{name}_ms": _spread(times) for name, times in stages.items()},
        "loop_lateness_ms": _spread(lateness),
    }


async def _timed_turn(
    offline: Offline, audio: bytes, speech_ends_ms: float, stages: dict[str, list[float]]
) -> None:
    started = time.perf_counter()
    at: dict[str, float] = {}
    turn = offline.conversation(tools).turn(Heard(audio=_microphone(audio, started)))
    names = {EndOfSpeech: "end_of_speech", Transcript: "transcript", Speech: "first_speech"}
    outcome: ToolOutcome | None = None
    while True:
        try:
            part = await turn.asend(outcome)
        except StopAsyncIteration:
            break
        name = names.get(type(part))
        if name is not None:
            at.setdefault(name, (time.perf_counter() - started) * 1000 - speech_ends_ms)
        outcome = ToolOutcome(text=ANSWER) if isinstance(part, CallTool) else None
    for name, ms in at.items():
        stages[name].append(ms)


async def _microphone(audio: bytes, started: float) -> AsyncIterator[bytes]:
    frame = 1280  # 40 ms
    for number, at in enumerate(range(0, len(audio), frame), start=1):
        await asyncio.sleep(max(0.0, started + number * 0.04 - time.perf_counter()))
        yield audio[at : at + frame]


async def _lateness(found: list[float]) -> None:
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        found.append((time.perf_counter() - before) * 1000 - 5)


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


def _tool(
    name: str, *, source: str = "device", sentences: Iterable[str] = (), **properties: Any
) -> ToolSpec:
    return ToolSpec(
        name=name,
        description="",
        input_schema={"type": "object", "properties": properties, "required": list(properties)},
        source=source,
        sentences={"en": tuple(sentences)},
    )


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
    return dict.fromkeys(("commands", "right", "wrong", "refused", "others", "false_accepts"), 0)


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
