"""What the demo leaves behind: sentences, pictures of the screen, replies, records of turns."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
from PIL import Image, ImageDraw

from tools.sim import speech

ENLARGED = 4

Record = dict[str, Any]


class Keepsakes:
    """Files in `folder`, which is emptied first; `turns` are written with the outcome."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder
        self.turns: list[Record] = []

    def sentence(self, name: str) -> Path:
        """The WAV of what is said in turn `name`."""
        return self.folder / f"say-{name}.wav"

    def photo(self) -> Path:
        """What the simulated camera sees, drawn."""
        image = Image.new("RGB", (320, 240), "#7fb2d9")
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 170, 320, 240), fill="#6b8f4e")
        draw.ellipse((230, 20, 290, 80), fill="#ffd95a")
        draw.polygon(((60, 170), (130, 90), (200, 170)), fill="#8a5a44")
        draw.rectangle((90, 130, 170, 200), fill="#e8d9c0")
        path = self.folder / "camera.jpg"
        image.save(path, quality=80)
        return path

    def screen(self, name: str, pnm: bytes) -> Image.Image:
        """Keep a picture of the screen, at its size and larger."""
        path = self.folder / f"screen-{name}.png"
        temporary = path.with_suffix(".pnm")
        temporary.write_bytes(pnm)
        image = Image.open(temporary).convert("L")
        temporary.unlink()
        image.save(path)
        size = (image.width * ENLARGED, image.height * ENLARGED)
        image.resize(size, Image.Resampling.NEAREST).save(path.with_stem(path.stem + "@4x"))
        return image

    def reply(self, name: str, speaker: Path, marks: Sequence[Record]) -> None:
        """Keep the part of the speaker's sound that belongs to the last turn."""
        stop = max((i for i, mark in enumerate(marks) if mark["state"] == "stop"), default=0)
        if stop:
            pcm, rate_hz = speech.read(speaker)
            part = pcm[marks[stop - 1]["samples"] * 2 : marks[stop]["samples"] * 2]
            speech.write(self.folder / f"reply-{name}.wav", part, rate_hz)
            self.turns[-1]["reply_seconds"] = round(len(part) / 2 / rate_hz, 2)

    def write(self, outcome: str) -> None:
        """turns.json and summary.txt, whatever happened."""
        text = json.dumps(self.turns, indent=1, ensure_ascii=False)
        (self.folder / "turns.json").write_text(text + "\n", encoding="utf-8")
        lines = [outcome, ""]
        for turn in self.turns:
            first = turn["stages_ms"].get("end_of_speech_to_first_audio")
            lines.append(f"{turn['name']}: {turn['said']!r} -> {turn['reply']!r}")
            if first is not None:
                lines.append(f"   end of speech to first audio: {first} ms")
        (self.folder / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def sound_after_ms(pressed: int, speaker: Path, marks: Sequence[Record]) -> int:
    """ms from sample `pressed` to the last sound of the answer that was interrupted there."""
    stop = next(
        mark["samples"] for mark in marks if mark["state"] == "stop" and mark["samples"] >= pressed
    )
    pcm, rate_hz = speech.read(speaker)
    heard = numpy.nonzero(numpy.frombuffer(pcm, "<i2")[pressed:stop])[0]
    return int((heard[-1] + 1) * 1000 // rate_hz) if len(heard) else 0
