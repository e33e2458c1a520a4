"""Whether a turn of the demo did what it should."""

import hashlib
from pathlib import Path
from typing import Any

from PIL import Image
from voxcard.history.store import History

from tools.sim.demo.script import Said

Record = dict[str, Any]

_POINTS = str.maketrans("", "", ".?!,")


class DemoError(Exception):
    """A turn did not do what it should: which, at which stage, why."""

    def __init__(self, turn: str, stage: str, reason: str) -> None:
        super().__init__(f"turn {turn}, {stage}: {reason}")


def check_turn(said: Said, record: Record) -> None:
    """DemoError unless the record is what must come of what was said."""

    def need(stage: str, right: bool, reason: str) -> None:
        if not right:
            raise DemoError(said.name, stage, reason)

    need("the turn", not record["error"], record["error"])
    need(
        "recognition",
        # Where a sentence has points is the recogniser's guess; its words are what was said.
        record["transcript"].lower().translate(_POINTS) == said.transcript,
        f"heard {record['transcript']!r} instead of {said.transcript!r}",
    )
    called = [(call["name"], call["arguments"]) for call in record["tools"]]
    right = [(said.tool, said.arguments)] if said.tool else []
    need("the tool call", called == right, f"called {called}")
    wrong = [call["text"] for call in record["tools"] if call["is_error"]]
    need("the tool", not wrong, f"it answered {wrong}")
    need("the answer", said.reply in record["reply"], f"answered {record['reply']!r}")
    need("the microphone", record["frames_lost"] == 0, f"{record['frames_lost']} frames lost")
    played = record["last_seq_played"] == record["last_seq_sent"]
    need("the speaker", played or record["interrupted"], "not all of the answer was played")


def check_history(database: Path, device: str, photo: Path, turns: int) -> bytes:
    """The photo that the history holds; DemoError unless it is `photo`, beside all the turns."""
    history = History(database, 30, 1000)
    try:
        pictures = history.pictures(device)
        kept, card = history.turns(device, 100), history.last_card(device)
    finally:
        history.close()
    want = hashlib.sha256(photo.read_bytes()).hexdigest()
    if [hashlib.sha256(each.data).hexdigest() for each in pictures] != [want]:
        raise DemoError("photo", "the history", "does not hold the photo as it was taken")
    if len(kept) != turns or card is None:
        raise DemoError("all", "the history", f"holds {len(kept)} turns")
    return pictures[0].data


def read_codes(picture: Image.Image) -> list[str]:
    """What an independent decoder reads from a screen's own pixels."""
    import zxingcpp

    enlarged = picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST)
    return [found.text for found in zxingcpp.read_barcodes(enlarged)]
