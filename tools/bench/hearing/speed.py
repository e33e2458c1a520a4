"""How soon the offline assistant answers, in decodes of the same run: no load counts.

Everything on the way costs the CPU time that it takes on one thread, in virtual time.

Run alone it prints the stages: python -m tools.bench.hearing.speed
"""

import statistics
import time
from collections.abc import Mapping

from voxcard.assistants.offline.assistant import common_phrases
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.speech.asr import WhisperRecogniser
from voxcard.assistants.offline.speech.voices import PiperVoice, Voice
from voxcard.assistants.offline.threads import Lane

from tools.bench.hearing import conditions as sound
from tools.bench.hearing.talkers import samples_of
from tools.bench.hearing.virtual_turn import Home
from tools.bench.offline_corpus import COMMANDS
from tools.bench.rows import Row

EVERY = 6  # of the commands
DECODES = 1.3  # design: last sample to first audio, in decodes
COSTS_MS: Mapping[Lane, float] = {"build": 0.0}  # the rest is measured


def measure() -> Mapping[str, float]:
    """ms p50: one decode, and from the last sample to each stage; how many were right."""
    recogniser = WhisperRecogniser("tiny.en", threads=1)
    recogniser.load()
    voice: Voice = PiperVoice("joe", steady=True)
    voice.load()
    home = Home(recogniser, voice, COSTS_MS)
    prepared = tuple(common_phrases(sentence_files.language("en")))
    stages: dict[str, list[float]] = {name: [] for name in ("end", "transcript", "audio")}
    decodes, right = [], 0
    commands = COMMANDS[::EVERY]
    for seed, command in enumerate(commands):
        speech = samples_of(voice, command[0])
        pcm = sound.recording(sound.quiet(speech), seed)
        ends_ms = sound.BEFORE_MS + len(speech) / 16
        decodes.append(_decode_ms(recogniser, pcm[: round(ends_ms + 224) * 32], home.prompt))
        turn = home.turn(pcm, prepared)
        right += turn.of(command) == "right" or not command[1]
        for name, at_ms in (
            ("end", turn.end_ms), ("transcript", turn.transcript_ms), ("audio", turn.audio_ms)
        ):  # fmt: skip
            if at_ms is not None:
                stages[name].append(at_ms - ends_ms)
    recogniser.close()
    return {
        "decode": statistics.median(decodes),
        **{name: statistics.median(values) for name, values in stages.items()},
        "right": right,
        "commands": len(commands),
    }


def rows() -> list[Row]:
    """First audio in decodes, and what a decode and the stages took."""
    ms = measure()
    note = ", ".join(f"{name} {ms[name]:.0f} ms" for name in ("decode", "end", "transcript"))
    label = "last sample to first audio, p50, in decodes of one thread"
    value = round(ms["audio"] / ms["decode"], 2)
    return [Row(name=label, value=value, unit="", limit=DECODES, note=note)]


def _decode_ms(recogniser: WhisperRecogniser, pcm: bytes, prompt: str) -> float:
    began_s = time.process_time()
    recogniser.transcribe(pcm, prompt)
    return (time.process_time() - began_s) * 1000


if __name__ == "__main__":
    print({name: round(value) for name, value in measure().items()})
